package tui

import (
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"notakto/match/lobby"
	"notakto/sshapp/client"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

// waitingScreen shows how the place in the queue stands. It is the one screen whose clock ticks all the time.
type waitingScreen struct {
	session *session
	now     time.Time
}

func newWaiting(s *session) *waitingScreen {
	return &waitingScreen{session: s, now: s.commands.now()}
}

func (w *waitingScreen) enter() tea.Cmd { return w.session.commands.tickEverySecond(w) }

func (w *waitingScreen) update(msg tea.Msg) (navigation, tea.Cmd) {
	switch msg := msg.(type) {
	case ticked:
		w.now = msg.now
		return nil, w.session.commands.tickEverySecond(w)
	case tea.KeyPressMsg:
		keys := w.session.keys
		switch {
		case key.Matches(msg, keys.computer):
			return toComputer{}, nil
		case key.Matches(msg, keys.back):
			return stopQueue{}, nil
		}
	}
	return nil, nil
}

// waited is how long it has been.
func (w *waitingScreen) waited() time.Duration {
	if q := w.session.queue; q.IsWaiting() {
		return max(0, w.now.Sub(q.Since))
	}
	return 0
}

func (w *waitingScreen) draw(s *draw.Canvas) {
	area := s.Header("Waiting for an opponent", w.session.player.Name).Column(56)
	q := w.session.queue
	if !q.IsWaiting() {
		return
	}
	x, y := area.X, area.Y+max(1, area.Height/4)
	s.Text(x, y, draw.Strong, "Waiting for an opponent on "+wording.Variant(q.Variant))
	s.Text(x, y+2, draw.Brand, clock(w.waited()))
	s.Text(x+8, y+2, draw.Plain, waitingText(q.SeekStatus))
	if w.waited() < client.OfferComputerAfter {
		s.Paragraph(x, y+4, area.Width, draw.Faint, "The next one to come sits down opposite. Your bell rings then.")
		return
	}
	y = s.Paragraph(x, y+4, area.Width, draw.Notice, "Nobody yet. Play the computer meanwhile?")
	y = s.Paragraph(x, y, area.Width, draw.Plain, "You keep your place, and hear as soon as someone comes.")
	s.Hint(x, y+1, "c", "play the computer meanwhile")
}

// waitingText is how many wait, and for what.
func waitingText(status lobby.SeekStatus) string {
	switch n := status.WaitingElsewhere; {
	case status.Waiting > 1:
		return wording.Count(status.Waiting, "", "are waiting, you among them")
	case n > 0:
		return wording.Count(n, "other waits", "others wait") + " for " + wording.Variant(status.Elsewhere.Variant)
	default:
		return "you are the only one waiting"
	}
}

func (w *waitingScreen) notice() (string, draw.Role) {
	if q := w.session.queue; q.IsWaiting() && q.CutOff {
		return cutOffText(w.session), draw.Notice
	}
	return "", draw.Plain
}

func (w *waitingScreen) title() string { return "Waiting for an opponent" }

// ShortHelp is part of help.KeyMap.
func (w *waitingScreen) ShortHelp() []key.Binding {
	k := w.session.keys
	return []key.Binding{k.computer, renamed(k.back, "stop"), k.help}
}

// FullHelp is part of help.KeyMap.
func (w *waitingScreen) FullHelp() [][]key.Binding {
	k := w.session.keys
	return [][]key.Binding{{renamed(k.computer, "computer meanwhile"), renamed(k.back, "stop waiting")}, k.settings()}
}
