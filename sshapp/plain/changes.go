package plain

import (
	"time"

	"notakto/match"
	"notakto/rules"
	"notakto/sshapp/wording"
)

// changes tells what has happened at a table since it was told before.
func (at *sitting) changes(before match.Snapshot, now time.Time) []string {
	if before.Seq == at.Seq {
		return nil
	}
	var told []string
	if at.Begun() && !before.Begun() {
		told = append(told, at.subject(at.across())+" sits down.")
	}
	told = append(told, at.played(len(before.Moves))...)
	switch {
	case at.Over() && !before.Over():
		return append(told, at.ending())
	case at.Turn() != before.Turn() || len(at.Moves) > len(before.Moves):
		told = append(told, at.turnText())
	}
	told = append(told, at.comings(before, now)...)
	return append(told, at.offers(before))
}

// played tells the moves but for the first few, which were told before: each with the death that it brought.
func (at *sitting) played(told int) []string {
	var sentences []string
	position := at.Variant.Start()
	for i, m := range at.Moves {
		side := position.Turn()
		next, err := position.Play(m)
		if err != nil {
			break // no table records such a move
		}
		if i >= told {
			sentences = append(sentences, join(at.moveText(side, m), deathText(next, int(m.Board))))
		}
		position = next
	}
	return sentences
}

func (at *sitting) moveText(side rules.Side, m rules.Move) string {
	if at.Variant.IsTicTacToe() {
		return at.subject(side) + " at " + m.Cell.String() + "."
	}
	return "Board " + rules.BoardName(int(m.Board)) + ": " + at.who(side) + " at " + m.Cell.String() + "."
}

// deathText tells that a board has died with the move that led to a position; empty if it has not.
func deathText(p rules.Position, board int) string {
	if p.Variant().IsTicTacToe() || !p.Dead(board) {
		return ""
	}
	return "Board " + rules.BoardName(board) + " is dead. " + boardsLeft(p)
}

// comings tells who has come back and who has gone, and how long that may last from now on when it is their turn.
func (at *sitting) comings(before match.Snapshot, now time.Time) []string {
	var told []string
	if at.Next != "" {
		return nil // they go over to the rematch
	}
	for _, side := range [2]rules.Side{rules.First, rules.Second} {
		chair, was := at.Chair(side), before.Chair(side)
		if side == at.side || chair.Player.IsComputer() || !was.Taken {
			continue
		}
		came := chair.Present && !was.Present
		turned := at.Turn() == side && before.Turn() != side
		switch {
		case came:
			told = append(told, chair.Player.Name+" is back.")
		case !chair.Present && (was.Present || turned && !at.LostAt.IsZero()):
			told = append(told, at.awayText(side, now))
		}
	}
	return told
}

func (at *sitting) awayText(side rules.Side, now time.Time) string {
	name := at.Chair(side).Player.Name
	switch {
	case at.Over():
		return name + " has left the table."
	case at.Turn() == side && !at.LostAt.IsZero():
		return name + " is away, and loses the match unless back in " + wording.Count(wording.Seconds(at.LostAt.Sub(now)), "second", "seconds") + "."
	default:
		return name + " is away. The seat is kept."
	}
}

// offers tells who wants a rematch, as far as that is new. When both do, the next thing is the rematch.
func (at *sitting) offers(before match.Snapshot) string {
	other := at.across()
	switch {
	case at.Next != "" && before.Next == "" && at.seated():
		return "The rematch begins."
	case at.Next != "" && before.Next == "":
		return "They play again: type rematch to look on there."
	case !at.seated() || at.Chair(other).Player.IsComputer() || at.Offers(at.side) && at.Offers(other):
		return ""
	case at.Offers(at.side) && !before.Offers(at.side):
		return "You want a rematch. Waiting for " + at.who(other) + "."
	case at.Offers(other) && !before.Offers(other):
		return at.subject(other) + " wants a rematch: type rematch to accept."
	default:
		return ""
	}
}
