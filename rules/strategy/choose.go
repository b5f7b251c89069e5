package strategy

import (
	"math/bits"
	"math/rand/v2"
	"slices"

	"notakto/rules"
)

// Choose returns the level's move in p. Equal seeds of rng lead to equal games. Moves that the level considers
// equally good are equally likely. Choose returns the zero move if the game is over or l is no level. The zero
// move is never legal.
func (l Level) Choose(p rules.Position, rng *rand.Rand) rules.Move {
	return l.ChooseAfter(rules.Move{}, p, rng)
}

// ChooseAfter chooses like [Level.Choose], and tells [Center] the opponent's last move. The zero move stands for an
// unknown last move.
func (l Level) ChooseAfter(last rules.Move, p rules.Position, rng *rand.Rand) rules.Move {
	if !p.Variant().IsValid() || p.Outcome().IsOver() {
		return rules.Move{}
	}
	switch l {
	case Random:
		return randomMove(p, rng)
	case Student:
		return playStudent(p)
	case Center:
		return playCenter(p, last, rng)
	case Club:
		return playClub(p, rng)
	case Perfect:
		best := bestMoves(p)
		return best.pick(rng)
	case Novice, Learner, Steady, Careful, Sharp:
		return rungs[l].choose(p, rng)
	default:
		return rules.Move{}
	}
}

func randomMove(p rules.Position, rng *rand.Rand) rules.Move {
	legal := p.LegalMoves()
	return legal[rng.IntN(len(legal))]
}

// shortlist holds the moves offered at the lowest cost, without an allocation. The zero value is empty.
type shortlist struct {
	moves [9 * rules.MaxBoards]rules.Move
	n     int
	cost  int
}

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

// pick returns a random move of s. s must not be empty.
func (s *shortlist) pick(rng *rand.Rand) rules.Move { return s.moves[rng.IntN(s.n)] }

// bestMoves lists the moves that the perfect player considers equally good, winning ones or else drawing ones. In a
// lost game the best moves leave the opponent the fewest winning replies, and end the game only if every move does.
// In tic-tac-toe, completing a line comes before other ways to win.
func bestMoves(p rules.Position) shortlist {
	if !p.Variant().IsTicTacToe() {
		s := newSum(p)
		return s.best()
	}
	var list shortlist
	for _, m := range p.LegalMoves() {
		cost, next := 0, after(p, m)
		switch verdict := Evaluate(next); {
		case next.Outcome().Reason == rules.ReasonLine:
		case verdict == Loss:
			cost = 1
		case verdict == Draw:
			cost = 2
		default:
			cost = 2 + len(Analyse(next).WinningMoves())
		}
		list.offer(m, cost)
	}
	return list
}

// clubMovesPerMistake is the mean number of moves of the club player per mistake.
const clubMovesPerMistake = 4

// playClub plays a best move, or a mistake. A mistake is a move outside bestMoves with the lowest verdict among such
// moves.
func playClub(p rules.Position, rng *rand.Rand) rules.Move {
	best := bestMoves(p)
	if rng.IntN(clubMovesPerMistake) > 0 {
		return best.pick(rng)
	}
	var mistakes shortlist
	for _, m := range p.LegalMoves() {
		if !best.has(m) {
			mistakes.offer(m, int(evaluateMove(p, m)))
		}
	}
	if mistakes.n == 0 { // every move is a best one
		return best.pick(rng)
	}
	return mistakes.pick(rng)
}

// playStudent applies the rule of the two-board program of package classic to any number of boards. The rule uses no
// random number.
//
// The board is the live one with the fewest crosses, the last one in a tie. The cell is the free one with the
// smallest [rules.Cell] on board A, and with the largest on any other board, even if the move kills the board. While
// only one board is live, playStudent first looks for a cell that does not kill the board.
//
// In tic-tac-toe, playStudent takes the free cell with the smallest rules.Cell. A completed line wins there, and
// playStudent avoids no cell.
func playStudent(p rules.Position) rules.Move {
	board, least := -1, 0
	for b := range p.Variant().Boards() {
		if n := bits.OnesCount16(p.Crosses(b)); !p.IsDead(b) && (board < 0 || n <= least) {
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
		if p.Variant().IsTicTacToe() || p.LiveBoards() > 1 || !after(p, m).IsDead(board) {
			return m
		}
	}
	return first
}

// playCenter applies the strong rule of the one-board program of package classic to any number of boards. The program
// and playCenter number the cells 1 to 9 from the top left, unlike [rules.Cell].
//
// On a board the rule takes 5 if it is free. Otherwise the rule takes the first cell that is not bad. The bad cells
// are
//   - every cross, and the cell opposite it (10 minus its number)
//   - the row and the column of the opponent's last mark
//   - all even cells if that mark is even
//
// An unknown last mark may be any cross except the one on 5, because the rule itself takes 5 when it can. With an
// unknown last mark, the last two entries of the list apply only to cells that are bad after every possible last
// mark. On one board the rule never loses if it moves first, even if the last marks are unknown.
//
// With several boards, playCenter tries the live boards from A on and plays the first cell that is not bad. On a board
// without the last mark, that mark counts as unknown. If every cell is bad, playCenter plays a random legal move.
func playCenter(p rules.Position, last rules.Move, rng *rand.Rand) rules.Move {
	if p.Variant().IsTicTacToe() {
		return playCenterTicTacToe(p)
	}
	for board := range p.Variant().Boards() {
		if p.IsDead(board) {
			continue
		}
		lastHere := pattern(0)
		if last.Cell != 0 && int(last.Board) == board {
			lastHere = mark(number(last.Cell))
		}
		if n := firstGoodCell(p.Crosses(board), lastHere); n > 0 {
			return rules.Move{Board: uint8(board), Cell: cellAt(n)}
		}
	}
	return randomMove(p, rng)
}

// Cells of a board, numbered from the top left.
const (
	middle   = 5
	lastCell = 9
)

// cellAt returns the cell with a number from the top left.
func cellAt(n int) rules.Cell { return rules.DefaultVariant().CellAt((n-1)/3, (n-1)%3) }

// number is the inverse of cellAt.
func number(c rules.Cell) int {
	row, column := rules.DefaultVariant().Place(c)
	return 3*row + column + 1
}

// mark returns the pattern of one cross on a numbered cell.
func mark(n int) pattern { return 1 << (n - 1) }

// firstGoodCell returns the number of the cell that playCenter takes on a live board, or 0 if every cell is bad. The
// pattern last holds the opponent's last mark, or is empty if the mark is not known to be on this board.
func firstGoodCell(crosses, last pattern) int {
	if crosses&mark(middle) == 0 {
		return middle
	}
	if last == 0 {
		last = crosses &^ mark(middle)
	}
	badForEvery := pattern(0) // cells that are bad after every mark in last
	for n, seen := 1, false; n <= lastCell; n++ {
		switch {
		case last&mark(n) == 0:
		case !seen:
			badForEvery, seen = badAfter(n), true
		default:
			badForEvery &= badAfter(n)
		}
	}
	opposite := bits.Reverse16(crosses) >> 7 // cell n becomes 10-n
	bad := crosses | opposite | badForEvery
	for n := 1; n <= lastCell; n++ {
		if bad&mark(n) == 0 {
			return n
		}
	}
	return 0
}

// badAfter returns the cells that are bad because of the last mark, n.
func badAfter(n int) pattern {
	row, column := (n-1)/3, (n-1)%3
	bad := pattern(0o007)<<(3*row) | pattern(0o111)<<column
	if n%2 == 0 {
		bad |= mark(2) | mark(4) | mark(6) | mark(8)
	}
	return bad
}

// playCenterTicTacToe completes an own line, or blocks one of the opponent, or takes the first free cell of the
// centre, the corners and the rest.
func playCenterTicTacToe(p rules.Position) rules.Move {
	own, other := rules.Nought, rules.Cross
	if p.Turn() == rules.Second {
		own, other = other, own
	}
	n := findCompletion(p, own)
	if n == 0 {
		n = findCompletion(p, other)
	}
	if n == 0 {
		cells := [...]int{5, 1, 3, 7, 9, 2, 4, 6, 8}
		free := slices.IndexFunc(cells[:], func(n int) bool { return p.At(0, cellAt(n)) == rules.Empty })
		n = cells[free]
	}
	return rules.Move{Cell: cellAt(n)}
}

// findCompletion returns the free cell of the first line that holds two of the marks, or 0. The order of the lines is
// that of package classic.
func findCompletion(p rules.Position, m rules.Mark) int {
	lines := [...][3]int{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {1, 4, 7}, {2, 5, 8}, {3, 6, 9}, {1, 5, 9}, {3, 5, 7}}
	for _, line := range lines {
		marks, free := 0, 0
		for _, n := range line {
			switch p.At(0, cellAt(n)) {
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
