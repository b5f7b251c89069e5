package strategy

import (
	"math/bits"
	"math/rand/v2"
	"slices"

	"notakto/rules"
)

// Choose returns the level's move in p. Randomness comes from rng alone, so the same seed plays the same game; the draw
// among moves that the level considers equally good is uniform. If the game is over or l is no level, it returns the
// zero move, which is never legal.
func (l Level) Choose(p rules.Position, rng *rand.Rand) rules.Move {
	return l.ChooseAfter(rules.Move{}, p, rng)
}

// ChooseAfter is [Level.Choose] for callers that know the opponent's last move, which [Center] uses. The zero move
// stands for an unknown one.
func (l Level) ChooseAfter(last rules.Move, p rules.Position, rng *rand.Rand) rules.Move {
	if !p.Variant().Valid() || p.Outcome().Over() {
		return rules.Move{}
	}
	switch l {
	case Random:
		return anyMove(p, rng)
	case Student:
		return student(p)
	case Center:
		return center(p, last, rng)
	case Club:
		return club(p, rng)
	case Perfect:
		best := perfect(p)
		return best.draw(rng)
	case Novice, Learner, Steady, Careful, Sharp:
		return rungs[l].choose(p, rng)
	default:
		return rules.Move{}
	}
}

func anyMove(p rules.Position, rng *rand.Rand) rules.Move {
	legal := p.Legal()
	return legal[rng.IntN(len(legal))]
}

// shortlist holds the moves that were offered at the lowest cost, without allocating. The zero value is empty.
type shortlist struct {
	moves [9 * rules.MaxBoards]rules.Move
	n     int
	cost  int
}

// offer adds m unless a cheaper move was offered, and drops what is dearer.
func (s *shortlist) offer(m rules.Move, cost int) {
	if s.n > 0 && cost > s.cost {
		return
	}
	if cost < s.cost {
		s.n = 0
	}
	s.moves[s.n], s.cost = m, cost
	s.n++
}

func (s *shortlist) has(m rules.Move) bool { return slices.Contains(s.moves[:s.n], m) }

// draw returns one of the moves, each as likely as any other. There must be one.
func (s *shortlist) draw(rng *rand.Rand) rules.Move { return s.moves[rng.IntN(s.n)] }

// perfect lists the moves that the perfect player considers equally good: those that win; if none does, those that
// draw; in a lost game those that leave the opponent the fewest winning replies, and never one that ends the game if
// another does not. In tic-tac-toe a line that can be completed is: other ways to win come after it.
func perfect(p rules.Position) shortlist {
	if p.Variant().IsTicTacToe() {
		return perfectTicTacToe(p)
	}
	s := newSum(p)
	return s.best()
}

func perfectTicTacToe(p rules.Position) shortlist {
	var list shortlist
	for _, m := range p.Legal() {
		list.offer(m, ticTacToeCost(after(p, m)))
	}
	return list
}

// ticTacToeCost rates p for the side that has just moved; lower is better: 0 for a completed line, then a win, a draw,
// and a loss by the number of replies that win.
func ticTacToeCost(p rules.Position) int {
	switch verdict := Evaluate(p); {
	case p.Outcome().Reason == rules.Line:
		return 0
	case verdict == Loss:
		return 1
	case verdict == Draw:
		return 2
	default:
		return 2 + len(Analyse(p).Winning())
	}
}

// clubErrs is how many moves the club player makes for each one that it errs in.
const clubErrs = 4

// club plays as the perfect player does, but for one move in four on average it draws from the moves which that one
// would not play.
func club(p rules.Position, rng *rand.Rand) rules.Move {
	best := perfect(p)
	if rng.IntN(clubErrs) == 0 {
		if errors := mistakes(p, &best); errors.n > 0 {
			return errors.draw(rng)
		}
	}
	return best.draw(rng)
}

// mistakes lists the legal moves that are not among the best: the losing ones if there are any, else the drawing ones,
// else the rest. It is empty where nothing can go wrong.
func mistakes(p rules.Position, best *shortlist) shortlist {
	var list shortlist
	for _, m := range p.Legal() {
		if !best.has(m) {
			list.offer(m, int(evaluateMove(p, m)))
		}
	}
	return list
}

// student plays the rule of the seed program on two boards, carried over to any number of them. It leaves nothing to
// chance.
//
// The board is the one with the fewest crosses among those alive; of several, the last. (On two boards: the first if it
// has fewer crosses, otherwise the second.) The cell is the free one with the smallest number on board A and with the
// largest number on any other board, whether it kills the board or not. Only on the last board alive does the student
// avoid to kill it, as long as there is another cell.
//
// In tic-tac-toe, where no move of one's own loses, that leaves the free cell with the smallest number.
func student(p rules.Position) rules.Move {
	board := fewestCrosses(p)
	first := rules.Move{}
	for cell := range p.Variant().Cells() {
		m := rules.Move{Board: uint8(board), Cell: cell}
		if board > 0 {
			m.Cell = lastCell + 1 - cell
		}
		if p.Check(m) != nil {
			continue
		}
		if first == (rules.Move{}) {
			first = m
		}
		if p.Variant().IsTicTacToe() || p.Alive() > 1 || !after(p, m).Dead(board) {
			return m
		}
	}
	return first
}

// fewestCrosses returns the board alive with the fewest crosses, the last such.
func fewestCrosses(p rules.Position) int {
	fewest, least := -1, 0
	for board := range p.Variant().Boards() {
		if p.Dead(board) {
			continue
		}
		if n := bits.OnesCount16(p.Crosses(board)); fewest < 0 || n <= least {
			fewest, least = board, n
		}
	}
	return fewest
}

// center plays the strong rule of the seed program on one board, carried over to any number of them. Cells are numbered
// as there, 1 to 9 from the top left.
//
// On a board the rule takes 5 if it is free. Otherwise it holds bad: every cross and the cell opposite it (10 minus
// it); the row and the column of the opponent's last mark; all even cells if that mark is even. It takes the first cell
// that is not bad.
//
// A position does not show which mark came last. If that is not known, any cross but the one on 5, which the rule
// itself takes when it can, may have been, so a cell counts as bad on account of the last mark only if it would
// whichever of them that was. With one board and the first move that still never loses, as the seed's program never
// does.
//
// With several boards the rule is asked about each that is alive, from A on, as if a last mark had been made there, and
// the first cell it finds is played. If it finds none, a random legal move is.
func center(p rules.Position, last rules.Move, rng *rand.Rand) rules.Move {
	if p.Variant().IsTicTacToe() {
		return centerTicTacToe(p)
	}
	for board := range p.Variant().Boards() {
		if p.Dead(board) {
			continue
		}
		lastHere := pattern(0)
		if last.Cell != 0 && int(last.Board) == board {
			lastHere = mark(number(last.Cell))
		}
		if n := firstNotBad(p.Crosses(board), lastHere); n > 0 {
			return rules.Move{Board: uint8(board), Cell: numbered(n)}
		}
	}
	return anyMove(p, rng)
}

// The theory and the rules of the older programs are of boards of nine cells.
const (
	middle   = 5
	lastCell = 9
)

// numbered is the cell with a number from the top left.
func numbered(n int) rules.Cell { return rules.DefaultVariant().CellAt((n-1)/3, (n-1)%3) }

// number is the inverse of numbered.
func number(c rules.Cell) int {
	row, column := rules.DefaultVariant().Place(c)
	return 3*row + column + 1
}

// mark is the pattern of one cross on a numbered cell.
func mark(n int) pattern { return 1 << (n - 1) }

// firstNotBad is the number of the cell that the rule takes on a live board of Notakto, 0 if all are bad. last is the
// pattern of the opponent's last mark, or empty if it is not known to be on this board.
func firstNotBad(crosses, last pattern) int {
	if crosses&mark(middle) == 0 {
		return middle
	}
	if last == 0 {
		last = crosses &^ mark(middle)
	}
	bad := crosses | opposite(crosses) | badForAny(last)
	for n := 1; n <= 9; n++ {
		if bad&mark(n) == 0 {
			return n
		}
	}
	return 0
}

// opposite is the pattern seen through the centre: n becomes 10-n.
func opposite(p pattern) pattern { return bits.Reverse16(p) >> 7 }

// badForAny is what is bad on account of the last mark, whichever of the marks it was.
func badForAny(marks pattern) pattern {
	bad := pattern(0)
	for n, seen := 1, false; n <= 9; n++ {
		switch {
		case marks&mark(n) == 0:
		case !seen:
			bad, seen = badAfter(n), true
		default:
			bad &= badAfter(n)
		}
	}
	return bad
}

// badAfter is what is bad on account of the last mark, n.
func badAfter(n int) pattern {
	row, column := (n-1)/3, (n-1)%3
	bad := pattern(0o007)<<(3*row) | pattern(0o111)<<column
	if n%2 == 0 {
		bad |= mark(2) | mark(4) | mark(6) | mark(8)
	}
	return bad
}

// ticTacToeLines returns the lines in the order in which the seed's rule looks at them, by cells numbered from the top
// left.
func ticTacToeLines() [8][3]int {
	return [8][3]int{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {1, 4, 7}, {2, 5, 8}, {3, 6, 9}, {1, 5, 9}, {3, 5, 7}}
}

// centerTicTacToe completes a line of its own; else blocks one of the opponent's; else takes the centre, then the
// corners, then any cell, the first that is free.
func centerTicTacToe(p rules.Position) rules.Move {
	own, other := rules.Nought, rules.Cross
	if p.Turn() == rules.Second {
		own, other = other, own
	}
	n := completing(p, own)
	if n == 0 {
		n = completing(p, other)
	}
	if n == 0 {
		n = firstFree(p)
	}
	return rules.Move{Cell: numbered(n)}
}

// completing returns the free cell of the first line that holds two of the marks, 0 if there is none.
func completing(p rules.Position, m rules.Mark) int {
	for _, line := range ticTacToeLines() {
		marks, free := 0, 0
		for _, n := range line {
			switch p.At(0, numbered(n)) {
			case m:
				marks++
			case rules.Empty:
				free = n
			}
		}
		if marks == 2 && free != 0 {
			return free
		}
	}
	return 0
}

func firstFree(p rules.Position) int {
	for _, n := range [...]int{5, 1, 3, 7, 9, 2, 4, 6, 8} {
		if p.At(0, numbered(n)) == rules.Empty {
			return n
		}
	}
	return 0
}
