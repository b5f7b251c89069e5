package plain

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"notakto/match"
	"notakto/match/history"
	"notakto/match/store"
	"notakto/sshapp/client"
	"notakto/sshapp/idle"
	"notakto/sshapp/wording"
)

var (
	// errTwoTables says that the player has as many matches open in this session as it can tell apart.
	errTwoTables = errors.New("two matches are open here")
	// errNoMatchToWatch says that there is nothing to watch.
	errNoMatchToWatch = errors.New("no match is in progress")
)

// tables holds the matches that the player plays and watches here. It owns the tables that are open in this session,
// what was asked at the current one and what is known of the last ones, and prints what comes from them. It reads the
// place in the queue, has elsewhere look at the matches that are left, and begins the idle time anew when the player's
// turn comes.
type tables struct {
	player    *player
	out       *printer
	queue     *queue
	elsewhere *elsewhere
	history   *store.History // nil where there is none
	idle      *idle.Rule

	current    table    // that the player is at
	background table    // of a match that is kept open
	reviewed   table    // of the last match that ended here
	left       table    // that the player stepped away from last
	found      match.ID // a match that waits for the player to come over
	onNo       string   // printed unless the player gives the current table up; empty if that was not asked
	warned     warned
}

// warned is the move of which it was said that the time for it is short.
type warned struct {
	match match.ID
	ply   int
}

// goTo sits down in a match of the player's own. A match that is on where the player is now stays open.
func (t *tables) goTo(id match.ID) error {
	switch {
	case t.current.IsSeated() && t.current.ID == id && !t.current.IsGone():
		t.out.printLine("You are at that table.", t.status())
		return nil
	case !t.background.isNone() && t.background.ID == id:
		t.switchTables()
		return nil
	case t.current.IsNeeded() && !t.background.isNone():
		return errTwoTables
	}
	ctx, cancel := t.player.callContext()
	defer cancel()
	at, err := t.player.client.Sit(ctx, id, t.player.ID)
	if err != nil {
		return err
	}
	t.moveTo(table{at})
	return nil
}

// switchTables goes to the match that was kept open.
func (t *tables) switchTables() {
	at := t.background
	t.background = table{}
	t.moveTo(at)
}

// moveTo makes a table the one that the player is at.
func (t *tables) moveTo(at table) {
	if t.current.IsNeeded() {
		t.background = t.current
	} else {
		t.current.Close()
	}
	if t.current, t.onNo = at, ""; t.found == at.ID {
		t.found = ""
	}
	t.describe(at)
}

// watch watches the match named, or the busiest one.
func (t *tables) watch(id match.ID) error {
	if id == "" {
		list := t.player.manager.List()
		if len(list) == 0 {
			return errNoMatchToWatch
		}
		id = list[0].ID
	}
	if slices.Contains(t.player.matches(), id) {
		return t.goTo(id)
	}
	ctx, cancel := t.player.callContext()
	defer cancel()
	at, err := t.player.client.Watch(ctx, id, t.player.ID)
	if err != nil {
		return err
	}
	t.moveTo(table{at})
	return nil
}

// opponentFound goes to the match, or says that it waits if the player is in another.
func (t *tables) opponentFound(id match.ID) {
	if t.current.IsPlaying() || t.current.IsInviting() {
		t.found = id
		t.elsewhere.startPolling(t.isOpen)
		t.out.printLine("An opponent has come: "+t.player.aboutMatch(id)+".",
			"Type go to sit down there; this table is kept.")
		return
	}
	t.out.printLine("An opponent has come.")
	t.out.report(t.goTo(id))
}

// goCommand goes to the match that waits, to the one that is kept open, to the one that is lost first by staying away,
// or to the oldest of the player's own.
func (t *tables) goCommand(words []string) {
	mine := t.player.matches()
	if len(words) > 0 {
		if i, ok := number(words[0], len(mine)); ok {
			t.out.report(t.goTo(mine[i]))
		} else {
			t.out.printLine("You have no match with that number: type mine to hear your matches.")
		}
		return
	}
	elsewhere := slices.DeleteFunc(t.player.ownMatches(), func(o client.OwnMatch) bool {
		return !t.current.isNone() && o.ID == t.current.ID
	})
	switch {
	case t.found != "":
		id := t.found
		t.found = ""
		t.out.report(t.goTo(id))
	case !t.background.isNone():
		t.switchTables()
	case len(elsewhere) > 0:
		t.out.report(t.goTo(mostUrgent(elsewhere)))
	default:
		t.out.printLine("You have no other match to go to.")
	}
}

// mostUrgent is the match that is lost first by staying away, or the first of all if no time runs.
func mostUrgent(own []client.OwnMatch) match.ID {
	urgent := own[0]
	for _, o := range own[1:] {
		if at := o.LostAt(); !at.IsZero() && (urgent.LostAt().IsZero() || at.Before(urgent.LostAt())) {
			urgent = o
		}
	}
	return urgent.ID
}

// mineCommand lists the player's own matches.
func (t *tables) mineCommand(_ []string) {
	own := t.player.ownMatches()
	if len(own) == 0 {
		t.out.printLine("You have no match in progress.")
		return
	}
	for i, o := range own {
		text := strconv.Itoa(i+1) + ": " + t.player.aboutOwn(o)
		if !o.LostAt().IsZero() {
			text += ", " + timeLeft(o.Summary, t.player.manager.Now()) + " left to go there"
		}
		if !t.current.isNone() && t.current.ID == o.ID {
			text += ", where you are"
		}
		t.out.printLine(text + ".")
	}
	t.out.printLine("Type go and a number to go there.")
}

// leave steps away from the current table; it closes one without an opponent, after asking.
func (t *tables) leave() {
	switch at := t.current; {
	case at.IsInviting():
		t.ask("Close this table? Its code will stop working.", "Your table is kept.")
	case at.IsPlaying():
		t.out.printLine("You have left the table.", t.keptText(at), at.resumeHint())
		t.left = at
		t.leaveTable()
	default:
		t.leaveTable()
		next := t.lobbySteps()
		if t.queue.IsWaiting() {
			next = t.status()
		}
		t.out.printLine("You have left the table.", next)
	}
}

// leaveTable leaves the table for the lobby.
func (t *tables) leaveTable() {
	t.current.Close()
	t.current, t.onNo = table{}, ""
	t.elsewhere.startPolling(t.isOpen)
}

// keptText says what becomes of a match that is left.
func (t *tables) keptText(at table) string {
	if kept := wording.Kept(at.State, at.Side); kept != "" {
		return kept + ": type " + t.player.wayTo(at.ID) + " to come back."
	}
	return "Your seat is kept: type " + t.player.wayTo(at.ID) +
		" to come back. When it is your turn you have " +
		wording.Count(wording.Seconds(t.player.manager.TimeLimits().ToReturn(at.State, at.Side)), "second", "seconds") +
		" to do so" + wording.LostByAbsence(at.State, at.Side) + "."
}

// last is the table that the player is at, or else the last one at which a match has ended.
func (t *tables) last() table {
	if !t.current.isNone() {
		return t.current
	}
	return t.reviewed
}

// isOpen reports whether a match is open in this session.
func (t *tables) isOpen(id match.ID) bool {
	return t.current.IsNeeded() && t.current.ID == id ||
		t.background.IsNeeded() && t.background.ID == id
}

// busy says why the player cannot begin something else here; empty if there is no reason.
func (t *tables) busy() string {
	switch {
	case t.current.IsInviting():
		return "Your private table waits for an opponent. Type leave to close it first."
	case t.current.IsPlaying():
		return "You are in a match. Type resign to give it up, or leave to step away from it, first."
	default:
		return ""
	}
}

// place is where the player is.
func (t *tables) place() place {
	switch at := t.current; {
	case at.IsPlaying():
		return atMatch
	case at.IsInviting():
		return atInvitation
	case !at.isNone() && at.Over():
		return atEnd
	case !at.isNone():
		return watching
	case t.queue.IsWaiting():
		return inQueue
	default:
		return inLobby
	}
}

// status is how things stand where the player is.
func (t *tables) status() string {
	at := t.current
	switch {
	case at.isNone() && t.queue.IsWaiting():
		return "Waiting for an opponent, for " + wording.Accepts(t.queue.Accepts) + ". Type leave to stop waiting."
	case at.isNone():
		return join("You are at no table.", t.lobbySteps())
	case at.IsInviting():
		return "Waiting for your opponent. The code is " + spellOut(at.Code) + "."
	case at.Over():
		return join(at.ending(), t.ratingText(at), at.nextSteps(t.player.manager.Now()), t.queue.reminder())
	default:
		mark := ""
		if at.IsSeated() && at.Variant.IsTicTacToe() {
			mark = "You play" + markText(at.Variant, at.Side) + "."
		}
		now := t.player.manager.Now()
		return join(at.progress(), at.turnText(), mark, at.limitText(now), at.absence(now), t.queue.reminder())
	}
}

// lobbySteps is what can be done at no table.
func (t *tables) lobbySteps() string {
	if !t.background.isNone() {
		return "Another match of yours goes on: type go to go there."
	}
	return "Type play, computer, private, join or watch, or help."
}

// onSnapshot takes a snapshot and prints what has changed.
func (t *tables) onSnapshot(at table, snapshot *match.Snapshot, open bool) {
	if !open {
		t.onTableClosed(at)
		return
	}
	t.out.tellCutOff(snapshot.CutOff)
	mine := at.IsMyTurn()
	before := at.Take(snapshot, open)
	if at.IsMyTurn() && !mine {
		t.idle.Activity()
	}
	hasEnded := snapshot.Over() && !before.Over()
	if hasEnded {
		t.reviewed = at
	}
	if hasEnded && at.IsSeated() {
		defer t.queue.ask() // after how it ended
	}
	if at == t.background {
		t.onBackgroundSnapshot(at, before)
		return
	}
	shown := at.changes(before, t.player.manager.Now())
	if at.Over() && !before.Over() {
		shown = append(shown, t.ratingText(at), at.nextSteps(t.player.manager.Now()))
	}
	t.out.printLine(shown...)
	switch {
	case at.Closed:
		t.leaveTable()
	case before.Next == "" && at.Next != "" && at.IsSeated():
		t.out.report(t.goTo(at.Next))
	}
}

// onBackgroundSnapshot prints of the match that is kept open only what the player has to know.
func (t *tables) onBackgroundSnapshot(at table, before *match.Snapshot) {
	turned := at.IsMyTurn() && len(at.Moves) > len(before.Moves)
	came := at.Started() && !before.Started()
	if !turned && !came && !at.Over() {
		return
	}
	way := "Type go to go over."
	if at.Over() {
		at.Close()
		t.background, way = table{}, ""
	}
	rating := ""
	if at.Over() {
		rating = t.ratingText(at)
	}
	t.out.printLine("At your other table:", join(at.changes(before, t.player.manager.Now())...), rating, way)
}

// onTableClosed takes in that a table has closed. A match that is over can still be looked back at.
func (t *tables) onTableClosed(at table) {
	switch {
	case at == t.background:
		t.background = table{}
	case at.Over():
		t.out.printLine("The table has been closed.")
	default:
		t.out.printLine("The table has closed. The match is kept: type mine to hear your matches.")
		t.current, t.onNo = table{}, ""
	}
	at.Close()
}

// describe describes a table to a player who has just come to it. A match that is over is printed move by move for
// a spectator.
func (t *tables) describe(at table) {
	if at.IsSeated() || !at.Started() || !at.Over() {
		t.out.printLine(at.description(t.player.host, t.player.manager.Now())...)
		return
	}
	t.out.printLine("This match is over.", at.gameTitle(), "This is how it went.")
	if at.Pool.IsRated() {
		t.out.printLine(at.startText())
	}
	t.out.printLines(at.played(0))
	t.out.printLine(at.ending(), t.ratingText(at), at.nextSteps(t.player.manager.Now()))
}

// rating returns what the rated pair that has ended at a table changed for the player; zero if it ended none.
func (t *tables) rating(at table) (history.RatedPair, history.Standing) {
	ctx, cancel := t.player.callContext()
	defer cancel()
	pair, standing, _ := t.player.client.RatedPair(ctx, t.history, at.State, t.player.ID)
	return pair, standing
}

// ratingText is rating as a sentence.
func (t *tables) ratingText(at table) string {
	pair, standing := t.rating(at)
	if pair.Match == "" {
		return ""
	}
	return "Your rating: " + wording.RatedPairLine(pair, standing) + "."
}

// lastMinute is how long before the end of the time for a move the player is warned.
const lastMinute = time.Minute

// warnAt returns when the player is to be warned that the time for a move is short, by this process's clock; zero for
// never. now is the journal's.
func (t *tables) warnAt(now time.Time) time.Time {
	at := t.current
	if !at.IsNeeded() || !at.IsMyTurn() || at.MoveBy.IsZero() || t.warned == (warned{at.ID, len(at.Moves) + 1}) {
		return time.Time{}
	}
	return time.Now().Add(at.MoveBy.Sub(now) - lastMinute)
}

// warnOfLimit warns the player once for each move that the time for it is short.
func (t *tables) warnOfLimit() {
	at, now := t.current, t.player.manager.Now()
	if due := t.warnAt(now); due.IsZero() || due.After(time.Now()) {
		return
	}
	t.warned = warned{at.ID, len(at.Moves) + 1}
	t.out.printLine(at.limitText(now))
}

// keptAtEnd says what becomes of the player's matches when the session ends; empty if there are none.
func (t *tables) keptAtEnd() string {
	limits, own := t.player.manager.TimeLimits(), t.player.matches()
	within := limits.Grace
	if at := t.current; !at.isNone() && slices.Equal(own, []match.ID{at.ID}) {
		within = limits.ToReturn(at.State, at.Side)
	}
	grace := wording.Count(wording.Seconds(within), "second", "seconds")
	switch n := len(own); {
	case n == 0:
		return ""
	case n == 1 && t.current.IsInviting():
		return "Your table is kept for " + grace + "."
	case n == 1 && t.player.areAgainstComputer(own):
		return "Your match is kept for " + t.player.retained() + "."
	case t.player.areAgainstComputer(own):
		return "Your matches are kept for " + t.player.retained() + "."
	case t.player.haveClocks(own):
		return "Your matches go on, and so do their clocks."
	case n == 1:
		return "Your match goes on, and your seat is kept: when it is your turn you have " + grace + " to come back."
	default:
		return "Your " + wording.Count(n, "", "matches") +
			" are on, and your seats are kept: when it is your turn you have " + grace + " to come back."
	}
}

// waysBack reminds a guest of the codes that lead back to the matches that are not over; empty for others.
func (t *tables) waysBack() string {
	own := t.player.matches()
	var ways []string
	for _, at := range [3]table{t.current, t.background, t.left} {
		if !at.isNone() && slices.Contains(own, at.ID) {
			ways = append(ways, at.resumeHint())
		}
	}
	return strings.Join(slices.Compact(ways), " ")
}

// keptAtStop says what becomes of the player's matches while the server is away; empty if there are none.
func (t *tables) keptAtStop() string {
	n := len(t.player.matches())
	if n == 1 && t.current.IsInviting() {
		return "Your table is kept, and its code."
	}
	return wording.KeptAtStop(n)
}
