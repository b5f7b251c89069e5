package plain

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"notakto/match"
	"notakto/match/history"
	"notakto/sshapp/client"
	"notakto/sshapp/idle"
	"notakto/sshapp/wording"
)

var (
	// errTwoTables says that the player has two matches open in this session, which are the most.
	errTwoTables = errors.New("two matches are open here")
	// errNoMatchToWatch says that there is nothing to watch.
	errNoMatchToWatch = errors.New("no match is in progress")
)

// tables holds the matches that the player plays and watches in this session, and prints what happens there. It passes
// the matches that the player leaves to elsewhere, and restarts the idle time when the player's turn comes.
type tables struct {
	player    *player
	out       *printer
	queue     *queue
	elsewhere *elsewhere
	idle      *idle.Rule

	current    table    // that the player is at
	background table    // of a match that is kept open
	reviewed   table    // of the last match that ended here
	left       table    // that the player stepped away from last
	found      match.ID // a match that waits for the player to come over
	onNo       string   // printed unless the player gives the current table up; empty if that was not asked
	warned     warned
}

// warned names a move for which the player was warned.
type warned struct {
	match match.ID
	ply   int
}

// goTo sits down in a match of the player's own. The match at which the player is now stays open unless it is over.
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
	return t.open(t.player.client.Sit, id)
}

// open sits down at a match or watches it, and makes it the current one.
func (t *tables) open(
	open func(context.Context, match.ID, match.PlayerID) (*client.Table, error), id match.ID,
) error {
	ctx, cancel := t.player.callContext()
	defer cancel()
	at, err := open(ctx, id, t.player.ID)
	if err == nil {
		t.moveTo(table{at})
	}
	return err
}

// switchTables goes to the match that was kept open.
func (t *tables) switchTables() {
	at := t.background
	t.background = table{}
	t.moveTo(at)
}

// moveTo makes a table the one that the player is at, and describes it. A match that is over is printed move by move
// for a spectator.
func (t *tables) moveTo(at table) {
	if t.current.IsNeeded() {
		t.background = t.current
	} else {
		t.current.Close()
	}
	if t.current, t.onNo = at, ""; t.found == at.ID {
		t.found = ""
	}
	if at.IsSeated() || !at.Started() || !at.Over() {
		t.out.printLine(at.description(t.player.host, t.now())...)
		return
	}
	t.out.printLine("This match is over.", at.gameTitle(), "This is how it went.")
	if at.Pool.IsRated() {
		t.out.printLine(at.startText())
	}
	for _, move := range client.Moves(at.State) {
		t.out.printLine(at.moveText(move))
	}
	t.out.printLine(at.ending(), t.ratingText(at), at.nextSteps(t.now()))
}

// now returns the time by the clock of the matches.
func (t *tables) now() time.Time { return t.player.manager.Now() }

// watch watches the match named, or the busiest one if id is empty.
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
	return t.open(t.player.client.Spectate, id)
}

// opponentFound goes to the match, or says that it waits if the player is in another.
func (t *tables) opponentFound(id match.ID) {
	if t.busy() == "" {
		t.out.printLine("An opponent has come.")
		t.out.report(t.goTo(id))
		return
	}
	t.found = id
	t.elsewhere.startPolling(t.isOpen)
	about := "a match that is over"
	for _, o := range t.player.ownMatches() {
		if o.ID == id {
			about = t.player.aboutOwn(o)
		}
	}
	t.out.printLine("An opponent has come: "+about+".", "Type go to sit down there; this table is kept.")
}

// goCommand goes to the match that waits, else to the one that is kept open, else to the one that the player would lose
// first by staying away, else to the player's oldest.
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
	elsewhere := slices.DeleteFunc(t.player.ownMatches(), t.isCurrent)
	switch {
	case t.found != "":
		id := t.found
		t.found = ""
		t.out.report(t.goTo(id))
	case !t.background.isNone():
		t.switchTables()
	case len(elsewhere) > 0:
		urgent := elsewhere[0]
		for _, o := range elsewhere[1:] {
			if at := o.LostAt(); !at.IsZero() && (urgent.LostAt().IsZero() || at.Before(urgent.LostAt())) {
				urgent = o
			}
		}
		t.out.report(t.goTo(urgent.ID))
	default:
		t.out.printLine("You have no other match to go to.")
	}
}

// isCurrent reports whether the player is at a match.
func (t *tables) isCurrent(o client.OwnMatch) bool {
	return !t.current.isNone() && t.current.ID == o.ID
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
			text += ", " + t.player.timeLeft(o) + " left to go there"
		}
		if t.isCurrent(o) {
			text += ", where you are"
		}
		t.out.printLine(text + ".")
	}
	t.out.printLine("Type go and a number to go there.")
}

// leave steps away from the current table. Before it closes a table without an opponent, it asks.
func (t *tables) leave() {
	at := t.current
	switch {
	case at.IsInviting():
		t.ask("Close this table? Its code will stop working.", "Your table is kept.")
	case at.IsPlaying():
		way := ": type " + t.player.wayTo(at.ID) + " to come back."
		kept := wording.Kept(at.State, at.Side)
		if kept != "" {
			kept += way
		} else {
			within := t.player.manager.TimeLimits().ToReturn(at.State, at.Side)
			kept = "Your seat is kept" + way + " When it is your turn you have " + seconds(within) + " to do so" +
				wording.LostByAbsence(at.State, at.Side) + "."
		}
		t.out.printLine("You have left the table.", kept, at.resumeHint())
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

// last returns the table that the player is at, or else the last one at which a match has ended.
func (t *tables) last() table {
	if !t.current.isNone() {
		return t.current
	}
	return t.reviewed
}

// isOpen reports whether a match is open in this session.
func (t *tables) isOpen(id match.ID) bool {
	return t.current.IsNeeded() && t.current.ID == id || t.background.IsNeeded() && t.background.ID == id
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

// place returns where the player is.
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

// status says how things stand where the player is.
func (t *tables) status() string {
	at, now := t.current, t.now()
	switch t.place() {
	case inQueue:
		return "Waiting for an opponent, for " + wording.Accepts(t.queue.Accepts) + ". Type leave to stop waiting."
	case inLobby:
		return join("You are at no table.", t.lobbySteps())
	case atInvitation:
		return "Waiting for your opponent. The code is " + spellOut(at.Code) + "."
	case atEnd:
		return join(at.ending(), t.ratingText(at), at.nextSteps(now), t.queue.reminder())
	default:
		mark := ""
		if at.IsSeated() && at.Variant.IsTicTacToe() {
			mark = "You play" + at.markText() + "."
		}
		return join(at.progress(), at.turnText(), mark, at.limitText(now), at.absence(now), t.queue.reminder())
	}
}

// lobbySteps says what can be done at no table.
func (t *tables) lobbySteps() string {
	if !t.background.isNone() {
		return "Another match of yours goes on: type go to go there."
	}
	return "Type play, computer, private, join or watch, or help."
}

// catchUp takes in what has come from the tables.
func (t *tables) catchUp() {
	for _, at := range [...]table{t.current, t.background} {
		for {
			before, changed := at.Poll()
			if !changed {
				break
			}
			if at.IsGone() {
				t.onTableClosed(at)
			} else {
				t.onSnapshot(at, before)
			}
		}
	}
}

// onSnapshot prints what has changed at a table.
func (t *tables) onSnapshot(at table, before *match.Snapshot) {
	t.out.tellCutOff(at.CutOff)
	if at.IsMyTurn() && before.Turn() != at.Side {
		t.idle.Activity()
	}
	hasEnded := at.Over() && !before.Over()
	if hasEnded {
		t.reviewed = at
	}
	if hasEnded && at.IsSeated() {
		defer t.queue.ask() // after the text that says how the match ended
	}
	shown := at.changes(before, t.now())
	if at == t.background { // print only what the player has to know
		turned := at.IsMyTurn() && len(at.Moves) > len(before.Moves)
		came := at.Started() && !before.Started()
		if !turned && !came && !at.Over() {
			return
		}
		rating, way := "", "Type go to go over."
		if at.Over() {
			at.Close()
			t.background, rating, way = table{}, t.ratingText(at), ""
		}
		t.out.printLine("At your other table:", join(shown...), rating, way)
		return
	}
	if hasEnded {
		shown = append(shown, t.ratingText(at), at.nextSteps(t.now()))
	}
	t.out.printLine(shown...)
	switch {
	case at.Closed:
		t.leaveTable()
	case before.Next == "" && at.Next != "" && at.IsSeated():
		t.out.report(t.goTo(at.Next))
	}
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

// rating returns the rated pair that has ended at a table, and the player's standing after it. It returns zero values
// if no pair has ended there.
func (t *tables) rating(at table) (history.RatedPair, history.Standing) {
	ctx, cancel := t.player.callContext()
	defer cancel()
	pair, standing, _ := t.player.client.RatedPair(ctx, t.player.history, at.State, t.player.ID)
	return pair, standing
}

// ratingText returns the result of rating as a sentence, or "".
func (t *tables) ratingText(at table) string {
	pair, standing := t.rating(at)
	if pair.Match == "" {
		return ""
	}
	return "Your rating: " + wording.RatedPairLine(pair, standing) + "."
}

// lastMinute is the time left for a move at which the player is warned.
const lastMinute = time.Minute

// warnAt returns when the player is to be warned that the time for a move is short, by this process's clock; zero for
// never. now is the journal's time.
func (t *tables) warnAt(now time.Time) time.Time {
	at := t.current
	if !at.IsNeeded() || !at.IsMyTurn() || at.MoveBy.IsZero() || t.warned == (warned{at.ID, len(at.Moves) + 1}) {
		return time.Time{}
	}
	return time.Now().Add(at.MoveBy.Sub(now) - lastMinute)
}

// warnOfLimit warns the player once for each move that the time for it is short.
func (t *tables) warnOfLimit() {
	at, now := t.current, t.now()
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
	grace := seconds(within)
	begun := t.player.manager.Summaries(own)
	hasClock, onlyComputers := false, len(begun) == len(own)
	for _, m := range begun {
		hasClock = hasClock || !m.Clock.IsNone()
		onlyComputers = onlyComputers && (m.Players[0].IsComputer() || m.Players[1].IsComputer())
	}
	retained := "a month"
	if t.player.Guest {
		retained = "a day"
	}
	switch n := len(own); {
	case n == 0:
		return ""
	case n == 1 && t.current.IsInviting():
		return "Your table is kept for " + grace + "."
	case n == 1 && onlyComputers && !hasClock:
		return "Your match is kept for " + retained + "."
	case onlyComputers && !hasClock:
		return "Your matches are kept for " + retained + "."
	case hasClock:
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
	for _, at := range [...]table{t.current, t.background, t.left} {
		if !at.isNone() && slices.Contains(own, at.ID) {
			ways = append(ways, at.resumeHint())
		}
	}
	return strings.Join(slices.Compact(ways), " ")
}
