package plain

import (
	"time"

	"notakto/match"
	"notakto/rules"
)

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
