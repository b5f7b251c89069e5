package tui

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"notakto/match"
	"notakto/match/manager"
	"notakto/rules"
)

// sizes are windows of all kinds: the smallest, narrow and high, wide and low, the usual one, odd ones, the largest
// canvas.
func sizes() [][2]int {
	return [][2]int{{40, 16}, {40, 36}, {100, 16}, {41, 17}, {71, 24}, {72, 20}, {79, 23}, {80, 24}, {99, 35}, {100, 36}}
}

// Boards of all variants fit into every window that is large enough, do not overlap, and leave the lines around them
// free.
func TestBoardsFit(t *testing.T) {
	for _, v := range variants() {
		for _, size := range sizes() {
			p := planTable(size[0], size[1], v.Boards())
			taken := make(map[[2]int]int)
			for i := range v.Boards() {
				x, y := p.boards.board(i)
				for dx := range p.boards.size.width() {
					for dy := range p.boards.size.height() {
						if other, twice := taken[[2]int{x + dx, y + dy}]; twice {
							t.Fatalf("%v at %v: boards %d and %d overlap", v, size, other, i)
						}
						taken[[2]int{x + dx, y + dy}] = i
					}
				}
				if y < 2 || x < 0 || x+p.boards.size.width() > size[0] || y+p.boards.size.height() > size[1]-2 || p.boards.size.width() < 11 {
					t.Fatalf("%v at %v: board %d of %v stands at %d, %d", v, size, i, p.boards.size, x, y)
				}
			}
		}
	}
}

// The sizes that were planned for: three boards fill the usual window, and grow with it.
func TestBoardSizes(t *testing.T) {
	for _, c := range []struct{ boards, width, height, boardWidth, boardHeight int }{
		{1, 80, 24, 35, 17}, {2, 80, 24, 35, 17}, {3, 80, 24, 23, 11}, {6, 80, 24, 20, 8}, {9, 80, 24, 17, 5},
		{1, 40, 16, 23, 11}, {2, 40, 16, 17, 11}, {3, 40, 16, 17, 5}, {9, 40, 16, 11, 3},
		{1, 100, 36, 41, 23}, {3, 100, 36, 29, 17}, {9, 100, 36, 17, 11},
	} {
		size := planTable(c.width, c.height, c.boards).boards.size
		if size.width() != c.boardWidth || size.height() != c.boardHeight {
			t.Errorf("%d boards at %dx%d: %dx%d, want %dx%d", c.boards, c.width, c.height, size.width(), size.height(), c.boardWidth, c.boardHeight)
		}
	}
}

// A click on the middle of any cell is that cell; one on a line or beside the boards is none.
func TestHit(t *testing.T) {
	for _, v := range variants() {
		for _, size := range sizes() {
			a := planTable(size[0], size[1], v.Boards()).boards
			for _, m := range v.Start().Legal() {
				x, y := a.board(int(m.Board))
				x += m.Cell.Column()*(a.size.cellWidth+1) + a.size.middleX()
				y += m.Cell.Row()*a.size.pitch() + a.size.middleY()
				if got, on := a.hit(x, y); !on || got != m {
					t.Fatalf("%v at %v: %v is hit as %v, %v", v, size, m, got, on)
				}
			}
			x, y := a.board(0)
			if _, on := a.hit(x+a.size.cellWidth, y); on {
				t.Fatalf("%v at %v: a line is hit", v, size)
			}
			if _, on := a.hit(x-1, y); on {
				t.Fatalf("%v at %v: beside the board is hit", v, size)
			}
		}
	}
}

// middle is a game in which most of what there is to show stands on the boards: a dead board, the last move, free and
// taken cells.
func middle(v rules.Variant) rules.Game {
	g := rules.Game{Variant: v, Position: v.Start()}
	for _, m := range []rules.Move{{Cell: 5}, {Cell: 1}, {Cell: 8}, {Board: 1, Cell: 5}, {Cell: 9}, {Board: 2, Cell: 7}, {Board: 8, Cell: 3}} {
		if next, err := g.Position.Play(m); err == nil && !next.Outcome().Over() {
			g.Position, g.Moves = next, append(g.Moves, m)
		}
	}
	return g
}

// seatAt is a session at a table of a game, by a state that no manager made.
func seatAt(t *testing.T, theme *Theme, g rules.Game, width, height int) *Root {
	t.Helper()
	r := New(Config{Player: keyed("ann"), Manager: manager.New(manager.Config{}), Theme: theme})
	t.Cleanup(r.Close)
	r.session.width, r.session.height = width, height
	r.screen = newTable(r.session, &tableHandle{side: rules.First, Snapshot: &match.Snapshot{State: new(stateOf(t, g))}})
	return r
}

// stateOf is a game that ann and somebody with a name as wide as names get have played.
func stateOf(tb testing.TB, g rules.Game) match.State {
	tb.Helper()
	wide := match.Player{ID: "SHA256:wide", Name: "棋棋棋棋棋棋棋棋"}
	events := []match.Event{
		{Kind: match.Opened, Terms: match.Terms{Variant: g.Variant}}, {Kind: match.Seated, Seat: rules.First, Player: keyed("ann")},
		{Kind: match.Seated, Seat: rules.Second, Player: wide},
	}
	for i, m := range g.Moves {
		events = append(events, match.Event{Kind: match.Moved, Seat: rules.Side(i%2 + 1), Move: m})
	}
	var state match.State
	for i, e := range events {
		e.Match, e.Seq = "aaaaaaaaaa", uint64(i+1)
		next, err := state.Apply(e)
		if err != nil {
			tb.Fatal(err)
		}
		state = next
	}
	return state
}

// Every variant at every size in every theme: the frame fits, what is needed is there, and there is nothing in it that
// the terminal does not know.
func TestEveryTable(t *testing.T) {
	profiles := []colorprofile.Profile{colorprofile.NoTTY, colorprofile.Ascii, colorprofile.ANSI, colorprofile.ANSI256, colorprofile.TrueColor}
	for _, profile := range profiles {
		for _, utf8 := range []bool{true, false} {
			for kind := range kinds {
				theme := NewTheme(kind, profile, utf8)
				t.Run(fmt.Sprintf("%v, %v, utf8 %v", profile, kind, utf8), func(t *testing.T) { mustShowTables(t, theme) })
			}
		}
	}
}

func mustShowTables(t *testing.T, theme *Theme) {
	for _, v := range variants() {
		game := middle(v)
		for _, size := range sizes() {
			r := seatAt(t, theme, game, size[0], size[1])
			mustBeFrame(t, fmt.Sprintf("%v at %v", v, size), r, game)
		}
	}
}

// anyStyle and anyColor match the sequences of styles and of colours, but not the reset with which a screen begins.
var (
	anyStyle = regexp.MustCompile("\x1b\\[[0-9;]+m")
	anyColor = regexp.MustCompile("\x1b\\[(?:[0-9]*;)*[349][0-9](?:;[0-9]+)*m")
)

func mustBeFrame(t *testing.T, name string, r *Root, game rules.Game) {
	t.Helper()
	theme := r.session.theme
	text, drawn := r.View().Content, r.drawn()
	mustFit(t, text, r.session.width, r.session.height)
	if theme.profile == colorprofile.NoTTY && anyStyle.MatchString(drawn) {
		t.Fatalf("%s: styles for a terminal that knows none: %q", name, drawn)
	}
	if theme.profile == colorprofile.Ascii && anyColor.MatchString(drawn) {
		t.Fatalf("%s: colours for a terminal that has none: %q", name, drawn)
	}
	for _, char := range text {
		if char > '~' && !theme.utf8 {
			t.Fatalf("%s: %q in ASCII:\n%s", name, char, text)
		}
	}
	for i := range game.Variant.Boards() {
		if letter := rules.BoardName(i); game.Variant.Boards() > 1 && !slices.Contains(strings.Fields(text), letter) {
			t.Fatalf("%s: board %s has no name:\n%s", name, letter, text)
		}
	}
	free := 0
	for i := range game.Variant.Boards() {
		if !game.Position.Dead(i) {
			free += 9 - strings.Count(game.Position.String()[10*i:10*i+9], "X") - strings.Count(game.Position.String()[10*i:10*i+9], "O")
		}
	}
	boards := onlyBoards(text, planTable(r.session.width, r.session.height, game.Variant.Boards()).boards)
	if got := countAny(boards, "123456789"); got != free {
		t.Fatalf("%s: %d digits for %d free cells:\n%s", name, got, free, text)
	}
	if !strings.Contains(text, "? help") {
		t.Fatalf("%s: no way to the help:\n%s", name, text)
	}
}

// onlyBoards is the part of a screen's text that the boards take.
func onlyBoards(text string, a arrangement) string {
	var out strings.Builder
	lines := strings.Split(text, "\n")
	for i := range a.boards {
		x, y := a.board(i)
		for dy := range a.size.height() {
			out.WriteString(ansi.Cut(lines[y+dy], x, x+a.size.width()))
		}
	}
	return out.String()
}

func countAny(text, chars string) int {
	n := 0
	for _, char := range text {
		if strings.ContainsRune(chars, char) {
			n++
		}
	}
	return n
}
