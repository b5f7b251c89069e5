package strategy

import (
	"slices"
	"strings"

	"notakto/rules"
)

// MoveReview evaluates one move of a game by perfect play.
type MoveReview struct {
	Ply      int // counted from 1
	Move     rules.Move
	Side     rules.Side     // that moved
	Before   Verdict        // for that side, of the position in which it moved
	After    Verdict        // for the same side, of the move
	Best     []rules.Move   // moves that keep the verdict, none in a lost position
	Choices  int            // the number of legal moves
	Previous rules.Position // before the move
	Position rules.Position // after it
}

// Mistake reports whether the move gave something away.
func (r MoveReview) Mistake() bool { return r.Before != r.After }

// Review evaluates the moves of a game that began with a position, up to the first move that is not legal.
func Review(start rules.Position, moves []rules.Move) []MoveReview {
	reviews := make([]MoveReview, 0, len(moves))
	position := start
	for i, m := range moves {
		next, err := position.Play(m)
		if err != nil {
			break
		}
		analysis := Analyse(position)
		r := MoveReview{
			Ply: i + 1, Move: m, Side: position.Turn(), Before: analysis.Verdict, Choices: len(analysis.Moves),
			Previous: position, Position: next,
		}
		for _, verdict := range analysis.Moves {
			if verdict.Move == m {
				r.After = verdict.Verdict
			}
			if verdict.Verdict == analysis.Verdict && analysis.Verdict != Loss {
				r.Best = append(r.Best, verdict.Move)
			}
		}
		reviews = append(reviews, r)
		position = next
	}
	return reviews
}

// TurningPoint returns the last mistake of a game, after which perfect play would have led to the outcome. It reports
// false if no move was a mistake, or if the outcome has another cause: a player resigned or left a game that was not
// lost.
func TurningPoint(reviews []MoveReview, outcome rules.Outcome) (r MoveReview, found bool) {
	for _, review := range reviews {
		if review.Mistake() {
			r, found = review, true
		}
	}
	return r, found && !outcome.IsVoid() && r.Leader() == outcome.Winner
}

// Leader returns the side that wins with perfect play after the move, or [rules.Nobody].
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

// ResignedWon reports whether the side that resigned would have won with perfect play.
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

// Reason explains why a position is lost for the side to move, in terms that can be checked on the boards.
type Reason uint8

// The reasons, the easiest to see first. ByTheory stands for all that take more than a look.
const (
	NoSafeCell Reason = iota // one board is alive, and each of its free cells kills it
	Paired                   // one board is alive, and each safe cell has an answer that leaves none
	Twins                    // the live boards are alike in pairs, and a move on one has an answer on its twin
	ByTheory
	IsOver // the game is over
)

// Why is a reason for which a position is lost, with live boards: one board for [NoSafeCell] and [Paired], pairs side
// by side for [Twins], none for other reasons.
type Why struct {
	Reason Reason
	Boards []int
}

// WhyLost returns the reason for which a position of Notakto is lost for the side to move. The position must be lost.
func WhyLost(p rules.Position) Why {
	switch {
	case p.Outcome().Over():
		return Why{Reason: IsOver}
	case p.Variant().IsTicTacToe():
		return Why{Reason: ByTheory}
	case p.Alive() > 1:
		return whyTwins(p)
	}
	boards, safe := aliveBoards(p), safeMoves(p)
	if len(safe) == 0 {
		return Why{NoSafeCell, boards}
	}
	for _, m := range safe {
		if !canLeaveNoSafeCell(after(p, m)) {
			return Why{Reason: ByTheory}
		}
	}
	return Why{Paired, boards}
}

// whyTwins looks for pairs of boards that are equal up to rotations and mirror images.
func whyTwins(p rules.Position) Why {
	boards := aliveBoards(p)
	image := func(board int) pattern { return notakto().image[p.Crosses(board)] }
	slices.SortStableFunc(boards, func(i, j int) int { return int(image(i)) - int(image(j)) })
	for pair := range slices.Chunk(boards, 2) {
		if len(pair) < 2 || image(pair[0]) != image(pair[1]) {
			return Why{Reason: ByTheory}
		}
	}
	return Why{Twins, boards}
}

func aliveBoards(p rules.Position) []int {
	var boards []int
	for i := range p.Variant().Boards() {
		if !p.Dead(i) {
			boards = append(boards, i)
		}
	}
	return boards
}

// safeMoves returns the moves that kill no board.
func safeMoves(p rules.Position) []rules.Move {
	var safe []rules.Move
	for _, m := range p.Legal() {
		if !p.Kills(m) {
			safe = append(safe, m)
		}
	}
	return safe
}

// canLeaveNoSafeCell reports whether the side to move has a safe move after which the opponent has none.
func canLeaveNoSafeCell(p rules.Position) bool {
	for _, m := range safeMoves(p) {
		if len(safeMoves(after(p, m))) == 0 {
			return true
		}
	}
	return false
}

// Refutation returns the first move, in the order of boards and cells, that wins after a mistake. It reports false if
// there is none.
func (r MoveReview) Refutation() (rules.Move, bool) {
	if r.After != Loss || r.Position.Outcome().Over() {
		return rules.Move{}, false
	}
	for _, m := range Analyse(r.Position).Moves {
		if m.Verdict == Win {
			return m.Move, true
		}
	}
	return rules.Move{}, false
}

// Worth holds the value of each board of a position of Notakto in the theory, and their product, as words in a, b, c
// and d. A dead board is 1. The product of a position is a, bb, bc or cc if and only if the side to move has lost.
type Worth struct {
	Boards  []string
	Product string
}

// WorthOf returns the worth of a position of Notakto, and an empty one for tic-tac-toe.
func WorthOf(p rules.Position) Worth {
	if p.Variant().IsTicTacToe() {
		return Worth{}
	}
	s, elements, product := newSum(p), words(), one
	var w Worth
	for _, pattern := range s.patterns[:s.boards] {
		value := s.value[pattern]
		w.Boards, product = append(w.Boards, elements[value].String()), s.product[product][value]
	}
	w.Product = elements[product].String()
	return w
}

// String writes each letter as often as the word has it, and the empty word as 1.
func (w word) String() string {
	if w == (word{}) {
		return "1"
	}
	times := func(letter string, n uint8) string { return strings.Repeat(letter, int(n)) }
	return times("a", w.a) + times("b", w.b) + times("c", w.c) + times("d", w.d)
}

// Clearest returns the best move whose reason is the easiest to see, the first of several in the order of boards and
// cells. In a lost position it returns the zero move.
func (r MoveReview) Clearest() rules.Move {
	switch {
	case len(r.Best) == 0:
		return rules.Move{}
	case r.Before != Win:
		return r.Best[0]
	}
	clearest, least := r.Best[0], IsOver
	for _, m := range r.Best {
		if reason := WhyLost(after(r.Previous, m)).Reason; reason < least {
			clearest, least = m, reason
		}
	}
	return clearest
}

// Situation is a kind of position of which something short is true.
type Situation uint8

// The situations.
const (
	AnySituation  Situation = iota
	EmptyBoards             // all boards alive are empty, and more than one: an odd number wins, an even number loses
	OneEmptyBoard           // the only board alive is empty: the centre wins, and nothing else
	CenterAndOne            // the only board alive has two crosses, one in the centre: a knight's move from the other wins
)

// SituationOf returns which of the situations a position of Notakto is in.
func SituationOf(p rules.Position) Situation {
	if p.Variant().IsTicTacToe() || p.Alive() == 0 {
		return AnySituation
	}
	alive := aliveBoards(p)
	switch {
	case slices.ContainsFunc(alive, func(board int) bool { return p.Crosses(board) != 0 }):
		return AnySituation
	case len(alive) == 1:
		return OneEmptyBoard
	default:
		return EmptyBoards
	}
}
