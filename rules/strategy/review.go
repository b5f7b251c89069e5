package strategy

import (
	"slices"
	"strings"

	"notakto/rules"
)

// MoveReview evaluates one move of a game by perfect play.
type MoveReview struct {
	Ply            int // counted from 1
	Move           rules.Move
	Side           rules.Side   // that moved
	VerdictBefore  Verdict      // of PositionBefore, for Side
	VerdictAfter   Verdict      // of PositionAfter, for Side
	Best           []rules.Move // moves that keep the verdict, empty in a lost position
	Choices        int          // number of legal moves
	PositionBefore rules.Position
	PositionAfter  rules.Position
}

// IsMistake reports whether the move gave something away.
func (r MoveReview) IsMistake() bool { return r.VerdictBefore != r.VerdictAfter }

// Review evaluates the moves of a game from start, up to the first move that is not legal.
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
			Ply: i + 1, Move: m, Side: position.Turn(), VerdictBefore: analysis.Verdict, Choices: len(analysis.Moves),
			PositionBefore: position, PositionAfter: next,
		}
		for _, legal := range analysis.Moves {
			if legal.Move == m {
				r.VerdictAfter = legal.Verdict
			}
			if legal.Verdict == analysis.Verdict && analysis.Verdict != Loss {
				r.Best = append(r.Best, legal.Move)
			}
		}
		reviews = append(reviews, r)
		position = next
	}
	return reviews
}

// TurningPoint returns the last mistake of a game. found is false without a mistake, for a void match, and if the
// winner differs from [MoveReview.Leader] of the last mistake. The winner differs, for example, after a player
// has resigned or left with a won position.
func TurningPoint(reviews []MoveReview, outcome rules.Outcome) (r MoveReview, found bool) {
	for _, review := range reviews {
		if review.IsMistake() {
			r, found = review, true
		}
	}
	return r, found && !outcome.IsVoid() && r.Leader() == outcome.Winner
}

// Leader returns the side that wins with perfect play after the move, or zero.
func (r MoveReview) Leader() rules.Side {
	switch r.VerdictAfter {
	case Win:
		return r.Side
	case Loss:
		return r.Side.Other()
	default:
		return rules.NoSide
	}
}

// IsFlawless reports whether a game was played to its end without a mistake.
func IsFlawless(reviews []MoveReview, outcome rules.Outcome) bool {
	switch outcome.Reason {
	case rules.ReasonBoards, rules.ReasonLine, rules.ReasonDraw:
		return !slices.ContainsFunc(reviews, MoveReview.IsMistake)
	default:
		return false
	}
}

// ResignedWon reports whether the side that resigned would have won with perfect play.
func ResignedWon(reviews []MoveReview, outcome rules.Outcome) bool {
	if outcome.Reason != rules.ReasonResign || len(reviews) == 0 {
		return false
	}
	last := reviews[len(reviews)-1]
	if last.Side == outcome.Winner {
		return last.VerdictAfter == Loss
	}
	return last.VerdictAfter == Win
}

// Reason explains a lost position in terms that can be checked on the boards. The easiest reason to see is the
// smallest.
type Reason uint8

// Reasons of lost positions, the easiest to see first.
const (
	NoSafeCell Reason = iota // one board is alive, and every free cell kills it
	Answered                 // one board is alive, and every safe cell has an answer that leaves no safe cell
	Twins                    // the live boards are alike in pairs, and a move on one has an answer on its twin
	ByTheory                 // takes more than a look
	GameOver                 // the game is over
)

// Explanation is the reason for a lost position. Boards holds the one live board for [NoSafeCell] and [Answered], the
// pairs side by side for [Twins], and is empty for other reasons.
type Explanation struct {
	Reason Reason
	Boards []int
}

// ExplainLoss returns the reason why a position of Notakto is lost for the side to move, or [GameOver] if the game is
// over. ExplainLoss requires a lost position, unless the game is over. For tic-tac-toe the reason is always
// [ByTheory], or GameOver.
func ExplainLoss(p rules.Position) Explanation {
	switch {
	case p.Outcome().IsOver():
		return Explanation{Reason: GameOver}
	case p.Variant().IsTicTacToe():
		return Explanation{Reason: ByTheory}
	case p.LiveBoards() > 1:
		return explainPairs(p)
	}
	boards, safe := aliveBoards(p), safeMoves(p)
	if len(safe) == 0 {
		return Explanation{NoSafeCell, boards}
	}
	for _, m := range safe {
		if !canLeaveNoSafeCell(after(p, m)) {
			return Explanation{Reason: ByTheory}
		}
	}
	return Explanation{Answered, boards}
}

// explainPairs looks for pairs of boards that are equal up to rotations and mirror images.
func explainPairs(p rules.Position) Explanation {
	boards := aliveBoards(p)
	image := func(board int) pattern { return notakto().canonical[p.Crosses(board)] }
	slices.SortStableFunc(boards, func(i, j int) int { return int(image(i)) - int(image(j)) })
	for pair := range slices.Chunk(boards, 2) {
		if len(pair) < 2 || image(pair[0]) != image(pair[1]) {
			return Explanation{Reason: ByTheory}
		}
	}
	return Explanation{Twins, boards}
}

func aliveBoards(p rules.Position) []int {
	var boards []int
	for i := range p.Variant().Boards() {
		if !p.IsDead(i) {
			boards = append(boards, i)
		}
	}
	return boards
}

// safeMoves returns the moves that kill no board.
func safeMoves(p rules.Position) []rules.Move {
	var safe []rules.Move
	for _, m := range p.LegalMoves() {
		if !p.Kills(m) {
			safe = append(safe, m)
		}
	}
	return safe
}

// canLeaveNoSafeCell reports whether the side to move has a safe move that leaves the opponent without one.
func canLeaveNoSafeCell(p rules.Position) bool {
	for _, m := range safeMoves(p) {
		if len(safeMoves(after(p, m))) == 0 {
			return true
		}
	}
	return false
}

// Refutation returns the first winning reply to a move with the verdict Loss, in the order of boards and cells. The
// result is false for any other move, and for a move that ended the game.
func (r MoveReview) Refutation() (rules.Move, bool) {
	if r.VerdictAfter != Loss || r.PositionAfter.Outcome().IsOver() {
		return rules.Move{}, false
	}
	for _, m := range Analyse(r.PositionAfter).Moves {
		if m.Verdict == Win {
			return m.Move, true
		}
	}
	return rules.Move{}, false
}

// Reply is a move in a lost position, with all answers that win.
type Reply struct {
	Move    rules.Move
	Answers []rules.Move
}

// Replies returns the legal moves of p that do not end the game, with their answers. If p is lost for the side to
// move, each move has an answer.
func Replies(p rules.Position) []Reply {
	var all []Reply
	for _, m := range p.LegalMoves() {
		if next := after(p, m); !next.Outcome().IsOver() {
			all = append(all, Reply{m, Analyse(next).WinningMoves()})
		}
	}
	return all
}

// Worth holds the value of each board of a position of Notakto in the theory, and their product, as words in a, b, c
// and d. A dead board is 1. A position is lost for the side to move exactly if Product is a, bb, bc or cc.
type Worth struct {
	Boards  []string
	Product string
}

// EvaluateBoards returns the worth of the boards of a position of Notakto, and an empty one for tic-tac-toe.
func EvaluateBoards(p rules.Position) Worth {
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

// Clearest returns the best move that leaves the opponent a lost position with the smallest [Reason], the first one in
// a tie. If no move wins, Clearest returns the first best move. In a lost position Clearest returns the zero move.
func (r MoveReview) Clearest() rules.Move {
	switch {
	case len(r.Best) == 0:
		return rules.Move{}
	case r.VerdictBefore != Win:
		return r.Best[0]
	}
	clearest, least := r.Best[0], GameOver
	for _, m := range r.Best {
		if reason := ExplainLoss(after(r.PositionBefore, m)).Reason; reason < least {
			clearest, least = m, reason
		}
	}
	return clearest
}

// Situation is a kind of position with a simple rule.
type Situation uint8

// The situations that have a rule of thumb.
const (
	AnySituation  Situation = iota
	EmptyBoards             // two or more live boards, all empty. With an odd number the side to move wins
	OneEmptyBoard           // one live board, empty. Only a move to the centre wins
)

// Classify returns the situation of a position of Notakto.
func Classify(p rules.Position) Situation {
	if p.Variant().IsTicTacToe() || p.LiveBoards() == 0 {
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
