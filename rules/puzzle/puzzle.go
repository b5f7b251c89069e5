package puzzle

import (
	"errors"

	"notakto/rules"
	"notakto/rules/strategy"
)

// ErrNotPuzzle says that a position is no puzzle.
var ErrNotPuzzle = errors.New("not a puzzle: want one kind of winning move and a plausible move that loses")

// ErrNotWon says that a position has no winning move. No answer would be right.
var ErrNotWon = errors.New("the player to move cannot win")

// Puzzle is a position with one kind of winning move. [New], [Day] and [Run.Puzzle] make one, and the zero value is no
// puzzle. Puzzles are immutable and comparable. A Puzzle holds its position only. Texts and JSON of a Puzzle never
// show the solution.
type Puzzle struct{ position rules.Position }

// New returns the puzzle of a position, or [ErrNotPuzzle].
func New(p rules.Position) (Puzzle, error) {
	if _, ok := newCandidate(p); !ok {
		return Puzzle{}, ErrNotPuzzle
	}
	return Puzzle{p}, nil
}

// Position returns the position to solve.
func (p Puzzle) Position() rules.Position { return p.position }

// String returns the notation of the position.
func (p Puzzle) String() string { return p.position.String() }

// MarshalText returns the notation of the position.
func (p Puzzle) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// Difficulty returns the difficulty that the documentation of the package defines, 1 to 833. The result is 0 for the
// zero Puzzle.
func (p Puzzle) Difficulty() int {
	c, _ := newCandidate(p.position)
	return c.difficulty
}

// Check judges m as the answer to p. The errors are those of [rules.Position.Check].
func (p Puzzle) Check(m rules.Move) (Answer, error) { return Check(p.position, m) }

// Answer judges a move in a won position. An Answer holds the solution. Show an Answer only after the move.
type Answer struct {
	Review   strategy.MoveReview // reviews the answer. Review.Best lists all winning moves.
	Clearest strategy.MoveReview // reviews the winning move with the clearest reason
}

// IsRight reports whether the answer wins.
func (a Answer) IsRight() bool { return a.Review.VerdictAfter == strategy.Win }

// Check judges m as the answer to p. The player to move must have a winning move in p, but p need not be a puzzle.
// Check also judges positions of tic-tac-toe. The errors are those of [rules.Position.Check], and [ErrNotWon].
func Check(p rules.Position, m rules.Move) (Answer, error) {
	if err := p.Check(m); err != nil {
		return Answer{}, err
	}
	review := strategy.Review(p, []rules.Move{m})[0]
	if review.VerdictBefore != strategy.Win {
		return Answer{}, ErrNotWon
	}
	return Answer{Review: review, Clearest: strategy.Review(p, []rules.Move{review.Clearest()})[0]}, nil
}
