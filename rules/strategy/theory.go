package strategy

import (
	"sync"

	"notakto/rules"
)

// notakto is the theory, worked out on first use.
var notakto = sync.OnceValue(newTheory)

// theory is the misère quotient of Notakto as tables. It never changes once made.
type theory struct {
	lost    [order]bool
	product [order][order]element
	value   [patterns]element
	live    [patterns]bool
	image   [patterns]pattern // one of a live pattern's images, the same for all of them
	// winning is the number of moves on a board that win, by the board's pattern and the product of the values of all
	// other boards.
	winning [patterns][order]uint8
}

func newTheory() *theory {
	t := new(theory)
	number := map[word]element{}
	elements := words()
	for i, w := range elements {
		number[w] = element(i)
		t.lost[i] = w.lost()
	}
	for i, w := range elements {
		for j, v := range elements {
			t.product[i][j] = number[w.times(v)]
		}
	}
	for _, class := range classes() {
		for _, p := range class.patterns {
			for _, image := range images(p) {
				t.value[image], t.live[image], t.image[image] = number[class.value], true, p
			}
		}
	}
	t.countWinning()
	return t
}

func (t *theory) countWinning() {
	for p := range pattern(patterns) {
		if !t.live[p] {
			continue
		}
		for cell := range rules.DefaultVariant().Cells() {
			next := p | bit(cell)
			if next == p {
				continue
			}
			for rest := range element(order) {
				if t.leavesLost(next, rest) {
					t.winning[p][rest]++
				}
			}
		}
	}
}

// leavesLost reports whether a board of pattern p beside others of the product rest is lost for the side to move.
func (t *theory) leavesLost(p pattern, rest element) bool { return t.lost[t.product[t.value[p]][rest]] }

// bit is the pattern of one cross.
func bit(c rules.Cell) pattern { return 1 << (number(c) - 1) }
