package strategy

import (
	"math/bits"
	"math/rand/v2"
	"slices"

	"notakto/rules"
)

// Choose returns the level's move in p. Randomness comes from rng alone: one seed plays one game. The draw among moves
// that the level considers equally good is uniform. If the game is over or l is no level, Choose returns the zero move,
// which is never legal.
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

// offer adds m unless a cheaper move was offered, and drops dearer ones.
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

// draw returns one of the moves, all equally likely. There must be one.
func (s *shortlist) draw(rng *rand.Rand) rules.Move { return s.moves[rng.IntN(s.n)] }

// perfect lists the moves that the perfect player considers equally good: those that win, else those that draw. In a
// lost game it lists those that leave the opponent the fewest winning replies, and none that ends the game if another
// does not. In tic-tac-toe, completing a line comes before other ways to win.
func perfect(p rules.Position) shortlist {
	if !p.Variant().IsTicTacToe() {
		s := newSum(p)
		return s.best()
	}
	var list shortlist
	for _, m := range p.Legal() {
		cost, next := 0, after(p, m)
		switch verdict := Evaluate(next); {
		case next.Outcome().Reason == rules.Line:
		case verdict == Loss:
			cost = 1
		case verdict == Draw:
			cost = 2
		default:
			cost = 2 + len(Analyse(next).Winning())
		}
		list.offer(m, cost)
	}
	return list
}

// clubErrs is the number of moves of which the club player errs in one on average.
const clubErrs = 4

// club plays as the perfect player does. When it errs, it draws from the moves that lose, else from those that draw,
// else from the rest of those that the perfect player would not play.
func club(p rules.Position, rng *rand.Rand) rules.Move {
	best := perfect(p)
	if rng.IntN(clubErrs) > 0 {
		return best.draw(rng)
	}
	var errors shortlist
	for _, m := range p.Legal() {
		if !best.has(m) {
			errors.offer(m, int(evaluateMove(p, m)))
		}
	}
	if errors.n == 0 { // nothing can go wrong
		return best.draw(rng)
	}
	return errors.draw(rng)
}

// student plays the rule of the seed program on two boards, carried over to any number of them. It draws no lots.
//
// The board is the live one with the fewest crosses, the last of several. (On two boards: the first if it has fewer
// crosses, otherwise the second.) The cell is the free one with the smallest number on board A and with the largest
// number on any other board, whether it kills the board or not. Only on the last live board does the student avoid to
// kill it, if there is another cell.
//
// In tic-tac-toe, where no move of one's own loses, the rule takes the free cell with the smallest number.
func student(p rules.Position) rules.Move {
	board, least := -1, 0
	for b := range p.Variant().Boards() {
		if n := bits.OnesCount16(p.Crosses(b)); !p.Dead(b) && (board < 0 || n <= least) {
			board, least = b, n
		}
	}
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

// center plays the strong rule of the seed program on one board, carried over to any number of them. Cells are numbered
// as in that program, 1 to 9 from the top left.
//
// On a board the rule takes 5 if it is free. Otherwise these cells are bad: every cross and the cell opposite it (10
// minus its number), the row and the column of the opponent's last mark, and all even cells if that mark is even. The
// rule takes the first cell that is not bad.
//
// A position does not show its last mark. If the mark is not known, it may have been any cross but the one on 5, which
// the rule itself takes when it can. A cell then counts as bad on account of the last mark only if it would after each
// of them. With one board and the first move this still never loses, as the seed program never does.
//
// With several boards the rule looks at each live one, from A on, as if the last mark had been made there, and plays
// the first cell that it finds. If it finds none, it plays a random legal move.
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

// The boards of the theory and of the older programs have nine cells.
const (
	middle   = 5
	lastCell = 9
)

// numbered returns the cell with a number from the top left.
func numbered(n int) rules.Cell { return rules.DefaultVariant().CellAt((n-1)/3, (n-1)%3) }

// number is the inverse of numbered.
func number(c rules.Cell) int {
	row, column := rules.DefaultVariant().Place(c)
	return 3*row + column + 1
}

// mark returns the pattern of one cross on a numbered cell.
func mark(n int) pattern { return 1 << (n - 1) }

// firstNotBad returns the number of the cell that the rule takes on a live board of Notakto, 0 if all are bad. last is
// the pattern of the opponent's last mark, or empty if it is not known to be on this board.
func firstNotBad(crosses, last pattern) int {
	if crosses&mark(middle) == 0 {
		return middle
	}
	if last == 0 {
		last = crosses &^ mark(middle)
	}
	badForAny := pattern(0) // cells that are bad after each mark of last
	for n, seen := 1, false; n <= 9; n++ {
		switch {
		case last&mark(n) == 0:
		case !seen:
			badForAny, seen = badAfter(n), true
		default:
			badForAny &= badAfter(n)
		}
	}
	opposite := bits.Reverse16(crosses) >> 7 // cell n becomes 10-n
	bad := crosses | opposite | badForAny
	for n := 1; n <= 9; n++ {
		if bad&mark(n) == 0 {
			return n
		}
	}
	return 0
}

// badAfter returns the cells that are bad on account of the last mark, n.
func badAfter(n int) pattern {
	row, column := (n-1)/3, (n-1)%3
	bad := pattern(0o007)<<(3*row) | pattern(0o111)<<column
	if n%2 == 0 {
		bad |= mark(2) | mark(4) | mark(6) | mark(8)
	}
	return bad
}

// centerTicTacToe completes a line of its own, else blocks one of the opponent's, else takes the first free cell of the
// center, the corners and the others.
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
		cells := [...]int{5, 1, 3, 7, 9, 2, 4, 6, 8}
		free := slices.IndexFunc(cells[:], func(n int) bool { return p.At(0, numbered(n)) == rules.Empty })
		n = cells[free]
	}
	return rules.Move{Cell: numbered(n)}
}

// completing returns the free cell of the first line that holds two of the marks, or 0. The order of the lines is that
// of the seed program.
func completing(p rules.Position, m rules.Mark) int {
	lines := [...][3]int{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {1, 4, 7}, {2, 5, 8}, {3, 6, 9}, {1, 5, 9}, {3, 5, 7}}
	for _, line := range lines {
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
