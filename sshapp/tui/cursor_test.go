package tui

import (
	"strings"
	"testing"

	"notakto/internal/testkit"
	"notakto/rules"
	"notakto/sshapp/start"
)

func TestCursorReachesAll(t *testing.T) {
	for _, v := range variants() {
		p := middle(v).Position
		for _, size := range sizes() {
			a := planTable(size[0], size[1], v).boards
			start := cursor{cell: 5}.skipDead(p)
			seen, todo := map[cursor]bool{start: true}, []cursor{start}
			for len(todo) > 0 {
				at := todo[0]
				todo = todo[1:]
				for _, d := range []direction{{0, -1}, {0, 1}, {-1, 0}, {1, 0}} {
					if next := at.step(d, a, p); !seen[next] {
						seen[next], todo = true, append(todo, next)
					}
				}
			}
			testkit.Equal(t, len(seen), 9*p.LiveBoards(), v, size)
			for at := range seen {
				if p.IsDead(at.board) || !v.HasCell(at.cell) {
					t.Errorf("%v at %v: the cursor stands on %v", v, size, at)
				}
			}
		}
	}
}

func TestADigitBehindADeadBoardPlacesNothing(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/3")
		b.play(first, second, "A1", "A2", "A3", "B5")
		first.press("A")
		first.mustSee("Board A is dead.")
		first.press("7")
		first.mustSee("Choose a board first.")
		if n := len(tableOf(first.screen).Moves); n != 4 {
			t.Fatalf("%d moves", n)
		}
		first.press("D 7 b")
		first.mustSee("Hold Shift to go to board B.")
		first.press("7 B 7")
		if m := tableOf(second.screen).Moves; len(m) != 5 || m[4].String() != "B7" {
			t.Errorf("moves %v", m)
		}
	})
}

func TestPickBoard(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/4")
		b.play(first, second, "B5", "B1", "B9")
		on := func(want int) {
			t.Helper()
			if got := first.screen.(*tableScreen).cursor.board; got != want {
				t.Fatalf("on board %d, want %d", got, want)
			}
		}
		on(2) // B has died under the cursor
		first.press("A tab")
		on(2)
		first.press("tab tab tab")
		on(2)
		first.press("shift+tab shift+tab")
		on(3)
		first.press("D B")
		on(3)
		first.mustSee("Board B is dead.")
		first.press("I")
		on(3)
		first.mustSee("There is no board I.")
	})
}

func TestCursorKeys(t *testing.T) {
	inBubble(t, func(b *harness) {
		p := b.comeTo(keyed("ann"), start.Start{At: start.Computer, Side: rules.First})
		for _, keys := range []string{"up left down down right right up", "k h j j l l k", "w a s s d d w"} {
			for i, want := range []rules.Cell{8, 7, 4, 1, 2, 3, 6} {
				p.press(strings.Fields(keys)[i])
				if got := p.screen.(*tableScreen).cursor; got.cell != want {
					t.Fatalf("%s: step %d is on %d, want %d", keys, i+1, got.cell, want)
				}
			}
			p.press("left")
		}
		p.press("space")
		p.mustSee("Moves   A5")
	})
}

// Corners would touch the arms of the cross in the cursor's cell. A filled cell therefore gets brackets.
func TestTheCursorLeavesCrossesWhole(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/3")
		b.play(first, second, "A5")
		first.mustNotSee("┏", "[")
		first.mustSee("▸ A ◂")
		b.play(second, first, "A6")
		first.mustSee("┏")
		testkit.Equal(t, first.screen.(*tableScreen).cursor, cursor{cell: 7, movedByProgram: true})
		first.press("enter") // the second Enter of a double press for the earlier move
		first.mustSee("It is your turn now: look, then press the key again.", "┏")
		first.press("right down")
		first.mustSee("[  █  ]")
		first.mustNotSee("┏")
	})
}
