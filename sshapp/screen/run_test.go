package screen

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"charm.land/ssh"

	"notakto/match"
	"notakto/match/limit"
	"notakto/match/manager"
	"notakto/sshapp/terminal"
	"notakto/sshapp/tui"
	"notakto/sshapp/tui/draw"
)

// A panic in the program ended the server and every match on it.
func TestAPanicInTheProgramRestoresTheTerminal(t *testing.T) {
	memory := match.NewMemory()
	m := manager.New(manager.Config{Journal: memory, Seed: 1})
	defer m.Close()
	for name, fault := range map[string]tea.Msg{
		"update":  idleMsg{}, // without a timer to judge by
		"command": tea.BatchMsg{func() tea.Msg { panic("a fault in a command") }},
	} {
		var sent, log bytes.Buffer
		r := (&Config{
			Screens: tui.Config{
				Player: match.Player{ID: "ann", Name: "ann"}, Manager: m, Theme: new(draw.Themes).For(draw.Auto, 0, draw.Unicode),
			},
			Client: terminal.Terminal{Name: "xterm", UTF8: true, Window: ssh.Window{Width: 80, Height: 24}},
			Output: &terminal.StallWriter{Client: &sent, Stall: 1 << 40, OnStall: func() {}},
			Turns:  limit.NewTurns(1), Buffers: new(Buffers), Log: slog.New(slog.NewTextHandler(&log, nil)),
		}).newRunner()
		r.model.draw()
		go r.program.Send(fault)
		r.run()
		r.idle.Stop()
		r.close()
		for _, want := range []string{"A fault in the server has ended this session", "\x1b[?1049;2004l"} {
			if !strings.Contains(sent.String(), want) {
				t.Errorf("%s: no %q in %q", name, want, sent.String())
			}
		}
		if !strings.Contains(log.String(), "game ended by a fault") {
			t.Errorf("%s: the log says %q", name, log.String())
		}
	}
}
