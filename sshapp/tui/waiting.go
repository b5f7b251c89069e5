package tui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/match/lobby"
	"notakto/sshapp/client"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

// waitingScreen shows the place in the queue. No other screen ticks all the time.
type waitingScreen struct {
	page
	now time.Time
}

func newWaiting(e *env) *waitingScreen {
	return &waitingScreen{page: page{e, "Waiting for an opponent"}, now: e.now()}
}

func (w *waitingScreen) enter() tea.Cmd { return w.env.tickIn(time.Second, w) }

func (w *waitingScreen) update(r *Root, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case ticked:
		w.now = msg.now
		return w.env.tickIn(time.Second, w)
	case tea.KeyPressMsg:
		return r.do(w.actions())
	}
	return nil
}

func (w *waitingScreen) actions() []action {
	e, k := w.env, w.env.keys
	join := action{key: &k.joinWaiting, do: w.join}
	if _, isOther := w.other(); isOther {
		join.short, join.long = "join", "join"
	}
	return []action{
		{key: &k.computer, short: "play the computer", long: e.either("play the computer", "computer"), do: toComputer},
		join,
		{key: &k.back, short: e.either("stop waiting", "stop"), long: "stop waiting", do: func(r *Root) tea.Cmd {
			return batch(e.seek.drop(), r.enterLobby(""))
		}},
	}
}

func (w *waitingScreen) join(r *Root) tea.Cmd {
	switch other, isOther := w.other(); {
	case !isOther:
		return r.say(w.env.either("Nobody is waiting whom you can join.", "Nobody you can join is waiting."))
	case other.IsLate:
		return r.seek(seekRequest{w.env.seek.queue.Accepts, true})
	default:
		return r.seek(joining(other))
	}
}

// other returns the player who can be joined: the one who has waited longest for other terms, else one who was late
// with a move before.
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

func joining(other lobby.Waiter) seekRequest {
	return seekRequest{
		match.AcceptedBesides(other.Accepts, match.PreferClock(match.DefaultAccepted())), other.IsLate,
	}
}

func (w *waitingScreen) waited() time.Duration {
	if q := w.env.seek.queue; q.IsWaiting() {
		return max(0, w.now.Sub(q.Since))
	}
	return 0
}

func (w *waitingScreen) draw(s *draw.Canvas) {
	area := w.header(s)
	q := w.env.seek.queue
	if !q.IsWaiting() {
		return
	}
	isOffered := w.waited() >= client.OfferComputerAfter
	rows := s.Pick(6, 7, 7)
	if isOffered {
		rows = s.Pick(9, 7, 7)
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
	seconds := int(w.waited() / time.Second)
	text := fmt.Sprintf("%d:%02d. ", seconds/60, seconds%60) + waitingText(q.SeekStatus, w.env.now())
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
		s.Hint(x+(width-draw.Columns(what)-2)/2, y+1, w.env.keys.joinWaiting.Help().Key, what)
	}
	if !isOffered {
		s.TextCenter(x, width, y+gap, draw.Faint, "We start as soon as someone joins. Your terminal beeps.")
		return
	}
	y = s.TextCenter(x, width, y+gap, draw.Notice, "No opponent yet. Play the computer while you wait?")
	s.TextCenter(x, width, y, draw.Plain, "You keep your place, and you are told when someone joins.")
}

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
