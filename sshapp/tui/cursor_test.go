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
		first, _ := b.pair("notakto/4", "B1", "B2", "B3", "C5")
		on := func(keys string, want int, says string) {
			t.Helper()
			first.press(keys).mustSee(says)
			testkit.Equal(t, first.screen.(*tableScreen).cursor.board, want, keys)
		}
		on("A tab", 2, "Your turn") // over the dead board
		on("tab tab tab", 2, "Your turn")
		on("shift+tab shift+tab", 3, "Your turn")
		on("I", 3, "There is no board I.")
		on("B", 3, "Board B is dead.")
		on("7", 3, "Choose a board first.")
		on("c", 3, "Hold Shift to go to board C.")
		first.press("7 C 7")
		if m := tableOf(first.screen).Moves; len(m) != 5 || m[4].String() != "C7" {
			t.Errorf("moves %v", m)
		}
	})
}

func TestCursorKeys(t *testing.T) {
	inBubble(t, func(b *harness) {
		p := b.comeTo(keyed("ann"), start.Start{At: start.Computer, Side: rules.First})
		for _, keys := range []string{"up left down down right right up", "k h j j l l k", "w a s s d d w"} {
			for i, want := range []rules.Cell{8, 7, 4, 1, 2, 3, 6} {
				p.press(strings.Fields(keys)[i])
				testkit.Equal(t, p.screen.(*tableScreen).cursor.cell, want, keys, i)
			}
			p.press("left")
		}
		p.press("space").mustSee("Moves   A5")
	})
}

// Corners would touch the arms of the cross in the cursor's cell. A filled cell therefore gets brackets.
func TestTheCursorLeavesCrossesWhole(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/3", "A5")
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
