package plain

import (
	"errors"
	"slices"
	"strings"
	"time"

	"notakto/match"
	"notakto/rules"
	"notakto/sshapp/client"
	"notakto/sshapp/wording"
)

// table is a match that the session plays or watches. Its methods put the match into words. The zero value is no match.
type table struct{ *client.Table }

// isNone reports whether t is no match.
func (t table) isNone() bool { return t.Table == nil }

// description describes a table to a player who has just come to it.
func (t table) description(host string, now time.Time) []string {
	switch {
	case t.Closed:
		return []string{"The table has been closed."}
	case t.IsInviting():
		return t.invitation(host)
	case t.Over():
		return []string{t.gameTitle(), "The match is over.", t.ending(), t.nextSteps(now)}
	case !t.IsSeated():
		return []string{
			"You are watching.", t.gameTitle(), t.opening(), t.progress(), t.turnText(), t.clocks(now), t.absence(now),
		}
	default:
		limit := ""
		if !t.IsMyTurn() && t.MoveBy.Sub(now) <= lastMinute { // if waiting: only a short time
			limit = t.limitText(now)
		}
		return []string{
			t.gameTitle(), t.orderText(), t.opening(), t.progress(), t.turnText(), t.clocks(now), limit, t.absence(now),
			t.resumeHint(),
		}
	}
}

// gameTitle names the game and the opponent.
func (t table) gameTitle() string {
	title := wording.Capital(wording.Played(t.State))
	if !t.IsSeated() {
		return title + t.againstText()
	}
	opponent := t.SeatState(t.Opponent()).Player
	if opponent.IsComputer() {
		return title + ", against the computer, level " + opponent.Level.String() + "."
	}
	return title + ", against " + opponent.Name + "."
}

// againstText names both players, as the end of a sentence.
func (t table) againstText() string {
	return ", " + t.who(rules.First) + " against " + t.who(rules.Second) + "."
}

func (t table) invitation(host string) []string {
	entry := "join " + string(t.Code)
	if command := wording.GameCommand(host, entry); command != "" {
		entry += ", or starts with " + command
	}
	return []string{
		"Your private table, " + wording.Terms(t.Terms) + ".", t.orderText(),
		"The code is " + spellOut(t.Code) + ": your opponent types " + entry + ".",
		"The match begins when someone sits down.", t.resumeHint(),
	}
}

// absence says which other players are away and how long they have left, "" if none is.
func (t table) absence(now time.Time) string {
	var away []string
	for _, side := range rules.Sides() {
		if side != t.Side && t.SeatState(side).IsAway() {
			away = append(away, t.awayText(side, now))
		}
	}
	return strings.Join(away, " ")
}

// opening returns startText before the first move of a rated game, else "".
func (t table) opening() string {
	if !t.Pool.IsRated() || len(t.Moves) > 0 {
		return ""
	}
	return t.startText()
}

// startText says what stood on the boards at the beginning of a rated game.
func (t table) startText() string {
	var boards []string
	for i := range t.Variant.Boards() {
		name := "Board " + rules.BoardName(i)
		if cells := cellsWith(t.Start, i, rules.Cross); len(cells) > 0 {
			boards = append(boards, name+": X at "+andText(cells)+".")
		} else {
			boards = append(boards, name+" is empty.")
		}
	}
	return "The opening: " + strings.Join(boards, " ")
}

// progress says how far the match is; empty at its beginning.
func (t table) progress() string {
	n := len(t.Moves)
	if n == 0 {
		return ""
	}
	moves := wording.Count(n, "move", "moves") + " so far, the last " + t.Variant.FormatMove(t.Moves[n-1]) + " by " +
		t.who(t.Turn().Other()) + "."
	if t.Position.Alive() == t.Variant.Boards() {
		return moves
	}
	return moves + " " + boardsLeft(t.Position)
}

func (t table) awayText(side rules.Side, now time.Time) string {
	name := t.SeatState(side).Player.Name
	switch {
	case t.Over():
		return name + " has left the table."
	case t.Turn() == side && !t.ForfeitAt.IsZero():
		return name + " is away, and loses the match unless back in " +
			seconds(t.ForfeitAt.Sub(now)) + "."
	default:
		return name + " is away. The seat is kept."
	}
}

// clocks says how much time each player has left; empty without a clock.
func (t table) clocks(now time.Time) string {
	if t.Clock.IsNone() || !t.Started() {
		return ""
	}
	first, second := rules.First, rules.Second
	if t.Side == second {
		first, second = second, first
	}
	return t.timeText(first, now) + " " + t.timeText(second, now)
}

func (t table) timeText(side rules.Side, now time.Time) string {
	has := " has "
	if side == t.Side {
		has = " have "
	}
	return t.subject(side) + has + wording.ClockLeft(t.ClockLeft(side, now)) + "."
}

// boardsLeft says which boards are alive.
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

// boardText says what stands on a board.
func boardText(p rules.Position, board int) string {
	isTicTacToe := p.Variant().IsTicTacToe()
	name := "Board " + rules.BoardName(board)
	if isTicTacToe {
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
	if p.Dead(board) {
		line := p.Line(board)
		slices.Sort(line)
		cells := make([]string, len(line))
		for i, c := range line {
			cells[i] = c.String()
		}
		three := "three in a row at " + andText(cells) + "."
		if !isTicTacToe {
			return name + " is dead: " + three
		}
		return name + ": " + strings.Join(shown, "; ") + "; " + three
	}
	free := cellsWith(p, board, rules.Empty)
	switch {
	case len(shown) == 0:
		return name + " is empty."
	case len(free) == 0:
		shown = append(shown, "nothing free")
	default:
		shown = append(shown, "free "+strings.Join(free, " "))
	}
	return name + ": " + strings.Join(shown, "; ") + "."
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

// andText returns "1", "1 and 5" or "1, 5 and 9".
func andText(words []string) string {
	if len(words) < 2 {
		return listText(words)
	}
	last := len(words) - 1
	return listText(words[:last]) + " and " + words[last]
}

// changes says what has happened at a table since a snapshot.
func (t table) changes(before *match.Snapshot, now time.Time) []string {
	if before.Seq == t.Seq {
		return nil
	}
	var shown []string
	var presence [2]string // by side
	if t.Started() && !before.Started() {
		shown = append(shown, t.subject(t.Opponent())+" sits down.")
	}
	for _, c := range client.Changes(before, t.Snapshot, t.Side) {
		switch c.Kind {
		case client.Came:
			presence[c.Side-1] = t.SeatState(c.Side).Player.Name + " is back."
		case client.Moved:
			shown = append(shown, t.moveText(c))
		case client.Went:
			presence[c.Side-1] = t.awayText(c.Side, now)
		case client.Finished:
			return append(shown, t.ending())
		}
	}
	turn := t.Turn()
	if turn != before.Turn() || len(t.Moves) > len(before.Moves) {
		shown = append(shown, t.turnText(), t.clocks(now))
	}
	if t.RevealedBy() != before.RevealedBy() {
		shown = append(shown, t.subject(t.RevealedBy())+" showed the deadly cells to both.", t.deadlyText(),
			"Type deadly at any time to hear them.")
	}
	// For a player who is away already, the time to come back begins with the turn.
	if turn != before.Turn() && turn != t.Side && before.SeatState(turn).Taken && t.SeatState(turn).IsAway() &&
		!t.ForfeitAt.IsZero() && t.Next == "" {
		presence[turn-1] = t.awayText(turn, now)
	}
	return append(shown, presence[0], presence[1], t.rematchOffers(before))
}

// moveText says where a mark was placed, and whether the board is dead now.
func (t table) moveText(m client.Change) string {
	cell := " at " + m.Move.Cell.String() + "."
	if t.Variant.IsTicTacToe() {
		return t.subject(m.Side) + cell
	}
	board := "Board " + rules.BoardName(int(m.Move.Board))
	text := board + ": " + t.who(m.Side) + cell
	if m.Died() {
		text += " " + board + " is dead. " + boardsLeft(m.Position)
	}
	return text
}

// rematchOffers says what is new since before: an offer of a rematch, the end of an offer, or the start of the next
// match of the same players. It is silent when both players want a rematch, because the rematch begins next.
func (t table) rematchOffers(before *match.Snapshot) string {
	other := t.Opponent()
	switch {
	case t.Next != "" && before.Next == "" && t.IsSeated() && t.AwaitsSecondGame():
		return "The second game begins."
	case t.Next != "" && before.Next == "" && t.AwaitsSecondGame():
		return "The second game begins: type rematch to watch."
	case t.Next != "" && before.Next == "" && t.IsSeated():
		return "The rematch begins."
	case t.Next != "" && before.Next == "":
		return "They play again: type rematch to watch."
	case !t.IsSeated() || t.SeatState(other).Player.IsComputer() ||
		t.RematchOffered(t.Side) && t.RematchOffered(other):
		return ""
	case t.RematchOffered(t.Side) && !before.RematchOffered(t.Side):
		return "You want a rematch. Waiting for " + t.who(other) + "."
	case t.RematchOffered(other) && !before.RematchOffered(other):
		return t.subject(other) + " wants a rematch: type rematch to accept."
	case t.RematchWithdrawn(other) && !before.RematchWithdrawn(other):
		return t.subject(other) + " has begun another match: the offer of a rematch has ended."
	case t.RematchWithdrawn(t.Side) && !before.RematchWithdrawn(t.Side):
		return "You have begun another match: your offer of a rematch has ended."
	default:
		return ""
	}
}

// ending says how the match ended.
func (t table) ending() string {
	if t.Closed {
		return "The table has been closed."
	}
	return join(t.because(), t.headline(), wording.PairResult(t.State, t.Side, t.subject))
}

// nextSteps says what the player can do after the match.
func (t table) nextSteps(now time.Time) string {
	if next := wording.SecondGame(t.State, now); next != "" {
		return next
	}
	switch {
	case t.Closed:
		return ""
	case t.Outcome.IsVoid() && t.IsSeated() && t.Origin == match.QueueOrigin:
		return "Type play to find another opponent, or leave."
	case t.Outcome.IsVoid() && t.IsSeated():
		return "Type rematch or leave."
	case t.IsSeated() && t.Origin == match.ComputerOrigin && t.Outcome.Winner == t.Side && t.NextLevel() != 0:
		return "Type computer " + t.NextLevel().String() + " for the next level, or rematch, review or leave."
	case t.IsSeated():
		return "Type rematch, review or leave."
	default:
		return "Type review to look back, or leave."
	}
}

func (t table) headline() string {
	if t.Outcome.IsVoid() {
		return "The match is cancelled."
	}
	return wording.Headline(t.State, t.Side, t.subject) + "."
}

// because says why the match ended.
func (t table) because() string { return wording.Reason(t.State, t.subject) }

// playerName returns a player's name as it is printed for others.
func playerName(p match.Player) string {
	if p.IsComputer() {
		return "the computer"
	}
	return p.Name
}

// who names a side in the middle of a sentence.
func (t table) who(side rules.Side) string {
	if side == t.Side && side != rules.Nobody {
		return "you"
	}
	return playerName(t.SeatState(side).Player)
}

// subject names a side at the beginning of a sentence. Names stay as they are written.
func (t table) subject(side rules.Side) string {
	if who := t.who(side); who == "you" || t.SeatState(side).Player.IsComputer() {
		return wording.Capital(who)
	}
	return t.who(side)
}

// turnText says whose turn it is, "" before and after the match.
func (t table) turnText() string {
	switch turn := t.Turn(); {
	case turn == rules.Nobody:
		return ""
	case t.IsMyTurn():
		return "Your turn."
	default:
		return t.subject(turn) + "'s turn."
	}
}

func (t table) orderText() string {
	switch t.Side {
	case rules.First:
		return "You move first" + t.markText() + "."
	case rules.Second:
		return "You move second" + t.markText() + "."
	default:
		return t.subject(rules.First) + " moves first."
	}
}

// markText names the player's mark in tic-tac-toe, as the end of a sentence.
func (t table) markText() string {
	switch {
	case !t.Variant.IsTicTacToe():
		return ""
	case t.Side == rules.First:
		return " with O"
	default:
		return " with X"
	}
}

// spellOut returns a code letter by letter.
func spellOut(code match.Code) string { return strings.Join(strings.Split(string(code), ""), " ") }

// resumeHint says how a guest comes back to the seat; empty for others.
func (t table) resumeHint() string {
	code := t.SeatState(t.Side).Code
	if code == "" || t.Over() {
		return ""
	}
	return "Your way back: " + spellOut(code) + ", that is join " + string(code) + "."
}

// listText joins words as in speech, with commas.
func listText(words []string) string { return strings.Join(words, ", ") }

// badMoveText says what is wrong with a move that no position of the game allows.
func (t table) badMoveText(err error) string {
	switch {
	case errors.Is(err, rules.ErrNoSuchCell):
		return "There is no such cell: the cells are 1 to 9, like a numeric keypad."
	case errors.Is(err, rules.ErrNoSuchBoard) && t.Variant.Boards() == 1:
		return "There is one board only: type a cell, 1 to 9."
	case errors.Is(err, rules.ErrNoSuchBoard):
		return t.noSuchBoard()
	default:
		return "Say the board too, such as " + t.exampleMove() + "."
	}
}

func (t table) noSuchBoard() string {
	return "There is no such board: the boards are A to " + rules.BoardName(t.Variant.Boards()-1) + "."
}

// deadlyText names the cells where a mark kills its board.
func (t table) deadlyText() string {
	var cells []string
	for _, m := range t.Position.Legal() {
		if t.Position.Kills(m) {
			cells = append(cells, t.Variant.FormatMove(m))
		}
	}
	switch {
	case t.Variant.IsTicTacToe():
		return "No board dies in tic-tac-toe."
	case len(cells) == 0:
		return "No cell is deadly yet."
	default:
		return "Deadly: " + strings.Join(cells, " ") + "."
	}
}

func (t table) sideText(side rules.Side, now time.Time) string {
	seatState, order := t.SeatState(side), "first"
	if side == rules.Second {
		order = "second"
	}
	switch {
	case !seatState.Taken:
		return "No opponent has come yet to move " + order + "."
	case side == t.Side:
		return t.orderText()
	case seatState.Player.IsComputer():
		return "The computer, level " + seatState.Player.Level.String() + ", moves " + order + "."
	case !seatState.Present:
		return seatState.Player.Name + " moves " + order + ". " + t.awayText(side, now)
	default:
		return seatState.Player.Name + " moves " + order + "."
	}
}

// exampleMove returns a move that can be typed at a table: one that kills no board, if there is one.
func (t table) exampleMove() string {
	legal := t.Position.Legal()
	if len(legal) == 0 {
		return "B5"
	}
	safe := slices.DeleteFunc(slices.Clone(legal), t.Position.Kills)
	if len(safe) > 0 {
		legal = safe
	}
	return t.Variant.FormatMove(legal[len(legal)/2])
}

// limitText says how much time is left for the next move. It is empty without a limit, with more than an hour left, and
// if the player to move loses earlier by being away.
func (t table) limitText(now time.Time) string {
	left := t.MoveBy.Sub(now)
	if t.MoveBy.IsZero() || !t.ForfeitAt.IsZero() || left > time.Hour {
		return ""
	}
	within := seconds(left)
	if left >= 2*time.Minute {
		within = wording.Count(int(left.Minutes()), "minute", "minutes")
	}
	switch first := t.IsFirstMove(); {
	case t.IsMyTurn() && first && t.Game() != 2:
		return "Your first move has to come within " + within + ", or the match does not count."
	case t.IsMyTurn():
		return "Your move has to come within " + within + ", or you lose."
	case first:
		return t.subject(t.Turn()) + " has " + within + " for the first move."
	default:
		return t.subject(t.Turn()) + " has " + within + " left to move."
	}
}
