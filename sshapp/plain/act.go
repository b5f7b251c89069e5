package plain

import (
	"errors"

	"notakto/match"
	"notakto/rules"
)

// move places a mark. What came of it is told by the table's next snapshot.
func (s *session) move(word string) {
	at := s.here
	switch {
	case at == nil:
		s.say("You are at no table. Type play, computer, private or join first.")
		return
	case !at.seated():
		s.say("You look on, and have no mark to place.")
		return
	}
	m, err := at.Variant.ParseMove(word)
	if err != nil {
		s.say(at.badMove(err))
		return
	}
	ctx, cancel := s.wish()
	defer cancel()
	s.try(at.seat.Play(ctx, m))
}

// badMove says what is wrong with a move that no position of the game allows.
func (at *sitting) badMove(err error) string {
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
	switch at := s.here; {
	case !at.seated():
		s.say("You are in no match that you could resign.")
	case at.Over():
		s.say(refusal(match.ErrMatchOver))
	case at.waiting():
		s.leave(nil)
	default:
		s.ask("Resign this match? "+at.subject(at.across())+" wins then.", question{(*session).giveUp, "You have not resigned."})
	}
}

// giveUp resigns, or clears the table that nobody has come to.
func (s *session) giveUp() {
	if !s.here.seated() {
		return
	}
	ctx, cancel := s.wish()
	defer cancel()
	s.try(s.here.seat.Resign(ctx))
}

// rematch asks for another match; who looked on looks on there too.
func (s *session) rematch([]string) {
	at := s.here
	switch {
	case at == nil:
		s.say("You are at no table. Type play or computer for a new match.")
	case !at.Over():
		s.say(refusal(match.ErrNotOver))
	case !at.seated() && at.Next != "":
		s.try(s.watch(at.Next))
	case !at.seated():
		s.say("They have not agreed on another match yet.")
	case at.left:
		s.say("The table has been cleared. Type play or computer for a new match.")
	case at.Offers(at.side):
		s.say("You want a rematch already. Waiting for " + at.who(at.across()) + ".")
	default:
		s.offerRematch()
	}
}

func (s *session) offerRematch() {
	ctx, cancel := s.wish()
	defer cancel()
	s.try(s.here.seat.OfferRematch(ctx))
}
