package strategy

import (
	"slices"

	"notakto/rules"
)

// MoveReview is the evaluation of one move of a game by perfect play.
type MoveReview struct {
	Ply      int // counted from 1
	Move     rules.Move
	Side     rules.Side     // that moved
	Before   Verdict        // for that side, of the position in which it moved
	After    Verdict        // for the same side, of the move
	Best     []rules.Move   // the moves that keep the verdict; none in a lost position
	Choices  int            // how many moves there were
	Previous rules.Position // before the move
	Position rules.Position // after it
}

// Mistake reports whether the move gave something away.
func (r MoveReview) Mistake() bool { return r.Before != r.After }

// Review looks at the moves of a game that began with a position, up to the first that is not legal.
func Review(start rules.Position, moves []rules.Move) []MoveReview {
	reviews := make([]MoveReview, 0, len(moves))
	position := start
	for i, m := range moves {
		next, err := position.Play(m)
		if err != nil {
			break
		}
		reviews = append(reviews, reviewMove(position, i+1, m, next))
		position = next
	}
	return reviews
}

func reviewMove(p rules.Position, ply int, m rules.Move, next rules.Position) MoveReview {
	analysis := Analyse(p)
	r := MoveReview{
		Ply: ply, Move: m, Side: p.Turn(), Before: analysis.Verdict, Choices: len(analysis.Moves),
		Previous: p, Position: next,
	}
	for _, verdict := range analysis.Moves {
		if verdict.Move == m {
			r.After = verdict.Verdict
		}
		if verdict.Verdict == analysis.Verdict && analysis.Verdict != Loss {
			r.Best = append(r.Best, verdict.Move)
		}
	}
	return r
}

// TurningPoint returns the last mistake of a game, after which perfect play would have led to the outcome. There is
// none if no move was a mistake, or if the outcome has another cause: a player resigned or left a game that was not
// lost.
func TurningPoint(reviews []MoveReview, outcome rules.Outcome) (r MoveReview, found bool) {
	for _, review := range reviews {
		if review.Mistake() {
			r, found = review, true
		}
	}
	return r, found && !outcome.IsVoid() && r.Leader() == outcome.Winner
}

// Leader returns who wins with perfect play after the move, [rules.Nobody] if neither does.
func (r MoveReview) Leader() rules.Side {
	switch r.After {
	case Win:
		return r.Side
	case Loss:
		return r.Side.Other()
	default:
		return rules.Nobody
	}
}

// IsFlawless reports whether a game was played to its end and no move of it was a mistake.
func IsFlawless(reviews []MoveReview, outcome rules.Outcome) bool {
	switch outcome.Reason {
	case rules.Boards, rules.Line, rules.Draw:
		return !slices.ContainsFunc(reviews, MoveReview.Mistake)
	default:
		return false
	}
}

// ResignedWon reports whether a game was resigned by the side that perfect play would have had win it.
func ResignedWon(reviews []MoveReview, outcome rules.Outcome) bool {
	if outcome.Reason != rules.Resign || len(reviews) == 0 {
		return false
	}
	last := reviews[len(reviews)-1]
	if last.Side == outcome.Winner {
		return last.After == Loss
	}
	return last.After == Win
}
