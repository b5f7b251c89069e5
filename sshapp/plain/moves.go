package plain

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"notakto/match"
	"notakto/rules"
	"notakto/sshapp/wording"
)

// tableCommands are those about the match at hand.
func tableCommands() []command {
	return []command{
		{
			"boards", "board", "boards, boards B",
			"says what stands on the boards, or on one of them", atMatch | atEnd | watching, (*session).boardsCommand,
		},
		{"moves", "", "", "says all moves so far", atMatch | atEnd | watching, (*session).movesCommand},
		{
			"deadly", "", "",
			"says the cells where a mark kills its board; between people both players hear it", atMatch, (*session).deadlyCommand,
		},
		{"turn", "", "", "says whose turn it is", atInvitation | atMatch | watching, (*session).turnCommand},
		{"clock", "clocks", "", "says how much time each player has left", atMatch | watching, (*session).clockCommand},
		{
			"who", "", "",
			"says who is at the table, and after a match what it is called", atInvitation | atMatch | atEnd | watching,
			(*session).whoCommand,
		},
		{"resign", "", "", "gives the match up, after asking", atMatch, (*session).resignCommand},
		{"rematch", "", "", "asks for another match with the seats swapped, or accepts one", atEnd, (*session).rematchCommand},
		{
			"review", "", "review, review all, review N",
			"says after a match what perfect play makes of it: the slips, every move, or one move", atEnd, inTurn((*session).reviewCommand),
		},
		{
			"theory", "", "theory N",
			"says after a match what the boards were worth before and after its move N, in the mathematics of the game",
			atEnd, inTurn((*session).theoryCommand),
		},
		{
			"playon", "", "playon N",
			"plays move N of a match that is over again, and from there on, against the computer", atEnd, (*session).playOnCommand,
		},
		{"share", "", "", "says a match that is over in one line, to be passed on", atEnd, inTurn((*session).shareCommand)},
	}
}

// playMove places a mark.
func (s *session) playMove(word string) {
	at := s.tables.current
	switch {
	case at.isNone() && s.queue.IsWaiting():
		s.out.printLine("No match has begun yet.", s.status())
		return
	case at.isNone():
		s.out.printLine("You are at no table. Type play, computer, private or join first.")
		return
	case !at.IsSeated():
		s.out.printLine("You are watching: only the players place marks.")
		return
	}
	m, err := at.Variant.ParseMove(word)
	if err != nil {
		s.out.printLine(at.badMoveText(err))
		return
	}
	s.act(func(ctx context.Context) error { return at.Play(ctx, m) })
}

// badMoveText says what is wrong with a move that no position of the game allows.
func (t table) badMoveText(err error) string {
	last := rules.BoardName(t.Variant.Boards() - 1)
	switch {
	case errors.Is(err, rules.ErrNoSuchCell):
		return "There is no such cell: the cells are 1 to 9, like a numeric keypad."
	case errors.Is(err, rules.ErrNoSuchBoard) && t.Variant.Boards() == 1:
		return "There is one board only: type a cell, 1 to 9."
	case errors.Is(err, rules.ErrNoSuchBoard):
		return "There is no such board: the boards are A to " + last + "."
	default:
		return "Say the board too, such as " + t.exampleMove() + "."
	}
}

// deadlyCommand says the cells that kill their board. Between people it has both players hear them, once for each
// match.
func (s *session) deadlyCommand(_ []string) {
	switch at := s.tables.current; {
	case at.isNone() || !at.Started() || at.Over():
		s.out.printLine("There is no match on here.")
	case at.CanReveal():
		s.act(at.Reveal)
	case at.IsAgainstComputer() || at.RevealedBy() != rules.Nobody || at.Variant.IsTicTacToe():
		s.out.printLine(at.deadlyText())
	default:
		s.out.printLine("The players have not shown the deadly cells.")
	}
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

func (s *session) resignCommand(_ []string) {
	switch at := s.tables.current; {
	case !at.IsSeated():
		s.out.printLine("You are in no match to resign from.")
	case at.Over():
		s.out.printLine(errorText(match.ErrMatchOver))
	case at.IsInviting():
		s.leaveCommand(nil)
	default:
		what := wording.Resigning(at.State, at.subject(at.Opponent()))
		s.ask("Resign this match? "+what, question{(*session).giveUp, "You have not resigned."})
	}
}

// giveUp resigns, or closes a table without an opponent.
func (s *session) giveUp() {
	if at := s.tables.current; at.IsSeated() {
		s.act(at.Resign)
	}
}

// rematchCommand asks for another match; a spectator watches that too.
func (s *session) rematchCommand(_ []string) {
	at := s.tables.current
	switch {
	case at.isNone():
		s.out.printLine("You are at no table. Type play or computer for a new match.")
	case !at.Over():
		s.out.printLine(errorText(match.ErrNotOver))
	case !at.IsSeated() && at.Next != "":
		s.out.report(s.watch(at.Next))
	case !at.IsSeated():
		s.out.printLine("They have not agreed on another match yet.")
	case at.IsGone():
		s.out.printLine("The table has been closed. Type play or computer for a new match.")
	case at.RematchOffered(at.Side):
		s.out.printLine("You want a rematch already. Waiting for " + at.who(at.Opponent()) + ".")
	case !at.IsHere(at.Opponent()):
		s.out.printLine(at.subject(at.Opponent()) + " has left the table. Type play or computer for a new match.")
	default:
		s.act(at.OfferRematch)
	}
}

func (s *session) boardsCommand(words []string) {
	at := s.tables.current
	if at.isNone() || at.IsInviting() {
		s.out.printLine(s.status())
		return
	}
	if len(words) > 0 {
		s.oneBoard(words[0])
		return
	}
	for i := range at.Variant.Boards() {
		s.out.printLine(boardText(at.Position, i))
	}
	s.out.printLine(at.turnText())
}

func (s *session) oneBoard(name string) {
	for i := range s.tables.current.Variant.Boards() {
		if strings.EqualFold(name, rules.BoardName(i)) {
			s.out.printLine(boardText(s.tables.current.Position, i))
			return
		}
	}
	s.out.printLine("There is no such board: the boards are A to " + rules.BoardName(s.tables.current.Variant.Boards()-1) +
		".")
}

// movesCommand lists the moves with who made them.
func (s *session) movesCommand(_ []string) {
	at := s.tables.current
	switch {
	case at.isNone():
		s.out.printLine(s.status())
		return
	case len(at.Moves) == 0:
		s.out.printLine("No move has been made.")
		return
	}
	shown := make([]string, len(at.Moves))
	for i, m := range at.Moves {
		shown[i] = strconv.Itoa(i+1) + ", " + at.Variant.FormatMove(m) + " by " + at.who(moverOf(i+1))
	}
	s.out.printLine(strings.Join(shown, "; ") + ".")
}

func (s *session) turnCommand(_ []string) { s.out.printLine(s.status()) }

func (s *session) whoCommand(_ []string) {
	at := s.tables.current
	if at.isNone() {
		s.out.printLine("You are "+s.player.Name+".", s.status())
		return
	}
	shown := []string{"You are " + s.player.Name + "."}
	for _, side := range [2]rules.Side{rules.First, rules.Second} {
		shown = append(shown, at.sideText(side, s.cfg.Manager.Now()))
	}
	if at.Spectators > 0 {
		shown = append(shown, wording.Count(at.Spectators, "person is watching.", "people are watching."))
	}
	s.out.printLine(append(shown, at.resumeHint(), at.nameText())...)
	s.out.printLine(wording.OpeningSeed(at.State))
}

// nameText is what a match that is over is called, to see it again later.
func (t table) nameText() string {
	if !t.Over() {
		return ""
	}
	return "This match is called " + string(t.ID) + ": watch " + string(t.ID) + " tells it again."
}

// sideText is who plays a side.
func (t table) sideText(side rules.Side, now time.Time) string {
	seatState, order := t.SeatState(side), " first."
	if side == rules.Second {
		order = " second."
	}
	switch {
	case !seatState.Taken:
		return "No opponent has come yet to move" + order
	case side == t.Side:
		return "You move" + strings.TrimSuffix(order, ".") + markText(t.Variant, t.Side) + "."
	case seatState.Player.IsComputer():
		return "The computer, level " + seatState.Player.Level.String() + ", moves" + order
	case !seatState.Present:
		return join(seatState.Player.Name+" moves"+order, t.awayText(side, now))
	default:
		return seatState.Player.Name + " moves" + order
	}
}

func (s *session) againCommand(_ []string) {
	s.out.printLine(s.out.lastLine)
}

func (s *session) clockCommand(_ []string) {
	switch at := s.tables.current; {
	case at.isNone() || !at.Started():
		s.out.printLine("There is no match on here.")
	case at.Clock.IsNone():
		s.out.printLine("This match has no clock.")
	default:
		s.out.printLine(wording.Capital(wording.Clock(at.Clock))+".", at.clocks(s.cfg.Manager.Now()))
	}
}
