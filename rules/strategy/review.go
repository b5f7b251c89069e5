package strategy

import (
	"slices"

	"notakto/rules"
)

// Remark is what perfect play says of one move of a game.
type Remark struct {
	Ply     int // counted from 1
	Move    rules.Move
	Side    rules.Side     // that moved
	Before  Verdict        // for that side, of the position in which it moved
	After   Verdict        // for the same side, of the move
	Best    []rules.Move   // the moves that keep the verdict; none in a lost position
	Choices int            // how many moves there were
	Stands  rules.Position // after the move
}

// Slip reports whether the move gave something away.
func (r Remark) Slip() bool { return r.Before != r.After }

// Review looks at the moves of a game, up to the first that is not legal.
func Review(v rules.Variant, moves []rules.Move) []Remark {
	remarks := make([]Remark, 0, len(moves))
	position := v.Start()
	for i, m := range moves {
		next, err := position.Play(m)
		if err != nil {
			break
		}
		remarks = append(remarks, remarkOn(position, i+1, m, next))
		position = next
	}
	return remarks
}

func remarkOn(p rules.Position, ply int, m rules.Move, next rules.Position) Remark {
	analysis := Analyse(p)
	r := Remark{Ply: ply, Move: m, Side: p.Turn(), Before: analysis.Verdict, Choices: len(analysis.Moves), Stands: next}
	for _, judged := range analysis.Moves {
		if judged.Move == m {
			r.After = judged.Verdict
		}
		if judged.Verdict == analysis.Verdict && analysis.Verdict != Loss {
			r.Best = append(r.Best, judged.Move)
		}
	}
	return r
}

// TurningPoint returns the last slip of a game, after which perfect play would have led to the outcome. There is none
// if no move was a slip, or if the outcome came otherwise: a player gave up or left a game that was not lost.
func TurningPoint(remarks []Remark, outcome rules.Outcome) (r Remark, found bool) {
	for _, remark := range remarks {
		if remark.Slip() {
			r, found = remark, true
		}
	}
	winner := rules.Nobody
	if r.After == Loss {
		winner = r.Side.Other()
	}
	return r, found && !outcome.IsVoid() && winner == outcome.Winner
}

// IsFlawless reports whether a game was played to its end and no move of it was a slip.
func IsFlawless(remarks []Remark, outcome rules.Outcome) bool {
	switch outcome.Reason {
	case rules.Boards, rules.Line, rules.Draw:
		return !slices.ContainsFunc(remarks, Remark.Slip)
	default:
		return false
	}
}

// ResignedWon reports whether a game was resigned by the side that perfect play would have had win it.
func ResignedWon(remarks []Remark, outcome rules.Outcome) bool {
	if outcome.Reason != rules.Resign || len(remarks) == 0 {
		return false
	}
	last := remarks[len(remarks)-1]
	if last.Side == outcome.Winner {
		return last.After == Loss
	}
	return last.After == Win
}
