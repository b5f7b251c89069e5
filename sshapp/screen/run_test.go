package screen

import (
	"bytes"
	"log/slog"
	"runtime"
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

// A panic in the program once ended the server and every match on it.
func TestAPanicInTheProgramRestoresTheTerminal(t *testing.T) {
	memory := match.NewMemory()
	m := manager.New(manager.Config{Journal: memory, Seed: 1})
	defer m.Close()
	for name, fault := range map[string]struct {
		begin func(*runner)
		log   string
	}{
		"update": {func(r *runner) { r.program.Send(idleMsg{}) }, "game ended by a fault"}, // with a nil timer
		"command": {func(r *runner) {
			r.start(tea.Batch(func() tea.Msg { return nil }, func() tea.Msg { panic("a fault in a command") }))
		}, "a fault in a command"},
	} {
		var sent, log bytes.Buffer
		r := (&Config{
			Screens: tui.Config{
				Player: match.Player{ID: "ann", Name: "ann"}, Manager: m, Poller: new(tui.Poller),
				Theme: new(draw.Themes).Get(draw.Auto, 0, draw.Unicode),
			},
			Client: terminal.Terminal{Name: "xterm", UTF8: true, Window: ssh.Window{Width: 80, Height: 24}},
			Output: &terminal.StallWriter{Client: &sent, Stall: 1 << 40, OnStall: func() {}},
			Turns:  limit.NewTurns(1), Buffers: new(Buffers), Log: slog.New(slog.NewTextHandler(&log, nil)),
		}).newRunner()
		r.model.draw()
		go fault.begin(r)
		r.run()
		r.idle.Stop()
		r.close()
		for _, want := range []string{"A server fault has ended this session", "\x1b[?1049;2004;1004l"} {
			if !strings.Contains(sent.String(), want) {
				t.Errorf("%s: no %q in %q", name, want, sent.String())
			}
		}
		if !strings.Contains(log.String(), fault.log) {
			t.Errorf("%s: the log says %q", name, log.String())
		}
	}
}

// The second of two notices at once was once shown first, if the first had to wait for the program.
func TestNoticesKeepTheirOrder(t *testing.T) {
	notices := make(chan string, 2)
	shown, isSending := make(chan tea.Msg, 2), make(chan struct{})
	a := &announcer{notices: notices, send: func(msg tea.Msg) {
		if msg == tui.Announcement("first") {
			close(isSending)
			for range 10_000 { // lets the goroutine of the second notice run
				runtime.Gosched()
			}
		}
		shown <- msg
	}}
	notices <- "first"
	a.wake()
	<-isSending
	notices <- "second"
	a.wake()
	if first, second := <-shown, <-shown; first != tui.Announcement("first") || second != tui.Announcement("second") {
		t.Errorf("shown: %v, then %v", first, second)
	}
}
