package strategy

import (
	"math"
	"sync"

	"notakto/rules"
)

// pattern holds the crosses on a board as [rules.Position.Crosses] does. Bit 0 is the top left cell, and the rest
// follows row by row. An octal digit is therefore a row, and the last digit is the top row.
type pattern = uint16

const patterns = 512

// class holds the live patterns of one value. A pattern in a class stands for all of its images.
type class struct {
	value    word
	patterns []pattern
}

// classes lists the 46 live patterns up to symmetry. The remaining patterns are dead.
func classes() []class {
	return []class{
		{word{}, []pattern{0o001, 0o002, 0o142}},
		{word{a: 1}, []pattern{
			0o012, 0o015, 0o025, 0o033, 0o034, 0o050, 0o053, 0o104, 0o141, 0o146, 0o154, 0o163, 0o252, 0o255, 0o345,
			0o356, 0o505,
		}},
		{word{b: 1}, []pattern{
			0o005, 0o013, 0o014, 0o021, 0o022, 0o035, 0o036, 0o052, 0o055, 0o143, 0o145, 0o156, 0o161, 0o162, 0o253,
		}},
		{word{a: 1, b: 1}, []pattern{0o023, 0o032, 0o105, 0o116, 0o152}},
		{word{c: 1}, []pattern{0o000}},
		{word{c: 2}, []pattern{0o020}},
		{word{d: 1}, []pattern{0o003}},
		{word{a: 1, d: 1}, []pattern{0o016, 0o051, 0o106}},
	}
}

// images returns the eight rotations and mirror images of a pattern, with the pattern itself. Some may be equal.
func images(p pattern) [8]pattern {
	var all [8]pattern
	for i := range all {
		all[i] = p
		p = rotate(p)
		if i == 3 {
			p = mirror(p)
		}
	}
	return all
}

func rotate(p pattern) pattern {
	var q pattern
	for row := range 3 {
		for column := range 3 {
			if p>>(3*row+column)&1 == 1 {
				q |= 1 << (3*column + 2 - row)
			}
		}
	}
	return q
}

// mirror exchanges the top and bottom rows.
func mirror(p pattern) pattern { return p&0o070 | p>>6 | p<<6&0o700 }

// word is a product of powers of the generators of Notakto's misère quotient,
//
//	Q = < a, b, c, d | a² = 1, b³ = b, b²c = c, c³ = ac², b²d = d, cd = ad, d² = c² >
//
// found by Thane Plambeck and Greg Whitehead ("The Secrets of Notakto: Winning at X-only Tic-Tac-Toe", arXiv
// 1301.1672). Every board has a value in Q. The value of several boards is the product of their values.
type word struct{ a, b, c, d uint8 }

func (w word) times(v word) word {
	return word{w.a + v.a, w.b + v.b, w.c + v.c, w.d + v.d}.canonical()
}

// canonical returns the one word that stands for w's element of the quotient.
func (w word) canonical() word {
	for ; w.d >= 2; w.d -= 2 { // d² = c²
		w.c += 2
	}
	for ; w.c >= 1 && w.d >= 1; w.c-- { // cd = ad
		w.a++
	}
	for ; w.c >= 3; w.c-- { // c³ = ac²
		w.a++
	}
	for w.b >= 3 || w.b == 2 && w.c+w.d > 0 { // b³ = b, b²c = c, b²d = d
		w.b -= 2
	}
	w.a %= 2 // a² = 1
	return w
}

// lost reports whether a position with the value w is lost for the side to move.
func (w word) lost() bool {
	switch w {
	case word{a: 1}, word{b: 2}, word{b: 1, c: 1}, word{c: 2}:
		return true
	default:
		return false
	}
}

// order is the number of elements of the quotient.
const order = 18

// element numbers an element of the quotient.
type element uint8

// one is the value of a dead board, and the product of an empty list of boards.
const one element = 0

// words lists the elements of the quotient by their numbers.
func words() []word {
	found := []word{{}}
	known := map[word]bool{{}: true}
	for i := 0; i < len(found); i++ {
		for _, generator := range []word{{a: 1}, {b: 1}, {c: 1}, {d: 1}} {
			if w := found[i].times(generator); !known[w] {
				known[w] = true
				found = append(found, w)
			}
		}
	}
	return found
}

var notakto = sync.OnceValue(newTheory)

// theory holds the misère quotient of Notakto as tables.
type theory struct {
	lost      [order]bool
	product   [order][order]element
	value     [patterns]element
	live      [patterns]bool
	canonical [patterns]pattern // the image of a live pattern that classes lists, 0 for a dead pattern
	// winning is the number of winning moves on a board, by the board's pattern and the product of the values of all
	// other boards.
	winning [patterns][order]uint8
}

func newTheory() *theory {
	t := new(theory)
	elementOf := map[word]element{}
	elements := words()
	for i, w := range elements {
		elementOf[w] = element(i)
		t.lost[i] = w.lost()
	}
	for i, w := range elements {
		for j, v := range elements {
			t.product[i][j] = elementOf[w.times(v)]
		}
	}
	for _, class := range classes() {
		for _, p := range class.patterns {
			for _, image := range images(p) {
				t.value[image], t.live[image], t.canonical[image] = elementOf[class.value], true, p
			}
		}
	}
	for p := range pattern(patterns) {
		if !t.live[p] {
			continue
		}
		for cell := range rules.DefaultVariant().Cells() {
			next := p | mark(number(cell))
			if next == p {
				continue
			}
			for rest := range element(order) {
				if t.isLost(next, rest) {
					t.winning[p][rest]++
				}
			}
		}
	}
	return t
}

// isLost reports whether a board of pattern p beside boards with the product rest is lost for the side to move.
func (t *theory) isLost(p pattern, rest element) bool { return t.lost[t.product[t.value[p]][rest]] }

// sum is a position of Notakto as a combinatorial sum of its boards.
type sum struct {
	*theory
	patterns [rules.MaxBoards]pattern
	boards   int
}

func newSum(p rules.Position) sum {
	s := sum{theory: notakto(), boards: p.Variant().Boards()}
	for i := range s.boards {
		s.patterns[i] = p.Crosses(i)
	}
	return s
}

func (s *sum) verdict() Verdict {
	product := one
	for _, p := range s.patterns[:s.boards] {
		product = s.product[product][s.value[p]]
	}
	if s.lost[product] {
		return Loss
	}
	return Win
}

// rest returns, for each board, the product of all others.
func (s *sum) rest() [rules.MaxBoards]element {
	var rest [rules.MaxBoards]element
	before, after := one, one
	for i := range s.boards {
		rest[i] = before
		before = s.product[before][s.value[s.patterns[i]]]
	}
	for i := s.boards - 1; i >= 0; i-- {
		rest[i] = s.product[rest[i]][after]
		after = s.product[after][s.value[s.patterns[i]]]
	}
	return rest
}

// winningMoves returns the number of moves that win. The result is 0 in a lost position and after the end of the
// game.
func (s *sum) winningMoves() int {
	rest, n := s.rest(), 0
	for i, p := range s.patterns[:s.boards] {
		n += int(s.winning[p][rest[i]])
	}
	return n
}

// best lists the moves that win, or in a lost position the hardest moves.
func (s *sum) best() shortlist {
	if s.winningMoves() == 0 {
		return s.hardestMoves()
	}
	var list shortlist
	rest := s.rest()
	for i, p := range s.patterns[:s.boards] {
		if s.winning[p][rest[i]] == 0 {
			continue
		}
		for cell := range rules.DefaultVariant().Cells() {
			if next := p | mark(number(cell)); next != p && s.isLost(next, rest[i]) {
				list.offer(rules.Move{Board: uint8(i), Cell: cell}, 0)
			}
		}
	}
	return list
}

// hardestMoves lists the moves that leave the opponent the fewest winning replies. During the call, hardestMoves
// changes the patterns of s and restores them.
func (s *sum) hardestMoves() shortlist {
	var list shortlist
	for i, p := range s.patterns[:s.boards] {
		if !s.live[p] {
			continue
		}
		for cell := range rules.DefaultVariant().Cells() {
			next := p | mark(number(cell))
			if next == p {
				continue
			}
			s.patterns[i] = next
			replies := s.winningMoves()
			if replies == 0 { // the move has ended the game and lost it
				replies = math.MaxInt
			}
			list.offer(rules.Move{Board: uint8(i), Cell: cell}, replies)
		}
		s.patterns[i] = p
	}
	return list
}

// ticTacToe returns the verdicts of all 5,478 reachable positions for the side to move.
var ticTacToe = sync.OnceValue(func() map[rules.Position]Verdict {
	verdicts := make(map[rules.Position]Verdict, 5478)
	search(rules.TicTacToe().Start(), verdicts)
	return verdicts
})

// search returns the verdict of p and stores in known those of p and of all positions after it.
func search(p rules.Position, known map[rules.Position]Verdict) Verdict {
	if verdict, ok := known[p]; ok {
		return verdict
	}
	best := Loss // the lowest verdict, and the verdict after a line of the opponent
	if p.Outcome().Reason == rules.ReasonDraw {
		best = Draw
	}
	for _, m := range p.LegalMoves() {
		best = max(best, search(after(p, m), known).forOpponent())
	}
	known[p] = best
	return best
}
