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

// The counts are those of the published theory.
func TestTheTableHasEveryLivePatternOnce(t *testing.T) {
	theory := notakto()
	live, values := 0, map[element]bool{}
	for p := range pattern(patterns) {
		if theory.live[p] == threeInARow(p) {
			t.Errorf("%03o is live: %v", p, theory.live[p])
		}
		if theory.live[p] {
			live++
			values[theory.value[p]] = true
		} else if theory.value[p] != one {
			t.Errorf("%03o is dead and not worth 1", p)
		}
	}
	listed, images46 := 0, map[pattern]bool{}
	for _, class := range classes() {
		for _, p := range class.patterns {
			listed++
			smallest := p
			for _, image := range images(p) {
				smallest = min(smallest, image)
			}
			if smallest != p || images46[p] {
				t.Errorf("%03o is listed twice, or is not the smallest of its images", p)
			}
			images46[p] = true
		}
	}
	if live != 230 || listed != 46 || len(values) != 8 {
		t.Errorf("%d live patterns, %d up to symmetry, %d values; theory says 230, 46 and 8", live, listed, len(values))
	}
}

func TestImagesAreTheSymmetriesOfTheSquare(t *testing.T) {
	different := map[pattern]bool{}
	for _, image := range images(0o003) { // has no symmetry of its own
		different[image] = true
	}
	if len(different) != 8 {
		t.Errorf("%d different images of 003, want 8", len(different))
	}
	for p := range pattern(patterns) {
		if rotate(rotate(rotate(rotate(p)))) != p || mirror(mirror(p)) != p ||
			mirror(rotate(mirror(rotate(p)))) != p {
			t.Errorf("%03o: the turns and mirrors do not make a group", p)
		}
		for _, image := range images(p) {
			if threeInARow(image) != threeInARow(p) {
				t.Errorf("%03o and its image %03o are not alike", p, image)
			}
		}
	}
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

func TestTheQuotientIsACommutativeMonoidOfOrder18(t *testing.T) {
	elements := words()
	if len(elements) != order || elements[one] != (word{}) {
		t.Fatalf("%d elements, of which the first is %v", len(elements), elements[one])
	}
	for _, x := range elements {
		if x.canonical() != x || x.times(word{}) != x {
			t.Errorf("%v times 1 is %v", x, x.times(word{}))
		}
		for _, y := range elements {
			if x.times(y) != y.times(x) {
				t.Errorf("%v times %v depends on the order", x, y)
			}
			for _, z := range elements {
				if x.times(y).times(z) != x.times(y.times(z)) {
					t.Errorf("%v times %v times %v depends on the grouping", x, y, z)
				}
			}
		}
	}
}

func TestTheRelationsHoldEverywhere(t *testing.T) {
	for _, relation := range [][2]word{
		{{a: 2}, {}},
		{{b: 3}, {b: 1}},
		{{b: 2, c: 1}, {c: 1}},
		{{c: 3}, {a: 1, c: 2}},
		{{b: 2, d: 1}, {d: 1}},
		{{c: 1, d: 1}, {a: 1, d: 1}},
		{{d: 2}, {c: 2}},
	} {
		for _, x := range words() {
			if left, right := x.times(relation[0]), x.times(relation[1]); left != right {
				t.Errorf("%v times %v is %v, but times %v it is %v", x, relation[0], left, relation[1], right)
			}
		}
	}
}

// The quotient would have redundant elements if no third element distinguished two of them.
func TestElementsOfTheQuotientDiffer(t *testing.T) {
	elements := words()
	lost := 0
	for i, x := range elements {
		if x.lost() {
			lost++
		}
		for _, y := range elements[:i] {
			apart := false
			for _, z := range elements {
				apart = apart || x.times(z).lost() != y.times(z).lost()
			}
			if !apart {
				t.Errorf("%v and %v are alike", x, y)
			}
		}
	}
	if lost != 4 {
		t.Errorf("%d elements are lost for the side to move, want a, b², bc and c²", lost)
	}
}

func TestTheTablesAreTheQuotient(t *testing.T) {
	elements, theory := words(), notakto()
	for i, x := range elements {
		if theory.lost[i] != x.lost() {
			t.Errorf("%v is lost: %v", x, theory.lost[i])
		}
		for j, y := range elements {
			if got := elements[theory.product[i][j]]; got != x.times(y) {
				t.Errorf("%v times %v is %v in the table", x, y, got)
			}
		}
	}
}
