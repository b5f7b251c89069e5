package tui

import (
	"slices"
	"strconv"
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

// seek is the player's search for an opponent. It owns the place in the queue and what is asked for next, and touches
// nothing else; [Root.onSeekStatus] goes where its news leads.
type seek struct {
	commands *commands
	queue    *client.Queue // the place, or the last one; nil before the first
	wanted   toSeek        // the place that is asked for, or will be once queue is gone; zero for none
	checkAt  time.Time     // when the last command of scheduleCheck brings its message
}

// placeDue says that it may be time to ask for a sign of life, or to give up the place.
type placeDue struct{ at time.Time }

// seekStatusMsg says how a place in the queue stands now, or that it is gone.
type seekStatusMsg struct {
	queue  *client.Queue
	status lobby.SeekStatus
	open   bool
}

// request gives up the player's place and asks for one with wanted: at once, or when the old one is gone. While another
// request waits, wanted is ignored.
func (s *seek) request(p match.Player, wanted toSeek) tea.Cmd {
	drop := s.drop()
	if s.wanted.accepts != nil {
		return drop
	}
	s.wanted = wanted
	if s.queue.IsLeaving() {
		return drop
	}
	return batch(drop, s.commands.seek(p, wanted))
}

// begin takes the place that was asked for.
func (s *seek) begin(q *client.Queue) tea.Cmd {
	s.queue, s.wanted = q, toSeek{}
	return batch(nextStatus(q), s.scheduleCheck())
}

// scheduleCheck brings a message when the place is to be checked, in place of an earlier one.
func (s *seek) scheduleCheck() tea.Cmd {
	at := s.queue.CheckAt()
	if s.checkAt = at; at.IsZero() {
		return nil
	}
	return s.commands.in(time.Until(at), func() tea.Msg { return placeDue{at} })
}

// ask has the player asked whether the place is still wanted, which has outlived a match.
func (s *seek) ask() tea.Cmd {
	if !s.queue.IsWaiting() {
		return nil
	}
	s.queue.Ask()
	return s.scheduleCheck()
}

// check returns what is due about the place, and the command that brings the next message. A place that ends is left.
func (s *seek) check(msg placeDue) (client.Due, tea.Cmd) {
	if !msg.at.Equal(s.checkAt) {
		return client.NothingDue, nil
	}
	action := s.queue.Check()
	if action == client.LeavingDue {
		return action, s.drop()
	}
	return action, s.scheduleCheck()
}

// questionText asks a player who seems to have forgotten the place; "" if there is nothing to ask.
func (s *seek) questionText(e *env) string {
	keys := e.keys
	switch {
	case s.queue.IsAsked():
		yes, no := keys.yes.Help().Key, keys.leaveQueue.Help().Key
		return e.either("Still want an opponent? "+yes+" keeps your place in the queue, "+no+" gives it up.",
			"Still want an opponent? "+yes+" yes, "+no+" no")
	case s.queue.IsDoubted():
		return e.either("Still there? Press any key to keep your place in the queue.",
			"Still there? Any key keeps your place.")
	default:
		return ""
	}
}

// lapsedText says why the place was given up.
func (s *seek) lapsedText(e *env, wasAsked bool) string {
	if wasAsked {
		return e.either("You left the queue: you did not say that you still want an opponent.",
			"You left the queue: no answer.")
	}
	minutes := strconv.Itoa(int(client.PlaceKeptFor.Minutes()))
	return e.either("You left the queue: no key was pressed for "+minutes+" minutes.",
		"You left the queue: no key for "+minutes+" min.")
}

// drop gives up the place, which may take a moment. Its status says when it is gone.
func (s *seek) drop() tea.Cmd {
	if !s.queue.IsWaiting() {
		return nil
	}
	leave := s.queue.Leave()
	return func() tea.Msg {
		leave()
		return nil
	}
}

// onLeft asks for the next place, once one is gone, if the player wants one.
func (s *seek) onLeft(p match.Player) tea.Cmd {
	if s.wanted.accepts == nil {
		return nil
	}
	return s.commands.seek(p, s.wanted)
}

// nextStatus waits for the next news of a place in the queue. There is none once the place is gone.
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

// waitingScreen shows how the place in the queue stands. It is the one screen whose clock ticks all the time.
type waitingScreen struct {
	env *env
	now time.Time
}

func newWaiting(e *env) *waitingScreen {
	return &waitingScreen{env: e, now: e.commands.now()}
}

func (w *waitingScreen) enter() tea.Cmd { return w.env.commands.tickIn(time.Second, w) }

func (w *waitingScreen) update(msg tea.Msg) (navigation, tea.Cmd) {
	switch msg := msg.(type) {
	case ticked:
		w.now = msg.now
		return nil, w.env.commands.tickIn(time.Second, w)
	case tea.KeyPressMsg:
		keys := w.env.keys
		switch {
		case key.Matches(msg, keys.computer):
			return toComputer{}, nil
		case key.Matches(msg, w.others()):
			return w.toOther(), nil
		case key.Matches(msg, keys.joinWaiting):
			return say{w.env.either("Nobody is waiting whom you can join.", "Nobody you can join is waiting.")}, nil
		case key.Matches(msg, keys.back):
			return stopQueue{}, nil
		}
	}
	return nil, nil
}

// others is the key that joins the player of [waitingScreen.other], while there is one.
func (w *waitingScreen) others() key.Binding {
	others := w.env.keys.joinWaiting
	_, isOther := w.other()
	others.SetEnabled(isOther)
	return others
}

// other returns who can be joined: the player who has waited longest for something else, or else one who did not move
// in time.
func (w *waitingScreen) other() (lobby.Waiter, bool) {
	q := w.env.seek.queue
	if !q.IsWaiting() {
		return lobby.Waiter{}, false
	}
	if len(q.Others) > 0 {
		return q.Others[0], true
	}
	i := slices.IndexFunc(q.Apart, func(other lobby.Waiter) bool { return other.IsLate })
	if i < 0 {
		return lobby.Waiter{}, false
	}
	return q.Apart[i], true
}

// toOther joins that player, and forgives one who did not move in time.
func (w *waitingScreen) toOther() navigation {
	other, _ := w.other()
	if other.IsLate {
		return toSeek{w.env.seek.queue.Accepts, true}
	}
	return toJoin(other)
}

// toJoin joins a player who waits.
func toJoin(other lobby.Waiter) navigation {
	return toSeek{
		match.AcceptedBesides(other.Accepts, match.PreferClock(match.DefaultAccepted())), other.IsLate,
	}
}

// waited is how long it has been.
func (w *waitingScreen) waited() time.Duration {
	if q := w.env.seek.queue; q.IsWaiting() {
		return max(0, w.now.Sub(q.Since))
	}
	return 0
}

func (w *waitingScreen) draw(s *draw.Canvas) {
	s.Page()
	area := s.Header("Waiting for an opponent", w.env.player.Name)
	q := w.env.seek.queue
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
	text := clock(w.waited()) + ". " + waitingText(q.SeekStatus, w.env.commands.now())
	if long := "Waiting " + text; draw.Columns(long) <= width {
		text = long
	}
	y = s.TextCenter(x, width, y, draw.Plain, text) - 1
	if other, isOther := w.other(); isOther {
		what := "play that with "
		if other.IsLate {
			what = "play all the same with "
		}
		what += s.Fit(other.Name, width-draw.Columns(what)-2)
		s.Hint(x+(width-draw.Columns(what)-2)/2, y+1, w.others().Help().Key, what)
	}
	if !isOffered {
		s.TextCenter(x, width, y+gap, draw.Faint, "We start as soon as someone joins. Your terminal beeps.")
		return
	}
	y = s.TextCenter(x, width, y+gap, draw.Notice, "No opponent yet. Play the computer while you wait?")
	s.TextCenter(x, width, y, draw.Plain, "You keep your place, and you are told when someone joins.")
}

// waitingText returns who else waits, and for what, or why that player is no opponent now.
func waitingText(status lobby.SeekStatus, now time.Time) string {
	switch {
	case len(status.Apart) > 0:
		other := status.Apart[0]
		return wording.KeptApart(other.Name, other.IsLate, wording.ClockFace(other.ApartUntil.Sub(now)))
	case len(status.Others) > 0:
		return wording.WaitsFor(status.Others[0].Name, status.Others[0].Accepts) + "."
	case status.Waiting > 1:
		return wording.Count(status.Waiting, "", "are waiting, including you.")
	default:
		return "No one else is waiting."
	}
}

func (w *waitingScreen) notice() (string, draw.Role) {
	if q := w.env.seek.queue; q.IsWaiting() && q.CutOff {
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
