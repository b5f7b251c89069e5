package render

import (
	"strings"
	"testing"
)

// alertBytes returns what a terminal receives with two alerts, of which the second one repeats, and with a turn.
func alertBytes(term string) string {
	s := NewScreen(FromTerm(term), 80, 24)
	f := content("x")
	s.Draw(nil, f)
	f.Alert = Alert{1, "Your turn\x1b]2;x\a; against ann\u009c"}
	output := s.Draw(nil, f)
	output = s.Draw(output, f)
	f.Status = Blocked
	output = s.Draw(output, f)
	output = append(output, '|')
	f.Status = Working
	output = s.Draw(output, f)
	return string(s.Restore(append(output, '|')))
}

func TestAlertsAreWrittenAsTheTerminalUnderstandsThem(t *testing.T) {
	for term, want := range map[string][3]string{
		"xterm-256color": {
			"\x1b]9;Your turn]2;x; against ann\a\x1b]7501;state=blocked:kind=question:app=Notakto\a",
			"\x1b]7501;state=working:app=Notakto\a", "\x1b]7501;state=clear\a",
		},
		"xterm-kitty": {
			"\x1b]9;Your turn]2;x; against ann\a\x1b]7501;state=blocked:kind=question:app=Notakto\a",
			"\x1b]7501;state=working:app=Notakto\a", "\x1b]7501;state=clear\a",
		},
		"rxvt-unicode-256color": {
			"\x1b]777;notify;Notakto;Your turn]2,x, against ann\a\x1b]7501;state=blocked:kind=question:app=Notakto\a",
			"\x1b]7501;state=working:app=Notakto\a", "\x1b]7501;state=clear\a",
		},
		"tmux-256color": {
			"\x1bPtmux;\x1b\x1b]9;Your turn]2;x; against ann\a\x1b\\" +
				"\x1bPtmux;\x1b\x1b]7501;state=blocked:kind=question:app=Notakto\a\x1b\\",
			"\x1bPtmux;\x1b\x1b]7501;state=working:app=Notakto\a\x1b\\", "\x1bPtmux;\x1b\x1b]7501;state=clear\a\x1b\\",
		},
		"screen-256color": {}, "linux": {}, "vt100": {}, "alacritty": {}, "dumb": {},
	} {
		alert, rest, _ := strings.Cut(alertBytes(term), "|")
		status, end, _ := strings.Cut(rest, "|")
		if alert != want[0] || status != want[1] || !strings.Contains(end, want[2]) {
			t.Errorf("%s: %q, %q, %q", term, alert, status, end)
		}
		if want[0] == "" && strings.Contains(alert+status+end, "7501") {
			t.Errorf("%s is sent a status: %q", term, alert+status+end)
		}
	}
}
