package tui

import (
	"strings"
	"testing"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/journaltest"
	"notakto/match/manager"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/start"
	"notakto/sshapp/tui/draw"
)

func TestReview(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, _ := b.pair("notakto/1", "A1", "A2", "A5", "A6")
		first.press("r y v")
		first.mustSee("Review: ann – bob, 1 board, you lost", "Who was winning")
		first.mustSee("1 A1 ✗ ann       ██", "2 A2 ✗ bob    ██", "▀▄ ▄▀")
		first.press("home")
		first.mustSee("A slip. Only A5 ◆ won. Now A9 wins.", "◆")
		for _, move := range []string{"2 A2", "3 A5", "4 A6", "1 A1", "2 A2"} {
			first.press("n")
			first.mustSee("▸  " + move)
		}
		first.press("up")
		testkit.Equal(t, strings.Count(first.sees(), "▀▄ ▄▀"), 1, first.sees())
		first.press("down")
		testkit.Equal(t, strings.Count(first.sees(), "▀▄ ▄▀"), 2, first.sees())
		first.press("end down down esc")
		first.mustSee("You resigned while winning.")
	})
}

// The boards, the list of moves, the band and the text must not overlap. The list or the band must name the moves.
func TestReviewFits(t *testing.T) {
	for _, v := range variants() {
		for _, size := range append(sizes(), [2]int{120, 40}, [2]int{200, 60}) {
			for _, moves := range []int{1, 12, 9 * v.Boards()} {
				area := draw.Rect{X: 1, Y: 1, Width: size[0] - 2, Height: size[1] - 3}
				p := planReview(area, v, moves, 3)
				if _, named := bandStep(p.band.Width, moves); p.list.Width == 0 && !named ||
					p.list.Width > 0 && (p.list.Height < leastListed || p.list.Width < panelWidth) {
					t.Errorf("%v at %v: the list has %v, the band %v", v, size, p.list, p.band)
				}
				parts, taken := []draw.Rect{p.text, p.list, p.band}, make(map[[2]int]int)
				for i := range v.Boards() {
					if !p.boards.IsEmpty() {
						parts = append(parts, p.boards.Board(i))
					}
				}
				for i, part := range parts {
					for x := range part.Width {
						for y := range part.Height {
							at := [2]int{part.X + x, part.Y + y}
							isOutside := min(at[0], at[1]) < 1 || at[0] > area.Width || at[1] > area.Height
							if other, twice := taken[at]; twice || isOutside {
								t.Fatalf("%v at %v: part %d takes %v of %v, or of part %d", v, size, i, at, area, other)
							}
							taken[at] = i
						}
					}
				}
			}
		}
	}
}

func TestPlayOn(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, _ := b.pair("notakto/1", "A5", "A1", "A2", "A9")
		first.press("v")
		for _, p := range []*person{
			first, b.comeTo(keyed("cleo"), start.Start{At: start.Match, Match: tableOf(first.screen).ID}),
		} {
			p.press("home down down g")
			p.mustSee("Before A2: A ", "The player to move loses at a, bb, bc and cc")
			p.press("g p")
			table := tableOf(p.screen)
			if !table.IsMyTurn() || table.Side != rules.First || !table.IsAgainstComputer() || len(table.Moves) != 2 {
				t.Errorf("%+v", table.State)
			}
			p.press("r y esc")
		}
	})
}

// The verdict of perfect play takes a moment.
func TestAReviewThatWasAskedForEarlyIsShown(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, _ := b.pair("notakto/1", "A1", "A2", "A5", "A6")
		first.press("r y")
		r := newResult(first.env, tableOf(first.screen))
		first.screen = r
		first.Update(keyPress("v"))
		testkit.Equal(t, first.screen, screen(r), "without reviews the key leads on")
		reviews := strategy.Review(r.table.Start, r.table.Moves)
		first.Update(reviewedMsg{r.table, reviews})
		if at, ok := first.screen.(*reviewScreen); !ok || at.result != r || at.ply != len(reviews)-1 {
			t.Errorf("with reviews it goes on to %+v", first.screen)
		}
	})
}

func TestRematchFromTheReview(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/1", "A5", "A1", "A2", "A9")
		second.press("v")
		second.mustSee("Review: ")
		first.press("enter")
		second.mustSee("wants a rematch: Enter accepts.", "A slip. Only A4 ◆ won: then every free cell kills A.")
		second.press("enter")
		second.mustSee("Your turn")
	})
}

func TestReplay(t *testing.T) {
	j := journaltest.Archive(t, match.NewMemory(), map[match.ID]string{
		"c6zl3rq7s7": "notakto/2: A5 B5 A1 A9 B1", "aaaaaaaaaa": "notakto/2:",
	})
	inBubbleWith(t, manager.Config{Journal: j}, func(b *harness) {
		cleo := b.comeTo(keyed("cleo"), start.Start{At: start.Match, Match: "c6zl3rq7s7"})
		cleo.mustSee("2 boards, ann won", "Match c6zl3rq7s7", "1 A5  ")
		testkit.Equal(t, strings.Count(cleo.sees(), "▀▄ ▄▀"), 1, cleo.sees())
		cleo.press("down down down")
		cleo.mustSee("4 A9 by bob  ", "┏     ┓")
		cleo.mustNotSee("A dead")
		cleo.press("down")
		cleo.mustSee("5 B1  ", "A dead")
		cleo.press("esc")
		cleo.mustSee("ann won", "bob resigned while winning.")
		cleo.press("v")
		cleo.mustSee("5 B1  ")
		for range 5 { // a held key once opened eight matches, the most that a player may have
			cleo.take(keyPress("p"))
		}
		b.rest()
		cleo.mustSee("Your turn")
		testkit.Equal(t, len(b.manager.PlayerMatches("SHA256:cleo")), 1)
		empty := b.comeTo(keyed("dan"), start.Start{At: start.Match, Match: "aaaaaaaaaa"})
		empty.mustSee("ann won", "bob resigned.")
		nowhere := b.comeTo(keyed("eve"), start.Start{At: start.Match, Match: "nosuchmatch"})
		nowhere.mustSee("There is no such match.", "Play someone")
	})
}
