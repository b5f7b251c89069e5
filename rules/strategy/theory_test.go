package strategy

import "testing"

// threeInARow does not use the tables that it checks.
func threeInARow(p pattern) bool {
	at := func(row, column int) bool { return p>>(3*row+column)&1 == 1 }
	for i := range 3 {
		if at(i, 0) && at(i, 1) && at(i, 2) || at(0, i) && at(1, i) && at(2, i) {
			return true
		}
	}
	return at(1, 1) && (at(0, 0) && at(2, 2) || at(0, 2) && at(2, 0))
}

// outlook holds all that matters of a sum of live boards. wins tells for each value if the sum beside it has a move
// that leaves a lost position.
type outlook struct {
	value element
	wins  [order]bool
}

// The test proves the table for any number of boards, by induction over the moves left. A sum is lost exactly when
// its value says so, if every sum with a losing value has no move to a lost value, and every other sum has one. Two
// sums side by side depend only on their outlooks, and these are few enough to check every sum.
func TestTheTheoryHoldsForAnyNumberOfBoards(t *testing.T) {
	theory := notakto()
	var boards []outlook
	for p := range pattern(patterns) {
		if !threeInARow(p) {
			boards = append(boards, outlookOf(theory, p))
		}
	}
	known := map[outlook]bool{}
	var open []outlook
	discover := func(o outlook) {
		if !known[o] {
			known[o] = true
			open = append(open, o)
		}
	}
	for _, board := range boards {
		discover(board)
	}
	for len(open) > 0 {
		sum := open[len(open)-1]
		open = open[:len(open)-1]
		if sum.wins[one] == theory.lost[sum.value] {
			t.Fatalf("a sum of value %v has a winning move: %v", words()[sum.value], sum.wins[one])
		}
		for _, board := range boards {
			discover(sum.beside(board, theory))
		}
	}
	if len(known) < len(words()) {
		t.Errorf("only %d outlooks were seen", len(known))
	}
	t.Logf("%d outlooks", len(known))
}

func outlookOf(theory *theory, p pattern) outlook {
	o := outlook{value: theory.value[p]}
	for i := range 9 {
		next := p | 1<<i
		if next == p {
			continue
		}
		value := theory.value[next]
		if threeInARow(next) {
			value = one
		}
		for rest := range element(order) {
			if theory.lost[theory.product[value][rest]] {
				o.wins[rest] = true
			}
		}
	}
	return o
}

func (o outlook) beside(other outlook, theory *theory) outlook {
	sum := outlook{value: theory.product[o.value][other.value]}
	for rest := range element(order) {
		sum.wins[rest] = o.wins[theory.product[rest][other.value]] || other.wins[theory.product[rest][o.value]]
	}
	return sum
}
