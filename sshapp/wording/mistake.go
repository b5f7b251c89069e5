package wording

import (
	"notakto/rules"
	"notakto/rules/strategy"
)

// Mistake is why a move was a slip, as a sentence; empty if it was none, or needs the theory to be seen. subject names
// a side at the beginning of a sentence.
func Mistake(r strategy.MoveReview, subject func(rules.Side) string) string {
	if !r.Mistake() {
		return ""
	}
	v := r.Previous.Variant()
	if r.Before == strategy.Win {
		best := r.Best[0]
		next, err := r.Previous.Play(best)
		if err != nil {
			return ""
		}
		switch why := strategy.WhyLost(next); why.Reason {
		case strategy.NoSafeCell:
			return v.FormatMove(best) + " leaves no safe cell on " + rules.BoardName(why.Board) + "."
		case strategy.Paired:
			return "After " + v.FormatMove(best) + " each safe cell of " + rules.BoardName(why.Board) + " has an answer."
		case strategy.ByTheory, strategy.IsOver:
		}
	}
	if reply, ok := r.Refutation(); ok {
		return subject(r.Side.Other()) + " can win by " + v.FormatMove(reply) + "."
	}
	return ""
}
