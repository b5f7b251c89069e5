package strategy

import "testing"

func TestTheQuotientIsACommutativeMonoidOfOrder18(t *testing.T) {
	elements := words()
	if len(elements) != order || elements[one] != (word{}) {
		t.Fatalf("%d elements, of which the first is %v", len(elements), elements[one])
	}
	for _, x := range elements {
		if x.lowest() != x || x.times(word{}) != x {
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

// Two elements that no third distinguishes would be equal: then the quotient would have redundant elements.
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
