package render

import (
	"strings"
	"testing"
)

func TestFromTerm(t *testing.T) {
	for _, test := range []struct {
		term                                            string
		repeat, erase, column, alternate, title, noWrap bool
	}{
		{"xterm-256color", false, true, true, true, true, true},
		{"XTERM-KITTY", true, true, true, true, true, true},
		{"tmux-256color", true, true, true, true, true, true},
		{"screen-256color", false, false, true, true, true, true},
		{"linux", false, true, true, false, false, true},
		{"vt220", false, true, false, false, false, true},
		{"vt100", false, false, false, false, false, true},
		{"dumb", false, false, false, false, false, false},
		{"", false, false, false, false, false, false},
		{"xtermish", false, false, false, false, false, false},
	} {
		c := FromTerm(test.term)
		got := [...]bool{c.Repeat, c.Erase, c.Column, c.Alternate, c.Title, c.NoWrap}
		if want := [...]bool{test.repeat, test.erase, test.column, test.alternate, test.title,
			test.noWrap}; got != want || !c.UTF8 {
			t.Errorf("%q can %+v", test.term, c)
		}
	}
}

// An unknown terminal receives only positions, erasures and styles.
func TestUnknownTerminalsGetThePlainest(t *testing.T) {
	s := NewScreen(FromTerm("unheard-of"), 80, 24)
	output := s.Draw(nil, Frame{Grid: numbered(1).Grid, Title: "t", Mouse: true})
	output = s.Draw(output, Frame{Grid: numbered(2).Grid, Title: "u"})
	output = s.Restore(output)
	if strings.Contains(string(output), reverseIndex) {
		t.Error("it is sent a reverse index")
	}
	for _, unwanted := range []string{"?", "G", "X", "b", "\x1b]", "h"} {
		for part := range strings.SplitSeq(string(output), csi) {
			if end := strings.IndexFunc(part, func(r rune) bool {
				return r >= '@'
			}); end >= 0 && strings.Contains(part[:end+1], unwanted) {
				t.Errorf("it is sent %q", csi+part[:end+1])
			}
		}
	}
}
