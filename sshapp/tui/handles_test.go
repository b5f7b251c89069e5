package tui

import "testing"

// counted is a handle that knows how often it was closed.
type counted struct{ closed int }

func (c *counted) Close() { c.closed++ }

// A handle that was opened while its session ended is closed at once: else a player would stay at a table without a
// session.
func TestHandlesAfterTheEnd(t *testing.T) {
	h := new(handles)
	early, dropped, late := new(counted), new(counted), new(counted)
	if !h.keep(early) || !h.keep(dropped) {
		t.Fatal("refused while the session lives")
	}
	h.drop(dropped)
	h.close()
	if h.keep(late) {
		t.Error("kept after the end")
	}
	h.close()
	for name, c := range map[string]*counted{"early": early, "dropped": dropped, "late": late} {
		if c.closed != 1 {
			t.Errorf("%s closed %d times", name, c.closed)
		}
	}
}
