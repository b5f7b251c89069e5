package plain

import (
	"errors"

	"notakto/match"
	"notakto/rules"
)

// move places a mark. What came of it is told by the table's next snapshot.
func (s *session) move(word string) {
	at := s.table
	switch {
	case at.isNone():
		s.printLine("You are at no table. Type play, computer, private or join first.")
		return
	case !at.IsSeated():
		s.printLine("You look on, and have no mark to place.")
		return
	}
	m, err := at.Variant.ParseMove(word)
	if err != nil {
		s.printLine(at.badMove(err))
		return
	}
	ctx, cancel := s.callContext()
	defer cancel()
	s.report(at.Play(ctx, m))
}

// badMove says what is wrong with a move that no position of the game allows.
func (at table) badMove(err error) string {
	last := rules.BoardName(at.Variant.Boards() - 1)
	switch {
	case errors.Is(err, rules.ErrNoSuchCell):
		return "There is no such cell: the cells are 1 to 9, like a numeric keypad."
	case errors.Is(err, rules.ErrNoSuchBoard) && at.Variant.Boards() == 1:
		return "There is one board only: type a cell, 1 to 9."
	case errors.Is(err, rules.ErrNoSuchBoard):
		return "There is no such board: the boards are A to " + last + "."
	default:
		return "Say the board too, A to " + last + ", such as A5."
	}
}

func (s *session) resign([]string) {
	switch at := s.table; {
	case !at.IsSeated():
		s.printLine("You are in no match that you could resign.")
	case at.Over():
		s.printLine(errorText(match.ErrMatchOver))
	case at.IsInviting():
		s.leave(nil)
	default:
		s.ask("Resign this match? "+at.subject(at.Opponent())+" wins then.", question{(*session).giveUp, "You have not resigned."})
	}
}

// giveUp resigns, or clears the table that nobody has come to.
func (s *session) giveUp() {
	if !s.table.IsSeated() {
		return
	}
	ctx, cancel := s.callContext()
	defer cancel()
	s.report(s.table.Resign(ctx))
}

// rematch asks for another match; who looked on looks on there too.
func (s *session) rematch([]string) {
	at := s.table
	switch {
	case at.isNone():
		s.printLine("You are at no table. Type play or computer for a new match.")
	case !at.Over():
		s.printLine(errorText(match.ErrNotOver))
	case !at.IsSeated() && at.Next != "":
		s.report(s.watch(at.Next))
	case !at.IsSeated():
		s.printLine("They have not agreed on another match yet.")
	case at.IsGone():
		s.printLine("The table has been cleared. Type play or computer for a new match.")
	case at.RematchOffered(at.Side):
		s.printLine("You want a rematch already. Waiting for " + at.who(at.Opponent()) + ".")
	default:
		s.offerRematch()
	}
}

func (s *session) offerRematch() {
	ctx, cancel := s.callContext()
	defer cancel()
	s.report(s.table.OfferRematch(ctx))
}
