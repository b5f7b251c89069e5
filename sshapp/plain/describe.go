package plain

import (
	"slices"
	"strings"
	"time"

	"notakto/match"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/client"
	"notakto/sshapp/wording"
)

// describeTable describes a table to a player who has just come to it. A match that is over is printed move by move for
// a spectator.
func (s *session) describeTable(at table) {
	if at.IsSeated() || !at.Started() || !at.Over() {
		s.printLine(at.description(s.cfg.Host, s.cfg.Manager.Now())...)
		return
	}
	s.printLine("This match is over.", at.gameTitle(), "This is how it went.")
	if at.Pool.IsRated() {
		s.printLine(at.startText())
	}
	for _, move := range at.played(0) {
		s.printLine(move)
	}
	s.printLine(at.ending(), at.nextSteps(s.cfg.Manager.Now()))
}

func (at table) description(host string, now time.Time) []string {
	switch {
	case at.Closed:
		return []string{"The table has been closed."}
	case at.IsInviting():
		return at.invitation(host)
	case at.Over():
		return []string{at.gameTitle(), "The match is over.", at.ending(), at.nextSteps(now)}
	case !at.IsSeated():
		return []string{
			"You are watching.", at.gameTitle(), at.opening(), at.progress(), at.turnText(), at.clocks(now), at.absence(now),
		}
	default:
		return []string{
			at.gameTitle(), at.orderText(), at.opening(), at.progress(), at.turnText(), at.clocks(now), at.opponentLimit(now),
			at.absence(now), at.resumeHint(),
		}
	}
}

// gameTitle is what is played, and the opponent.
func (at table) gameTitle() string {
	title := wording.Capital(wording.Played(at.State))
	if !at.IsSeated() {
		return title + at.againstText()
	}
	opponent := at.SeatState(at.Opponent()).Player
	if opponent.IsComputer() {
		return title + ", against the computer, level " + opponent.Level.String() + "."
	}
	return title + ", against " + opponent.Name + "."
}

// againstText is both players, as the end of a sentence.
func (at table) againstText() string {
	return ", " + at.who(rules.First) + " against " + at.who(rules.Second) + "."
}

func (at table) invitation(host string) []string {
	entry := "join " + string(at.Code)
	if command := wording.GameCommand(host, entry); command != "" {
		entry += ", or starts with " + command
	}
	return []string{
		"Your private table, " + wording.Terms(at.Terms) + ".", at.orderText(),
		"The code is " + spellOut(at.Code) + ": your opponent types " + entry + ".",
		"The match begins when someone sits down.", at.resumeHint(),
	}
}

// absence says which other players are away, and for how long that may last; empty if none is.
func (at table) absence(now time.Time) string {
	var away []string
	for _, side := range rules.Sides() {
		if side != at.Side && at.SeatState(side).IsAway() {
			away = append(away, at.awayText(side, now))
		}
	}
	return strings.Join(away, " ")
}

// opening is what stands on the boards at the beginning of a rated game; empty for other matches, and once it goes on.
func (at table) opening() string {
	if !at.Pool.IsRated() || len(at.Moves) > 0 {
		return ""
	}
	return at.startText()
}

// startText is what stood on the boards at the beginning of a rated game.
func (at table) startText() string {
	var boards []string
	for i := range at.Variant.Boards() {
		name := "Board " + rules.BoardName(i)
		if cells := cellsWith(at.Start, i, rules.Cross); len(cells) > 0 {
			boards = append(boards, name+": X at "+andText(cells)+".")
		} else {
			boards = append(boards, name+" is empty.")
		}
	}
	return "The opening: " + strings.Join(boards, " ")
}

// progress is how far the match is; empty at its beginning.
func (at table) progress() string {
	n := len(at.Moves)
	if n == 0 {
		return ""
	}
	moves := wording.Count(n, "move", "moves") + " so far, the last " + at.Variant.FormatMove(at.Moves[n-1]) + " by " +
		at.who(moverOf(n)) + "."
	if at.Position.Alive() == at.Variant.Boards() {
		return moves
	}
	return moves + " " + boardsLeft(at.Position)
}

// moverOf is the side that made a move, counted from 1.
func moverOf(ply int) rules.Side {
	if ply%2 == 1 {
		return rules.First
	}
	return rules.Second
}

// Transcript is a match that is over, a line each: what was played, the players, every
// move with what perfect play says of it, and how it ended.
func Transcript(s match.State) []string {
	at := table{&client.Table{Snapshot: &match.Snapshot{State: &s}}}
	shown := []string{"Match " + string(s.ID) + ": " + wording.Variant(s.Variant) + at.againstText()}
	if s.Pool.IsRated() {
		shown = append(shown, at.startText())
	}
	for _, r := range strategy.Review(s.Start, s.Moves) {
		shown = append(shown, at.reviewText(r))
	}
	return append(shown, at.ending())
}

func (at table) awayText(side rules.Side, now time.Time) string {
	name := at.SeatState(side).Player.Name
	switch {
	case at.Over():
		return name + " has left the table."
	case at.Turn() == side && !at.ForfeitAt.IsZero():
		return name + " is away, and loses the match unless back in " +
			wording.Count(wording.Seconds(at.ForfeitAt.Sub(now)), "second", "seconds") + "."
	default:
		return name + " is away. The seat is kept."
	}
}

// clocks is how much time each player has left; empty without a clock.
func (at table) clocks(now time.Time) string {
	if at.Clock.IsNone() || !at.Started() {
		return ""
	}
	first, second := rules.First, rules.Second
	if at.Side == second {
		first, second = second, first
	}
	return at.timeText(first, now) + " " + at.timeText(second, now)
}

func (at table) timeText(side rules.Side, now time.Time) string {
	left := wording.ClockLeft(at.ClockLeft(side, now)) + "."
	if side == at.Side {
		return "You have " + left
	}
	return at.subject(side) + " has " + left
}

// boardsLeft is which boards are alive.
func boardsLeft(p rules.Position) string {
	var left []string
	for i := range p.Variant().Boards() {
		if !p.Dead(i) {
			left = append(left, rules.BoardName(i))
		}
	}
	switch len(left) {
	case 0:
		return "No board is left."
	case 1:
		return "Board left: " + left[0] + "."
	default:
		return "Boards left: " + listText(left) + "."
	}
}

// boardText is what stands on a board.
func boardText(p rules.Position, board int) string {
	name := "Board " + rules.BoardName(board)
	if p.Variant().IsTicTacToe() {
		name = "The board"
	}
	var shown []string
	for _, mark := range [2]struct {
		mark rules.Mark
		name string
	}{{rules.Nought, "O"}, {rules.Cross, "X"}} {
		if cells := cellsWith(p, board, mark.mark); len(cells) > 0 {
			shown = append(shown, mark.name+" at "+andText(cells))
		}
	}
	free := "free " + strings.Join(cellsWith(p, board, rules.Empty), " ")
	switch {
	case p.Dead(board) && !p.Variant().IsTicTacToe():
		return name + " is dead: three in a row at " + lineText(p, board) + "."
	case p.Dead(board):
		return name + ": " + strings.Join(shown, "; ") + "; three in a row at " + lineText(p, board) + "."
	case len(shown) == 0:
		return name + " is empty."
	case free == "free ":
		return name + ": " + strings.Join(shown, "; ") + "; nothing free."
	default:
		return name + ": " + strings.Join(append(shown, free), "; ") + "."
	}
}

func cellsWith(p rules.Position, board int, mark rules.Mark) []string {
	var cells []string
	for c := range p.Variant().Cells() {
		if p.At(board, c) == mark {
			cells = append(cells, c.String())
		}
	}
	return cells
}

func lineText(p rules.Position, board int) string {
	line := p.Line(board)
	slices.Sort(line)
	cells := make([]string, len(line))
	for i, c := range line {
		cells[i] = c.String()
	}
	return andText(cells)
}

// andText is "1", "1 and 5" or "1, 5 and 9".
func andText(words []string) string {
	if len(words) < 2 {
		return listText(words)
	}
	last := len(words) - 1
	return listText(words[:last]) + " and " + words[last]
}

// changes is what has happened at a table since a snapshot.
func (at table) changes(before *match.Snapshot, now time.Time) []string {
	if before.Seq == at.Seq {
		return nil
	}
	var shown []string
	if at.Started() && !before.Started() {
		shown = append(shown, at.subject(at.Opponent())+" sits down.")
	}
	shown = append(shown, at.played(len(before.Moves))...)
	switch {
	case at.Over() && !before.Over():
		return append(shown, at.ending())
	case at.Turn() != before.Turn() || len(at.Moves) > len(before.Moves):
		shown = append(shown, at.turnText(), at.clocks(now))
	}
	if at.RevealedBy() != before.RevealedBy() {
		shown = append(shown, at.subject(at.RevealedBy())+" showed the deadly cells to both.", at.deadlyText(),
			"Type deadly at any time to hear them.")
	}
	shown = append(shown, at.presenceChanges(before, now)...)
	return append(shown, at.rematchOffers(before))
}

// played are the moves but for the first few, which were printed before: each with the death that it brought.
func (at table) played(shown int) []string {
	var sentences []string
	position := at.Start
	for i, m := range at.Moves {
		side := position.Turn()
		next, err := position.Play(m)
		if err != nil {
			break // no table records such a move
		}
		if i >= shown {
			sentences = append(sentences, join(at.moveText(side, m), deathText(next, int(m.Board))))
		}
		position = next
	}
	return sentences
}

func (at table) moveText(side rules.Side, m rules.Move) string {
	if at.Variant.IsTicTacToe() {
		return at.subject(side) + " at " + m.Cell.String() + "."
	}
	return "Board " + rules.BoardName(int(m.Board)) + ": " + at.who(side) + " at " + m.Cell.String() + "."
}

// deathText says that a board has died with the move that led to a position; empty if it has not.
func deathText(p rules.Position, board int) string {
	if p.Variant().IsTicTacToe() || !p.Dead(board) {
		return ""
	}
	return "Board " + rules.BoardName(board) + " is dead. " + boardsLeft(p)
}

// presenceChanges says which players have come back or gone, and how long that may last from now on when it is their
// turn.
func (at table) presenceChanges(before *match.Snapshot, now time.Time) []string {
	var shown []string
	if at.Next != "" {
		return nil // they go over to the rematch
	}
	for _, side := range [2]rules.Side{rules.First, rules.Second} {
		seatState, was := at.SeatState(side), before.SeatState(side)
		if side == at.Side || seatState.Player.IsComputer() || !was.Taken {
			continue
		}
		came := seatState.Present && !was.Present
		turned := at.Turn() == side && before.Turn() != side
		switch {
		case came:
			shown = append(shown, seatState.Player.Name+" is back.")
		case !seatState.Present && (was.Present || turned && !at.ForfeitAt.IsZero()):
			shown = append(shown, at.awayText(side, now))
		}
	}
	return shown
}

// nextText says that the next match of the same players begins.
func (at table) nextText() string {
	switch {
	case at.IsSeated() && at.AwaitsSecondGame():
		return "The second game begins."
	case at.AwaitsSecondGame():
		return "The second game begins: type rematch to watch."
	case at.IsSeated():
		return "The rematch begins."
	default:
		return "They play again: type rematch to watch."
	}
}

// rematchOffers says who wants a rematch, as far as that is new. When both do, the next thing is the rematch.
func (at table) rematchOffers(before *match.Snapshot) string {
	other := at.Opponent()
	switch {
	case at.Next != "" && before.Next == "":
		return at.nextText()
	case !at.IsSeated() || at.SeatState(other).Player.IsComputer() ||
		at.RematchOffered(at.Side) && at.RematchOffered(other):
		return ""
	case at.RematchOffered(at.Side) && !before.RematchOffered(at.Side):
		return "You want a rematch. Waiting for " + at.who(other) + "."
	case at.RematchOffered(other) && !before.RematchOffered(other):
		return at.subject(other) + " wants a rematch: type rematch to accept."
	default:
		return ""
	}
}

// ending is how the match ended.
func (at table) ending() string {
	if at.Closed {
		return "The table has been closed."
	}
	return join(at.because(), at.headline(), wording.PairResult(at.State, at.Side, at.subject))
}

// nextSteps is what can be done at a table whose match is over.
func (at table) nextSteps(now time.Time) string {
	if next := wording.SecondGame(at.State, now); next != "" {
		return next
	}
	switch {
	case at.Closed:
		return ""
	case at.IsSeated():
		return "Type rematch, review or leave."
	default:
		return "Type review to look back, or leave."
	}
}

// headline is who won.
func (at table) headline() string {
	if at.Outcome.IsVoid() {
		return "The match does not count."
	}
	return wording.Headline(at.State, at.Side, at.subject) + "."
}

// because is how the match ended.
func (at table) because() string { return wording.Reason(at.State, at.subject) }

// onSnapshot takes a snapshot and prints what has changed.
func (s *session) onSnapshot(at table, snapshot *match.Snapshot, open bool) {
	if !open {
		s.onTableClosed(at)
		return
	}
	s.tellCutOff(snapshot.CutOff)
	mine := at.IsMyTurn()
	before := at.Take(snapshot, open)
	if at.IsMyTurn() && !mine {
		s.idle.Activity()
	}
	if snapshot.Over() && !before.Over() {
		s.tables.reviewed = at
	}
	if at == s.tables.background {
		s.onBackgroundSnapshot(at, before)
		return
	}
	shown := at.changes(before, s.cfg.Manager.Now())
	if at.Over() && !before.Over() {
		shown = append(shown, at.nextSteps(s.cfg.Manager.Now()))
	}
	s.printLine(shown...)
	switch {
	case at.Closed:
		s.leaveTable()
	case before.Next == "" && at.Next != "" && at.IsSeated():
		s.report(s.goTo(at.Next))
	}
}

// tellCutOff prints once that nothing can be recorded at this server, and once that this is over.
func (s *session) tellCutOff(is bool) {
	switch {
	case is == s.reported.cutOff:
	case is:
		s.printLine("Nothing can be recorded at this server just now, and what it tells may be old. Wait, or connect again.")
	default:
		s.printLine("This server can record again.")
	}
	s.reported.cutOff = is
}

// onBackgroundSnapshot prints of the match that is kept open only what the player has to know.
func (s *session) onBackgroundSnapshot(at table, before *match.Snapshot) {
	turned := at.IsMyTurn() && len(at.Moves) > len(before.Moves)
	came := at.Started() && !before.Started()
	if !turned && !came && !at.Over() {
		return
	}
	way := "Type go to go over."
	if at.Over() {
		at.Close()
		s.tables.background, way = table{}, ""
	}
	s.printLine("At your other table:", join(at.changes(before, s.cfg.Manager.Now())...), way)
}

// onTableClosed takes in that a table has closed. A match that is over can still be looked back at.
func (s *session) onTableClosed(at table) {
	switch {
	case at == s.tables.background:
		s.tables.background = table{}
	case at.Over():
		s.printLine("The table has been closed.")
	default:
		s.printLine("The table has closed. The match is kept: type mine to hear your matches.")
		s.tables.current, s.asked = table{}, nil
	}
	at.Close()
}

// nameOf is a player's name as it is printed for others.
func nameOf(p match.Player) string {
	if p.IsComputer() {
		return "the computer"
	}
	return p.Name
}

// who is a side in the middle of a sentence.
func (at table) who(side rules.Side) string {
	if side == at.Side && side != rules.Nobody {
		return "you"
	}
	return nameOf(at.SeatState(side).Player)
}

// subject is a side at the beginning of a sentence. Names stay as they are written.
func (at table) subject(side rules.Side) string {
	if who := at.who(side); who == "you" || at.SeatState(side).Player.IsComputer() {
		return wording.Capital(who)
	}
	return at.who(side)
}

// turnText is whose turn it is; empty if the match has not begun or is over.
func (at table) turnText() string {
	switch turn := at.Turn(); {
	case turn == rules.Nobody:
		return ""
	case at.IsMyTurn():
		return "Your turn."
	default:
		return at.subject(turn) + "'s turn."
	}
}

// orderText is who moves first.
func (at table) orderText() string {
	switch at.Side {
	case rules.First:
		return "You move first" + markText(at.Variant, at.Side) + "."
	case rules.Second:
		return "You move second" + markText(at.Variant, at.Side) + "."
	default:
		return at.subject(rules.First) + " moves first."
	}
}

// markText is the mark of a side where there are two, as the end of a sentence.
func markText(v rules.Variant, side rules.Side) string {
	switch {
	case !v.IsTicTacToe():
		return ""
	case side == rules.First:
		return " with O"
	default:
		return " with X"
	}
}

// spellOut is a code letter by letter.
func spellOut(code match.Code) string { return strings.Join(strings.Split(string(code), ""), " ") }

// resumeHint says how a guest comes back to the seat; empty for others.
func (at table) resumeHint() string {
	code := at.SeatState(at.Side).Code
	if code == "" || at.Over() {
		return ""
	}
	return "Your way back: " + spellOut(code) + ", that is join " + string(code) + "."
}

// listText joins words as in speech, with commas.
func listText(words []string) string { return strings.Join(words, ", ") }

// table is a match that the session plays or watches; the zero value is none. Its methods put it into words.
type table struct{ *client.Table }

// isNone reports whether it is no table.
func (at table) isNone() bool { return at.Table == nil }
