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

// errTwoTables is returned for a third match. A session keeps two of the player's matches open at most.
var errTwoTables = errors.New("two matches are open here")

// tables holds the matches that are open in this session, and prints what happens there. Matches that the player
// leaves are polled by elsewhere. The idle time restarts when the player's turn comes.
type tables struct {
	player    *player
	out       *printer
	queue     *queue
	elsewhere *elsewhere
	idle      *idle.Rule

	current     table    // where the player is
	background  table    // a second match of the player's, kept open
	ended       table    // the last match that ended in this session
	leftLast    table    // the match that the player left last by the command leave, for its resume code
	foundMatch  match.ID // found by the queue, not entered yet
	refusalText string   // printed if the player answers no, "" without an open question
	warned      warnedMove
	wantsHint   bool // the player waits for the first part of a hint
}

// warnedMove identifies the turn of the last warning by warnOfLimit.
type warnedMove struct {
	match match.ID
	turn  int
}

// goTo enters a match of the player's own. goTo keeps an unfinished match of the player open in the background, and
// closes a watched match.
func (t *tables) goTo(id match.ID) error {
	switch {
	case t.current.IsSeated() && t.current.ID == id && !t.current.IsGone():
		t.out.printLine("You are at that table.", t.status())
		return nil
	case !t.background.isNone() && t.background.ID == id:
		t.switchTables()
		return nil
	case t.current.IsUnfinished() && !t.background.isNone():
		return errTwoTables
	}
	return t.open(t.player.client.Sit, id)
}

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

func (t *tables) switchTables() {
	at := t.background
	t.background = table{}
	t.moveTo(at)
}

// moveTo makes at the current table and describes it. For a spectator, moveTo prints a finished match move by move.
func (t *tables) moveTo(at table) {
	if t.current.IsUnfinished() {
		t.background = t.current
	} else {
		t.current.Close()
	}
	if t.current, t.refusalText, t.wantsHint = at, "", false; t.foundMatch == at.ID {
		t.foundMatch = ""
	}
	if at.IsSeated() || !at.HasStarted() || !at.IsOver() {
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

// now returns the time of Manager.Now. Deadlines of matches use that clock, and timers use time.Now.
func (t *tables) now() time.Time { return t.player.manager.Now() }

// watch opens a match, by default the busiest one, or a demonstration. A match of the player's own is entered instead.
func (t *tables) watch(id match.ID) error {
	if id == "" {
		id = t.player.client.BusiestMatch()
	}
	if id == "" {
		return t.open(t.player.client.Watch, id)
	}
	if slices.Contains(t.player.matchIDs(), id) {
		return t.goTo(id)
	}
	return t.open(t.player.client.Spectate, id)
}

// opponentFound enters the match that the queue has found. A busy player is only told about the match.
func (t *tables) opponentFound(id match.ID) {
	if t.busyText() == "" {
		t.out.printLine("Opponent found.")
		t.out.report(t.goTo(id))
		return
	}
	t.foundMatch = id
	t.elsewhere.startPolling(t.isOpen)
	about := "a match that is over"
	for _, o := range t.player.ownMatches() {
		if o.ID == id {
			about = t.player.aboutOwn(o)
		}
	}
	t.out.printLine("Opponent found: "+about+".", "Type go to play there; this table is kept.")
}

// goCommand goes to a match by its number. Without a number, goCommand takes the first of these:
//   - the match that the queue has found
//   - the match in the background
//   - the most urgent match in the order of client.ByUrgency
func (t *tables) goCommand(words []string) {
	mine := t.player.matchIDs()
	if len(words) > 0 {
		if i, ok := parseIndex(words[0], len(mine)); ok {
			t.out.report(t.goTo(mine[i]))
		} else {
			t.out.printLine("You have no match with that number: type mine to hear your matches.")
		}
		return
	}
	notHere := slices.DeleteFunc(t.player.ownMatches(), t.isCurrent)
	switch {
	case t.foundMatch != "":
		id := t.foundMatch
		t.foundMatch = ""
		t.out.report(t.goTo(id))
	case !t.background.isNone():
		t.switchTables()
	case len(notHere) > 0:
		t.out.report(t.goTo(slices.MinFunc(notHere, client.ByUrgency).ID))
	default:
		t.out.printLine("You have no other match to go to.")
	}
}

// goToNext goes to a match that waits for the player's move. In the order of client.ByUrgency it is the match after
// the current one, or the first. A match with time for an absence is left, because only two matches can be open.
func (t *tables) goToNext() {
	waiting := t.player.client.WaitingMatches(t.player.ID)
	here := slices.IndexFunc(waiting, t.isCurrent)
	if len(waiting) == 0 || len(waiting) == 1 && here == 0 {
		t.out.printLine("No other match waits for your move.")
		return
	}
	id := waiting[(here+1)%len(waiting)].ID
	canWait := func(at table) bool {
		return at.IsPlaying() && at.ID != id && wording.KeptText(at.State, at.Side) != ""
	}
	if canWait(t.background) {
		t.background.Close()
		t.background = table{}
	}
	if canWait(t.current) {
		t.leftLast = t.current
		t.leaveTable()
	}
	t.out.report(t.goTo(id))
}

// nextText says how to go on to further matches that wait for the player, or "".
func (t *tables) nextText() string {
	others := slices.DeleteFunc(t.player.client.WaitingMatches(t.player.ID), t.isCurrent)
	switch len(others) {
	case 0:
		return ""
	case 1:
		return "Type next for your other match."
	default:
		return "Type next for your " + strconv.Itoa(len(others)) + " other matches."
	}
}

func (t *tables) isCurrent(o client.OwnMatch) bool {
	return !t.current.isNone() && t.current.ID == o.ID
}

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

// leave steps away from the current table. For a table without an opponent it asks first, because its code stops
// working.
func (t *tables) leave() {
	at := t.current
	switch {
	case at.IsInviting():
		t.askToGiveUp("Close this table? Its code will stop working.", "Your table is kept.")
	case at.IsPlaying():
		way := ": type " + t.player.wayTo(at.ID) + " to come back."
		kept := wording.KeptText(at.State, at.Side)
		if kept != "" {
			kept += way
		} else {
			within := t.player.manager.TimeLimits().ReturnLimit(at.State, at.Side)
			kept = "Your seat is kept" + way + " When it is your turn you have " + seconds(within) + " to do so" +
				wording.LostByAbsence(at.State, at.Side) + "."
		}
		t.out.printLine("You have left the table.", kept, at.resumeHint())
		t.leftLast = at
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

func (t *tables) leaveTable() {
	t.current.Close()
	t.current, t.refusalText = table{}, ""
	t.elsewhere.startPolling(t.isOpen)
}

// currentOrEnded returns the match to look back at. Without a current one it is the last that ended in this session.
func (t *tables) currentOrEnded() table {
	if !t.current.isNone() {
		return t.current
	}
	return t.ended
}

func (t *tables) isOpen(id match.ID) bool {
	return t.current.IsUnfinished() && t.current.ID == id || t.background.IsUnfinished() && t.background.ID == id
}

// busyText explains why the player cannot begin another match now, "" for a player free to begin one.
func (t *tables) busyText() string {
	switch {
	case t.current.IsInviting():
		return "Your private table waits for an opponent. Type leave to close it first."
	case t.current.IsPlaying():
		return "You are in a match. First type resign to lose it, or leave to step away from it."
	default:
		return ""
	}
}

func (t *tables) situation() situations {
	switch at := t.current; {
	case at.IsPlaying():
		return atMatch
	case at.IsInviting():
		return atInvitation
	case !at.isNone() && at.IsOver():
		return atEnd
	case !at.isNone():
		return watching
	case t.queue.IsWaiting():
		return inQueue
	default:
		return inLobby
	}
}

func (t *tables) status() string {
	at, now := t.current, t.now()
	switch t.situation() {
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

func (t *tables) lobbySteps() string {
	if !t.background.isNone() {
		return "You have another match in progress: type go to go there."
	}
	return "Type play, computer, private, join or watch, or help."
}

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

func (t *tables) onSnapshot(at table, before *match.Snapshot) {
	t.out.tellCannotSave(at.CutOff)
	if at.IsMyTurn() && before.Turn() != at.Side {
		t.idle.Activity()
	}
	hasEnded := at.IsOver() && !before.IsOver()
	if hasEnded && !at.IsDemonstration() {
		t.ended = at
	}
	if hasEnded && at.IsSeated() {
		defer t.queue.askToKeep() // the question comes after the result
	}
	if at == t.background {
		t.onBackground(at, before)
		return
	}
	if at.HasStarted() && !before.HasStarted() {
		t.refusalText = "" // yes to closing the table must not resign the match
	}
	shown := at.changes(before, t.now())
	if comment, ok := at.Comment(); ok {
		shown = append(shown, wording.Review(comment))
	}
	if hasEnded {
		shown = append(shown, t.ratingText(at), at.nextSteps(t.now()))
	}
	if hasEnded && at.IsSeated() || at.Clock.IsCorrespondence() && at.IsTheirTurn() && before.Turn() == at.Side {
		shown = append(shown, t.nextText())
	}
	t.out.printLine(shown...)
	switch {
	case at.Closed:
		t.leaveTable()
	case t.wantsHint && at.Hinted:
		t.sayHint()
	case before.Next == "" && at.Next != "" && at.IsSeated():
		t.out.report(t.goTo(at.Next))
	}
}

// onBackground tells the player's turn, the opponent's arrival, a request and the end of the match in the background.
func (t *tables) onBackground(at table, before *match.Snapshot) {
	turned := at.IsMyTurn() && len(at.Moves) > len(before.Moves)
	came := at.HasStarted() && !before.HasStarted()
	asked := at.RequestTo(at.Side) != 0 && before.RequestTo(at.Side) == 0
	if !turned && !came && !asked && !at.IsOver() {
		return
	}
	rating, way := "", "Type go to go there."
	if at.IsOver() {
		at.Close()
		t.background, rating, way = table{}, t.ratingText(at), ""
	}
	t.out.printLine("At your other table:", join(at.changes(before, t.now())...), rating, way)
}

// onTableClosed handles a closed table. A match that is over stays current, for a review.
func (t *tables) onTableClosed(at table) {
	switch {
	case at == t.background:
		t.background = table{}
	case at.IsDemonstration():
		t.out.report(t.watch(""))
	case at.IsOver():
		t.out.printLine("The table has been closed.")
	default:
		t.out.printLine("The table has closed. The match is kept: type mine to hear your matches.")
		t.current, t.refusalText = table{}, ""
	}
	at.Close()
}

// ratedPair returns the rated pair that has ended at a table, and the player's standing after it. The values are
// zero if no pair has ended there, or the history cannot be read.
func (t *tables) ratedPair(at table) (history.RatedPair, history.Standing) {
	ctx, cancel := t.player.callContext()
	defer cancel()
	pair, standing, _ := t.player.client.RatedPair(ctx, t.player.history, at.State, t.player.ID)
	return pair, standing
}

func (t *tables) ratingText(at table) string {
	pair, standing := t.ratedPair(at)
	if pair.Match == "" {
		return ""
	}
	return "Your rating: " + spoken(wording.RatedPairLine(pair, standing)) + "."
}

// lastMinute is the time left for a move when the player is warned.
const lastMinute = time.Minute

// warnAt returns the time to warn the player of the move's limit, by the clock of time.Now, or zero for no warning. The
// parameter now is the time of Manager.Now.
func (t *tables) warnAt(now time.Time) time.Time {
	at := t.current
	if !at.IsUnfinished() || !at.IsMyTurn() || at.MoveBy.IsZero() || t.warned == (warnedMove{at.ID, at.TurnNumber()}) {
		return time.Time{}
	}
	return time.Now().Add(at.MoveBy.Sub(now) - lastMinute)
}

// warnOfLimit warns the player of the move's limit, once a move.
func (t *tables) warnOfLimit() {
	at, now := t.current, t.now()
	if due := t.warnAt(now); due.IsZero() || due.After(time.Now()) {
		return
	}
	t.warned = warnedMove{at.ID, at.TurnNumber()}
	t.out.printLine(at.limitText(now))
}

// keptText tells what becomes of the player's matches after the session.
func (t *tables) keptText() string {
	limits, own := t.player.manager.TimeLimits(), t.player.matchIDs()
	within, lost := limits.Grace, ""
	if at := t.current; !at.isNone() && slices.Equal(own, []match.ID{at.ID}) {
		within, lost = limits.ReturnLimit(at.State, at.Side), wording.LostByAbsence(at.State, at.Side)
	}
	grace := seconds(within)
	begun := t.player.manager.Summaries(own)
	hasClock, canWait := false, len(begun) == len(own)
	for _, m := range begun {
		isOfComputer := m.Players[0].IsComputer() || m.Players[1].IsComputer()
		hasClock, canWait = hasClock || !m.Clock.IsNone(), canWait && (isOfComputer || m.Clock.IsCorrespondence())
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
	case n == 1 && canWait && !hasClock:
		return "Your match is kept for " + retained + "."
	case canWait && !hasClock:
		return "Your matches are kept for " + retained + "."
	case n == 1 && canWait:
		return "Your match continues, and its clock runs."
	case canWait:
		return "Your matches continue, and their clocks run."
	case n == 1:
		return "Your seat is kept. On your turn you have " + grace + " to come back" + lost + "."
	default:
		return "Your " + wording.Count(n, "", "matches") +
			" are in progress, and your seats are kept: when it is your turn you have " + grace + " to come back."
	}
}

// waysBack reminds a guest of the codes that lead back to matches in progress.
func (t *tables) waysBack() string {
	own := t.player.matchIDs()
	var ways []string
	for _, at := range [...]table{t.current, t.background, t.leftLast} {
		if !at.isNone() && slices.Contains(own, at.ID) {
			ways = append(ways, at.resumeHint())
		}
	}
	return strings.Join(slices.Compact(ways), " ")
}
