package render

import (
	"strings"
	"testing"

	"notakto/internal/testkit"
)

// Terminals that know none of these sequences would print them, and receive none.
func TestAlertsAreWrittenAsTheTerminalUnderstandsThem(t *testing.T) {
	const alert, text = "\x1b]9;Your turn]2;x; against ann\a", "Your turn\x1b]2;x\a; against ann\u009c"
	const blocked = "\x1b]7501;state=blocked:kind=question:app=Notakto\a"
	const working, clear = "\x1b]7501;state=working:app=Notakto\a", "\x1b]7501;state=clear\a"
	plainly := [3]string{alert + blocked, working, clear}
	inTmux := func(sequence string) string { return "\x1bPtmux;\x1b" + sequence + "\x1b\\" }
	for term, want := range map[string][3]string{
		"xterm-256color": plainly, "xterm-kitty": plainly,
		"rxvt-unicode-256color": {
			"\x1b]777;notify;Notakto;Your turn]2,x, against ann\a" + blocked, working, clear,
		},
		"tmux-256color":   {inTmux(alert) + inTmux(blocked), inTmux(working), inTmux(clear)},
		"screen-256color": {}, "linux": {}, "vt100": {}, "alacritty": {}, "dumb": {},
	} {
		s, f := NewScreen(FromTerm(term), 80, 24), content("x")
		s.Draw(nil, f)
		f.Alert = Alert{1, text}
		first := s.Draw(nil, f)
		first = s.Draw(first, f) // the alert is not repeated
		f.Status = Blocked
		first = s.Draw(first, f)
		f.Status = Working
		second, end := string(s.Draw(nil, f)), string(s.Restore(nil))
		testkit.Equal(t, [2]string{string(first), second}, [2]string{want[0], want[1]}, term)
		if !strings.Contains(end, want[2]) || want[2] == "" && strings.Contains(end, "7501") {
			t.Errorf("%s: at the end it is sent %q", term, end)
		}
	}
}
