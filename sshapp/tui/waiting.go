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

// waitingScreen shows the place in the queue. waitingScreen ticks every second, to show the time in the queue.
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
	case tickMsg:
		w.now = msg.now
		return w.env.tickIn(time.Second, w)
	case tea.KeyPressMsg:
		return r.runAction(w.actions())
	}
	return nil
}

func (w *waitingScreen) actions() []action {
	e, keys := w.env, w.env.keys
	stop := func(r *Root) tea.Cmd { return batch(e.search.drop(), r.enterLobby("")) }
	join := action{key: &keys.joinWaiting, run: w.join}
	if _, isOther := w.other(); isOther {
		join.short, join.long = "join", "join"
	}
	return []action{
		{key: &keys.computer, short: "play the computer", long: e.either("play the computer", "computer"), run: toComputer},
		join,
		{key: &keys.leaveQueue, run: stop},
		{key: &keys.back, short: e.either("stop waiting", "stop"), long: "stop waiting", run: stop},
	}
}

func (w *waitingScreen) join(r *Root) tea.Cmd {
	switch other, isOther := w.other(); {
	case !isOther:
		return r.say("Nobody you can join is waiting.")
	case other.IsLate:
		return r.seekOpponent(seekRequest{
			w.env.search.queue.Accepts, lobby.Options{Forgives: true, Meets: w.env.search.queue.Meets},
		})
	default:
		return r.seekOpponent(requestToJoin(other))
	}
}

// other returns a waiting player to offer for a match. The first player with different terms goes before a player that
// was late with a move.
func (w *waitingScreen) other() (lobby.Waiter, bool) {
	q := w.env.search.queue
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

func requestToJoin(other lobby.Waiter) seekRequest {
	return seekRequest{
		match.MergeAccepted(other.Accepts, match.PreferClock(match.DefaultAccepted())),
		lobby.Options{Forgives: other.IsLate},
	}
}

func (w *waitingScreen) waited() time.Duration {
	if q := w.env.search.queue; q.IsWaiting() {
		return max(0, w.now.Sub(q.Since))
	}
	return 0
}

func (w *waitingScreen) draw(s *draw.Canvas) {
	area := w.header(s)
	q := w.env.search.queue
	if !q.IsWaiting() {
		return
	}
	x, width, y, gap := area.X, area.Width, 0, 3
	wanted := onlyText(q.Meets) + wording.AcceptsWithClocks(q.Accepts)
	if draw.Columns(wanted) > width {
		wanted = strings.Replace(wanted, ", ", ",\n", 1)
	}
	seconds := int(w.waited() / time.Second)
	text := fmt.Sprintf("%d:%02d. ", seconds/60, seconds%60) + waitingText(q.SeekStatus, w.env.now())
	if long := "Waiting " + text; draw.Columns(long) <= width {
		text = long
	}
	type line struct {
		role draw.Role
		text string
	}
	rows, last := s.Pick(6, 7, 7), []line{{draw.Faint, "We start as soon as someone joins. Your terminal beeps."}}
	if w.waited() >= client.OfferComputerAfter {
		rows, last = s.Pick(9, 7, 7), []line{
			{draw.Notice, "No opponent yet. Play the computer while you wait?"},
			{draw.Plain, "You keep your place, and you are told when someone joins."},
		}
	}
	lines := draw.CountLines(wanted, width) + draw.CountLines(text, width)
	for _, one := range last {
		lines += draw.CountLines(one.text, width)
	}
	rows = min(max(rows, lines+1), area.Height) // with a blank row, or the other player's
	if q.Accepts[0].Variant.IsTicTacToe() {     // no board dies there
		y = area.Middle(rows).Y
	} else {
		var above draw.Rect
		above, y = deathArea(area, rows)
		if !s.IsRoomy() && above.Height > 0 { // to keep the picture away from the header
			above.Y, y, gap = above.Y+1, y+1, gap-1
		}
		drawDeath(s, above)
	}
	bottom := area.Y + area.Height
	if text, _ := w.notice(); text == "" {
		bottom++
	}
	gap = max(2, min(gap, bottom-y-lines+1))
	y = s.TextCenter(x, width, y, draw.Strong, wanted)
	y = s.TextCenter(x, width, y, draw.Plain, text) - 1
	if other, isOther := w.other(); isOther {
		what := "play with "
		if other.IsLate {
			what = "play anyway with "
		}
		what += cutName(s, other.Name, width-draw.Columns(what)-2)
		s.Hint(x+(width-draw.Columns(what)-2)/2, y+1, w.env.keys.joinWaiting.Help().Key, what)
	}
	for y += gap; len(last) > 0; last = last[1:] {
		if y+draw.CountLines(last[0].text, width) > bottom {
			return // the text would run into the keys
		}
		y = s.TextCenter(x, width, y, last[0].role, last[0].text)
	}
}

// onlyText returns "People only. " or "Programs only. ", or "" for a player who wants to meet both.
func onlyText(meets lobby.Meets) string {
	if meets == "" {
		return ""
	}
	return wording.Capital(string(meets)) + " only. "
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
	if q := w.env.search.queue; q.IsWaiting() && q.CutOff {
		return w.env.cutOffText(), draw.Notice
	}
	return "", draw.Plain
}
