package plain

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"

	"notakto/match"
	"notakto/rules"
	"notakto/sshapp/client"
	"notakto/sshapp/wording"
)

// table is a match that the session plays or watches. Its methods put the match into sentences, with "" for a
// sentence that does not apply. The zero value is no match.
type table struct{ *client.Table }

func (t table) isNone() bool { return t.Table == nil }

// description returns the sentences for a player on arrival at the table.
func (t table) description(host string, now time.Time) []string {
	switch {
	case t.Closed:
		return []string{"The table has been closed."}
	case t.IsInviting():
		return t.invitation(host)
	case t.IsOver():
		return []string{t.gameTitle(), "The match is over.", t.ending(), t.nextSteps(now)}
	case !t.IsSeated():
		return []string{
			t.watchedText(), t.gameTitle(), t.opening(), t.progress(), t.turnText(), t.clocks(now), t.absence(now),
		}
	default:
		limit := ""
		// The limit matters to a waiting player only when little time is left. The mover hears it from warnOfLimit.
		if !t.IsMyTurn() && t.MoveBy.Sub(now) <= lastMinute {
			limit = t.limitText(now)
		}
		return []string{
			t.gameTitle(), t.orderText(), t.opening(), t.progress(), t.turnText(), t.clocks(now), limit, t.absence(now),
			t.requestText(), t.resumeHint(),
		}
	}
}

func (t table) watchedText() string {
	if t.IsDemonstration() {
		return "No match is being played now, so two levels of the computer show the game. Type leave to stop."
	}
	return "You are watching."
}

func (t table) gameTitle() string {
	title := wording.Capital(wording.Played(t.State))
	if !t.IsSeated() {
		return title + t.againstText()
	}
	opponent := t.Seat(t.Opponent()).Player
	if opponent.IsComputer() {
		return title + ", against the computer, level " + opponent.Level.String() + "."
	}
	return title + ", against " + opponent.Name + "."
}

func (t table) againstText() string {
	return ", " + t.name(rules.First) + " against " + t.name(rules.Second) + "."
}

func (t table) invitation(host string) []string {
	entry := "join " + string(t.Code)
	if command := wording.GameCommand(host, entry); command != "" {
		entry += ", or starts with " + command
	}
	return []string{
		"Your private table, " + wording.Terms(t.Terms) + ".", t.orderText(),
		"The code is " + spellOut(t.Code) + ": your opponent types " + entry + ".",
		"The match begins when your opponent joins.", t.resumeHint(),
	}
}

func (t table) absence(now time.Time) string {
	var away []string
	for _, side := range rules.Sides() {
		if side != t.Side && t.Seat(side).IsAway() {
			away = append(away, t.awayText(side, now))
		}
	}
	return strings.Join(away, " ")
}

// opening returns startText before the first move of a game with an opening, else "".
func (t table) opening() string {
	if t.Start == t.Variant.Start() || len(t.Moves) > 0 {
		return ""
	}
	return t.startText()
}

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

func (t table) progress() string {
	n := len(t.Moves)
	if n == 0 {
		return ""
	}
	moves := wording.Count(n, "move", "moves") + " so far, the last " + t.Variant.FormatMove(t.Moves[n-1]) + " by " +
		t.name(t.Turn().Other()) + "."
	if t.Position.LiveBoards() == t.Variant.Boards() {
		return moves
	}
	return moves + " " + boardsLeft(t.Position)
}

func (t table) awayText(side rules.Side, now time.Time) string {
	name := t.Seat(side).Player.Name
	switch {
	case t.IsOver():
		return name + " has left the table."
	case t.Turn() == side && !t.ForfeitAt.IsZero():
		return name + " is away, and loses the match unless back in " +
			seconds(t.ForfeitAt.Sub(now)) + "."
	default:
		return name + " is away. The seat is kept."
	}
}

func (t table) clocks(now time.Time) string {
	if t.Clock.IsNone() || !t.HasStarted() {
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
	left := wording.ClockLeft(t.ClockLeft(side, now))
	if t.Clock.IsCorrespondence() {
		left = wording.DaysLeft(t.DaysLeft(side, now))
	}
	return t.subject(side) + has + left + "."
}

// untilText tells when the move of an opponent with a clock of days is due, else "".
func (t table) untilText(now time.Time) string {
	if !t.Clock.IsCorrespondence() || !t.IsTheirTurn() || t.MoveBy.IsZero() {
		return ""
	}
	text, _ := wording.HasUntil(t.subject(t.Turn()), t.Snapshot, now)
	return text
}

func boardsLeft(p rules.Position) string {
	var left []string
	for i := range p.Variant().Boards() {
		if !p.IsDead(i) {
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
	if p.IsDead(board) {
		line := p.Line(board)
		slices.Sort(line[:])
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

// changes returns sentences on the events from the snapshot before to t.Snapshot.
func (t table) changes(before *match.Snapshot, now time.Time) []string {
	if before.Seq == t.Seq {
		return nil
	}
	var shown []string
	var presence [2]string // by side
	request, isTurnNew := "", false
	if t.HasStarted() && !before.HasStarted() {
		shown = append(shown, t.subject(t.Opponent())+" sits down.")
	}
	for _, c := range client.Changes(before, t.Snapshot, t.Side) {
		switch c.Kind {
		case client.PlayerReturned:
			presence[c.Side-1] = t.Seat(c.Side).Player.Name + " is back."
		case client.PlayerMoved:
			shown = append(shown, t.moveText(c))
		case client.PlayerTookBack:
			shown = append(shown, wording.TookBack(t.Variant, c.Takeback, t.subject(c.Side)))
			isTurnNew = true
		case client.RequestMade:
			request = t.requestText()
		case client.RequestDeclined:
			request = t.subject(c.Side) + " declined."
		case client.HintsAllowed:
			request = t.hintsText()
		case client.PlayerLeft:
			presence[c.Side-1] = t.awayText(c.Side, now)
		case client.MatchFinished:
			return append(shown, t.ending())
		}
	}
	turn := t.Turn()
	if turn != before.Turn() || len(t.Moves) > len(before.Moves) || isTurnNew {
		shown = append(shown, cmp.Or(t.untilText(now), join(t.turnText(), t.clocks(now))))
	}
	shown = append(shown, request)
	if t.RevealedBy() != before.RevealedBy() {
		shown = append(shown, t.subject(t.RevealedBy())+" showed the deadly cells to both.", t.deadlyText(),
			"Type deadly at any time to hear them.")
	}
	// For an absent player, the time to come back begins with the turn.
	if turn != before.Turn() && turn != t.Side && before.Seat(turn).Taken && t.Seat(turn).IsAway() &&
		!t.ForfeitAt.IsZero() && t.Next == "" {
		presence[turn-1] = t.awayText(turn, now)
	}
	return append(shown, presence[0], presence[1], t.rematchOffers(before))
}

// MoveText returns lines about a move of the match, what follows, and the boards. ply counts the moves from 1.
func MoveText(at *client.Table, ply int, now time.Time) []string {
	t := table{at}
	next := cmp.Or(t.untilText(now), t.turnText())
	if t.IsOver() {
		next = t.ending()
	}
	lines := []string{join(t.moveText(client.Moves(t.State)[ply-1]), next)}
	for i := range t.Variant.Boards() {
		lines = append(lines, boardText(t.Position, i))
	}
	return lines
}

func (t table) moveText(m client.Change) string {
	cell := " at " + m.Move.Cell.String() + "."
	if t.Variant.IsTicTacToe() {
		return t.subject(m.Side) + cell
	}
	board := "Board " + rules.BoardName(int(m.Move.Board))
	text := board + ": " + t.name(m.Side) + cell
	if m.KilledBoard() {
		text += " " + board + " is dead. " + boardsLeft(m.Position)
	}
	return text
}

// rematchOffers compares the match with the snapshot before. New offers of a rematch, withdrawn offers and the start of
// the next match are told. The result is "" once both players want a rematch, because the rematch begins next.
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
	case !t.IsSeated() || t.Seat(other).Player.IsComputer() ||
		t.RematchOffered(t.Side) && t.RematchOffered(other):
		return ""
	case t.RematchOffered(t.Side) && !before.RematchOffered(t.Side):
		return "You want a rematch. Waiting for " + t.name(other) + "."
	case t.RematchOffered(other) && !before.RematchOffered(other):
		return t.subject(other) + " wants a rematch: type rematch to accept."
	case t.RematchWithdrawn(other) && !before.RematchWithdrawn(other):
		return t.subject(other) + " has begun another match, so the rematch offer has ended."
	case t.RematchWithdrawn(t.Side) && !before.RematchWithdrawn(t.Side):
		return "You have begun another match, so your rematch offer has ended."
	default:
		return ""
	}
}

// requestText says what a player of the match asks for, "" without an open request.
func (t table) requestText() string {
	asked := wording.Asked
	switch {
	case t.Request.Kind == 0 || t.IsOver():
		return ""
	case t.Request.Side == t.Side:
		return "You ask " + asked(t.State) + ". Waiting for " + t.name(t.Opponent()) + "."
	case !t.IsSeated():
		return t.subject(t.Request.Side) + " asks " + asked(t.State) + "."
	case t.Request.Kind == match.HintsOffered:
		return t.subject(t.Request.Side) + " asks " + asked(t.State) + ": type hint to agree, or decline."
	default:
		return t.subject(t.Request.Side) + " asks " + asked(t.State) + ": type takeback to agree, or decline."
	}
}

func (t table) hintsText() string {
	switch {
	case t.IsAgainstComputer():
		return wording.HintsCost
	case t.IsSeated():
		return "You both get hints now: type hint in your turn."
	default:
		return "Both players get hints now."
	}
}

func (t table) ending() string {
	if t.Closed {
		return "The table has been closed."
	}
	return join(t.reasonText(), t.headline(), wording.PairResult(t.State, t.Side, t.subject))
}

func (t table) nextSteps(now time.Time) string {
	if next := wording.SecondGame(t.State, now); next != "" {
		return next
	}
	switch {
	case t.Closed:
		return ""
	case t.IsDemonstration():
		return "Another one follows."
	case t.Outcome.IsVoid() && t.IsSeated() && t.Origin == match.QueueOrigin:
		return "Type play to find another opponent, or leave."
	case t.Outcome.IsVoid() && t.IsSeated():
		return "Type rematch or leave."
	case t.IsSeated() && t.Origin == match.ComputerOrigin && t.Outcome.Winner == t.Side && t.RungAbove() != 0:
		return "Type computer " + t.RungAbove().String() + " for the next level, or rematch, review or leave."
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

func (t table) reasonText() string { return wording.Reason(t.State, t.subject) }

// playerName names a player for others.
func playerName(p match.Player) string {
	if p.IsComputer() {
		return "the computer"
	}
	return p.Name
}

// name names a side in the middle of a sentence.
func (t table) name(side rules.Side) string {
	if side == t.Side && side != rules.NoSide {
		return "you"
	}
	if t.IsDemonstration() {
		return t.Seat(side).Player.Name
	}
	return playerName(t.Seat(side).Player)
}

// subject names a side at the beginning of a sentence. "you" and "the computer" get a capital, a player's name does
// not.
func (t table) subject(side rules.Side) string {
	if name := t.name(side); name == "you" || t.Seat(side).Player.IsComputer() {
		return wording.Capital(name)
	}
	return t.name(side)
}

func (t table) turnText() string {
	switch turn := t.Turn(); {
	case turn == rules.NoSide:
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

// markText returns the end of a sentence that names the player's mark in tic-tac-toe.
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

func spellOut(code match.Code) string { return strings.Join(strings.Split(string(code), ""), " ") }

// resumeHint tells a guest how to come back to the seat. For a player with an account it returns "".
func (t table) resumeHint() string {
	code := t.Seat(t.Side).Code
	if code == "" || t.IsOver() {
		return ""
	}
	return "Your return code: " + spellOut(code) + ". To come back, type join " + string(code) + "."
}

func listText(words []string) string { return strings.Join(words, ", ") }

// badMoveText explains an error of ParseMove.
func (t table) badMoveText(err error) string {
	switch {
	case errors.Is(err, rules.ErrNoSuchCell):
		return "There is no such cell: the cells are 1 to 9, like a numeric keypad."
	case errors.Is(err, rules.ErrNoSuchBoard) && t.Variant.Boards() == 1:
		return "There is one board only: type a cell, 1 to 9."
	case errors.Is(err, rules.ErrNoSuchBoard):
		return noSuchBoard(t.Variant)
	default:
		return "Say the board too, such as " + t.exampleMove() + "."
	}
}

func noSuchBoard(v rules.Variant) string {
	if v.Boards() == 1 {
		return "There is no such board: the only board is A."
	}
	return "There is no such board: the boards are A to " + rules.BoardName(v.Boards()-1) + "."
}

func (t table) deadlyText() string {
	var cells []string
	for _, m := range t.Position.LegalMoves() {
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
	seatState, order := t.Seat(side), "first"
	if side == rules.Second {
		order = "second"
	}
	switch {
	case !seatState.Taken:
		return "No opponent yet: the opponent moves " + order + "."
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

// exampleMove returns a legal move to show as an example, if possible one that kills no board.
func (t table) exampleMove() string {
	legal := t.Position.LegalMoves()
	if len(legal) == 0 {
		return "B5"
	}
	safe := slices.DeleteFunc(slices.Clone(legal), t.Position.Kills)
	if len(safe) > 0 {
		legal = safe
	}
	return t.Variant.FormatMove(legal[len(legal)/2])
}

// limitText tells the time left for the next move. The result is "" without a limit, with more than an hour left,
// and if the player to move would lose earlier by being away.
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
	case t.IsMyTurn() && t.Summary().IsVoidIfLate():
		return "Make your first move within " + within + ", or the match is cancelled."
	case t.IsMyTurn():
		return "Move within " + within + ", or you lose."
	case first:
		return t.subject(t.Turn()) + " has " + within + " to make the first move."
	default:
		return t.subject(t.Turn()) + " has " + within + " left to move."
	}
}
