package tui

import (
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/match/lobby"
	"notakto/sshapp/client"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

// waitingScreen shows how the place in the queue stands. It is the one screen whose clock ticks all the time.
type waitingScreen struct {
	env *env
	now time.Time
}

func newWaiting(e *env) *waitingScreen {
	return &waitingScreen{env: e, now: e.commands.now()}
}

func (w *waitingScreen) enter() tea.Cmd { return w.env.commands.tickEverySecond(w) }

func (w *waitingScreen) update(msg tea.Msg) (navigation, tea.Cmd) {
	switch msg := msg.(type) {
	case ticked:
		w.now = msg.now
		return nil, w.env.commands.tickEverySecond(w)
	case tea.KeyPressMsg:
		keys := w.env.keys
		switch {
		case key.Matches(msg, keys.computer):
			return toComputer{}, nil
		case key.Matches(msg, w.others()):
			return toSeek{match.AcceptedBesides(w.env.queue.Others[0].Accepts,
				match.PreferClock(match.DefaultAccepted()))}, nil
		case key.Matches(msg, keys.back):
			return stopQueue{}, nil
		}
	}
	return nil, nil
}

// others is the key that joins the player who has waited longest for something else, while there is one.
func (w *waitingScreen) others() key.Binding {
	others := w.env.keys.joinWaiting
	q := w.env.queue
	others.SetEnabled(q.IsWaiting() && len(q.Others) > 0)
	return others
}

// waited is how long it has been.
func (w *waitingScreen) waited() time.Duration {
	if q := w.env.queue; q.IsWaiting() {
		return max(0, w.now.Sub(q.Since))
	}
	return 0
}

func (w *waitingScreen) draw(s *draw.Canvas) {
	s.Page()
	area := s.Header("Waiting for an opponent", w.env.player.Name)
	q := w.env.queue
	if !q.IsWaiting() {
		return
	}
	isOffered := w.waited() >= client.OfferComputerAfter
	rows := 6
	if isOffered {
		rows += 3
	}
	if s.Roomy() {
		rows = 7
	}
	x, width, y, gap := area.X, area.Width, 0, 3
	if q.Accepts[0].Variant.IsTicTacToe() { // there no board dies
		y = area.Middle(rows).Y
	} else {
		var above draw.Rect
		above, y = deathArea(area, rows)
		if !s.Roomy() && above.Height > 0 { // so that the picture does not touch the header
			above.Y, y, gap = above.Y+1, y+1, gap-1
		}
		drawDeath(s, above)
	}
	wanted := wording.AcceptsWithClocks(q.Accepts)
	if draw.Columns(wanted) > width {
		wanted = strings.Replace(wanted, ", ", ",\n", 1)
	}
	y = s.TextCenter(x, width, y, draw.Strong, wanted)
	text := clock(w.waited()) + ". " + waitingText(q.SeekStatus) + "."
	if long := "Waiting " + text; draw.Columns(long) <= width {
		text = long
	}
	s.TextCenter(x, width, y, draw.Plain, s.Fit(text, width))
	if w.others().Enabled() {
		what := "play that with " + q.Others[0].Name
		s.Hint(x+(width-draw.Columns(what)-2)/2, y+1, w.others().Help().Key, what)
	}
	if !isOffered {
		s.TextCenter(x, width, y+gap, draw.Faint, "The match begins when someone joins. Your terminal will ring.")
		return
	}
	kept := "You keep your place, and you are told when someone joins."
	if q.Waiting > 1 && len(q.Others) == 0 {
		kept = wording.NotPaired(lobby.ApartFor)
	}
	y = s.TextCenter(x, width, y+gap, draw.Notice, "No opponent yet. Play the computer while you wait?")
	s.TextCenter(x, width, y, draw.Plain, kept)
}

// waitingText is who else waits, and for what.
func waitingText(status lobby.SeekStatus) string {
	switch {
	case len(status.Others) > 0:
		return wording.WaitsFor(status.Others[0].Name, status.Others[0].Accepts)
	case status.Waiting > 1:
		return wording.Count(status.Waiting, "", "are waiting, including you")
	default:
		return "No one else is waiting"
	}
}

func (w *waitingScreen) notice() (string, draw.Role) {
	if q := w.env.queue; q.IsWaiting() && q.CutOff {
		return w.env.cutOffText(), draw.Notice
	}
	return "", draw.Plain
}

func (w *waitingScreen) title() string { return "Waiting for an opponent" }

// ShortHelp is part of help.KeyMap.
func (w *waitingScreen) ShortHelp() []key.Binding {
	k := w.env.keys
	return []key.Binding{k.computer, w.others(), renamed(k.back, w.env.either("stop waiting", "stop")), k.help}
}

// FullHelp is part of help.KeyMap.
func (w *waitingScreen) FullHelp() [][]key.Binding {
	k := w.env.keys
	return [][]key.Binding{
		{
			renamed(k.computer, w.env.either("play the computer", "computer")), w.others(),
			renamed(k.back, "stop waiting"),
		},
		w.env.settingsOf(),
	}
}

// seekStatusMsg is how a place in the queue stands now, or that it is gone.
type seekStatusMsg struct {
	queue  *client.Queue
	status lobby.SeekStatus
	open   bool
}

// nextStatus waits for the next news of a place in the queue; there is none once it is gone.
func nextStatus(q *client.Queue) tea.Cmd {
	updates := q.Status()
	if updates == nil {
		return nil
	}
	return func() tea.Msg {
		status, open := <-updates
		return seekStatusMsg{q, status, open}
	}
}

// beginWaiting begins to wait for an opponent.
func (r *Root) beginWaiting(q *client.Queue) tea.Cmd {
	r.env.queue, r.env.seeking = q, nil
	return batch(nextStatus(q), r.show(newWaiting(r.env)))
}

// enterWaiting shows the place in the queue, or asks for one.
func (r *Root) enterWaiting() tea.Cmd {
	if r.env.queue.IsWaiting() {
		return r.show(newWaiting(r.env))
	}
	return r.seekFor(r.env.choices.accepts)
}

// seekFor waits for an opponent for some terms: as soon as a place that the player has had is given up and gone.
func (r *Root) seekFor(accepts []match.Terms) tea.Cmd {
	drop := r.dropQueue()
	if r.env.seeking != nil {
		return drop
	}
	r.env.seeking = accepts
	if r.env.queue.IsLeaving() {
		return drop
	}
	return batch(drop, r.env.commands.seek(r.env.player, accepts))
}

// dropQueue cancels the ticket, which may take a moment. Its status says when it has ended.
func (r *Root) dropQueue() tea.Cmd {
	if !r.env.queue.IsWaiting() {
		return nil
	}
	ask := r.env.queue.Leave()
	return func() tea.Msg {
		ask()
		return nil
	}
}

// onSeekStatus takes in how a place in the queue stands. An opponent may be found even after it was given up, if that
// came too late.
func (r *Root) onSeekStatus(msg seekStatusMsg) tea.Cmd {
	wasLeaving := msg.queue.IsLeaving()
	switch state := msg.queue.Take(msg.status, msg.open); {
	case !msg.queue.IsOver():
		return nextStatus(msg.queue)
	case state == client.QueueFound:
		return r.opponentFound(msg.status.Match, wasLeaving)
	case wasLeaving:
		return r.queueLeft()
	case state == client.QueueMoved:
		return r.queueLost("You are waiting in another window now.")
	default:
		return r.queueLost("The queue is closed: the server is stopping.")
	}
}

// opponentFound goes to the match, or calls the player over to it. A player who has given the place up and asked for
// another one needs none any more.
func (r *Root) opponentFound(id match.ID, wasLeaving bool) tea.Cmd {
	if wasLeaving {
		r.env.seeking = nil
	}
	r.ring()
	if _, here := r.screen.(*waitingScreen); here {
		return r.goTo(id)
	}
	return r.alertFound(id)
}

// queueLost shows that the ticket in the queue is lost, and why.
func (r *Root) queueLost(why string) tea.Cmd {
	if _, here := r.screen.(*waitingScreen); here {
		return r.enterLobby(why)
	}
	return nil
}

// queueLeft asks for the next place if the player wants one.
func (r *Root) queueLeft() tea.Cmd {
	if r.env.seeking == nil {
		return nil
	}
	return r.env.commands.seek(r.env.player, r.env.seeking)
}
