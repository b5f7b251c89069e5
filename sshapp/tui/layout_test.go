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
	"notakto/match/journaltest"
	"notakto/match/manager"
	"notakto/rules"
	"notakto/sshapp/client"
	"notakto/sshapp/render"
	"notakto/sshapp/tui/draw"
)

// sizes are windows of all kinds: the smallest, narrow and high, wide and low, the usual one, odd ones, the largest
// canvas.
func sizes() [][2]int {
	return [][2]int{
		{40, 16}, {40, 36}, {100, 16}, {41, 17}, {71, 24}, {72, 20}, {79, 23}, {80, 24}, {99, 35}, {100, 36}, {120, 40},
		{200, 60},
	}
}

// Boards of all variants fit into every window that is large enough, do not overlap, and leave the lines around them
// free.
func TestBoardsFit(t *testing.T) {
	for _, v := range variants() {
		for _, size := range sizes() {
			p := planTable(size[0], size[1], v)
			taken := make(map[[2]int]int)
			for i := range v.Boards() {
				at := p.boards.Board(i)
				for dx := range at.Width {
					for dy := range at.Height {
						if other, twice := taken[[2]int{at.X + dx, at.Y + dy}]; twice {
							t.Fatalf("%v at %v: boards %d and %d overlap", v, size, other, i)
						}
						taken[[2]int{at.X + dx, at.Y + dy}] = i
					}
				}
				if at.Y < 2 || at.X < 0 || at.X+at.Width > size[0] || at.Y+at.Height > size[1]-2 || at.Width < 11 {
					t.Fatalf("%v at %v: board %d takes %v", v, size, i, at)
				}
			}
		}
	}
}

// The text below how a board dies fits, and neither covers the other.
func TestTextBelowHowABoardDies(t *testing.T) {
	for _, size := range sizes() {
		for _, rows := range []int{4, 6, 7, 9, 10} {
			s := draw.NewCanvas(new(render.Grid), size[0], size[1], utf8Theme())
			area := s.Header("", "")
			above, y := deathArea(area, rows)
			isBelow := above.Height == 0 || above.Y >= area.Y && above.Y+above.Height < y
			if y < area.Y || y+rows > area.Y+area.Height || !isBelow {
				t.Errorf("%d rows at %v: from row %d of %v, below %v", rows, size, y, area, above)
			}
		}
	}
}

// The sizes that were planned for: three boards fill the usual window, and grow with it.
func TestBoardSizes(t *testing.T) {
	for _, c := range []struct{ boards, width, height, boardWidth, boardHeight int }{
		{1, 80, 24, 35, 17}, {2, 80, 24, 35, 17}, {3, 80, 24, 23, 11}, {6, 80, 24, 20, 8}, {9, 80, 24, 17, 5},
		{1, 40, 16, 23, 11}, {2, 40, 16, 17, 11}, {3, 40, 16, 17, 5}, {9, 40, 16, 11, 3},
		{1, 100, 36, 53, 29}, {3, 100, 36, 29, 17}, {9, 100, 36, 17, 11},
	} {
		size := planTable(c.width, c.height, variantOf(rules.Notakto(c.boards))).boards.Board(0)
		if size.Width != c.boardWidth || size.Height != c.boardHeight {
			t.Errorf("%d boards at %dx%d: %dx%d, want %dx%d", c.boards, c.width, c.height, size.Width, size.Height,
				c.boardWidth, c.boardHeight)
		}
	}
}

// A click on the middle of any cell is that cell; one on a line or beside the boards is none.
func TestHit(t *testing.T) {
	for _, v := range variants() {
		for _, size := range sizes() {
			a := planTable(size[0], size[1], v).boards
			for _, m := range v.Start().Legal() {
				at := a.Board(int(m.Board))
				row, column := v.Place(m.Cell)
				if got, on := a.Hit(at.X+(2*column+1)*at.Width/6, at.Y+(2*row+1)*at.Height/6); !on || got != m {
					t.Fatalf("%v at %v: %v is hit as %v, %v", v, size, m, got, on)
				}
			}
			at := a.Board(0)
			if _, on := a.Hit(at.X+(at.Width-2)/3, at.Y); on {
				t.Fatalf("%v at %v: a line is hit", v, size)
			}
			if _, on := a.Hit(at.X-1, at.Y); on {
				t.Fatalf("%v at %v: beside the board is hit", v, size)
			}
		}
	}
}

// middle is a game in which most of what there is to show stands on the boards: a dead board, the last move, free and
// taken cells.
func middle(v rules.Variant) rules.Game {
	g := rules.Game{Variant: v, Position: v.Start()}
	for _, m := range []rules.Move{
		{Cell: 5}, {Cell: 1}, {Cell: 8}, {Board: 1, Cell: 5}, {Cell: 9}, {Board: 2, Cell: 7}, {Board: 8, Cell: 3},
	} {
		if next, err := g.Position.Play(m); err == nil && !next.Outcome().Over() {
			g.Position, g.Moves = next, append(g.Moves, m)
		}
	}
	return g
}

// seatAt is a session at a table of a game, by a state that no manager made.
func seatAt(t *testing.T, theme *draw.Theme, g rules.Game, width, height int) *Root {
	t.Helper()
	r := New(Config{Player: keyed("ann"), Manager: manager.New(manager.Config{}), Theme: theme})
	t.Cleanup(r.Close)
	r.env.width, r.env.height = width, height
	r.screen = newTable(r.env, &client.Table{Side: rules.First, Snapshot: &match.Snapshot{State: new(stateOf(t, g))}})
	return r
}

// stateOf is a game that ann and a player with a name as wide as names get have played.
func stateOf(tb testing.TB, g rules.Game) match.State {
	tb.Helper()
	wide := match.Player{ID: "SHA256:wide", Name: "棋棋棋棋棋棋棋棋"}
	events := []match.Event{
		{Kind: match.Opened, Terms: match.Terms{Variant: g.Variant}},
		{Kind: match.Seated, Seat: rules.First, Player: keyed("ann")},
		{Kind: match.Seated, Seat: rules.Second, Player: wide},
	}
	for i, m := range g.Moves {
		events = append(events, match.Event{Kind: match.Moved, Seat: rules.Side(i%2 + 1), Move: m})
	}
	return journaltest.Fold(tb, events...)
}

// Every variant in every theme, and at every size in every character set: the frame fits, what is needed is there, and
// there is nothing in it that the terminal does not know. Colours and styles move nothing, so they need not meet every
// size.
func TestEveryTable(t *testing.T) {
	profiles := []colorprofile.Profile{
		colorprofile.NoTTY, colorprofile.Ascii, colorprofile.ANSI, colorprofile.ANSI256, colorprofile.TrueColor,
	}
	for _, profile := range profiles {
		for charset := draw.ASCII; charset <= draw.Unicode; charset++ {
			for kind := draw.Auto; kind <= draw.Mono; kind++ {
				theme := draw.NewTheme(kind, profile, charset)
				at := [][2]int{{40, 16}, {80, 24}}
				if profile == colorprofile.ANSI256 && kind == draw.Auto {
					at = sizes()
				}
				t.Run(fmt.Sprintf("%v, %v, charset %d", profile, kind, charset), func(t *testing.T) {
					mustShowTables(t, theme, profile, at)
				})
			}
		}
	}
}

func mustShowTables(t *testing.T, theme *draw.Theme, profile colorprofile.Profile, sizes [][2]int) {
	for _, v := range variants() {
		game := middle(v)
		for _, size := range sizes {
			r := seatAt(t, theme, game, size[0], size[1])
			name := fmt.Sprintf("%v at %v", v, size)
			mustBeFrame(t, name, r, game)
			if drawn := r.drawn(); profile == colorprofile.NoTTY && anyStyle.MatchString(drawn) {
				t.Fatalf("%s: styles for a terminal that knows none: %q", name, drawn)
			} else if profile == colorprofile.Ascii && anyColor.MatchString(drawn) {
				t.Fatalf("%s: colours for a terminal that has none: %q", name, drawn)
			}
		}
	}
}

// anyStyle and anyColor match the sequences of styles and of colours, but not the reset with which a screen begins.
var (
	anyStyle = regexp.MustCompile("\x1b\\[[0-9;]+m")
	anyColor = regexp.MustCompile("\x1b\\[(?:[0-9]*;)*[349][0-9](?:;[0-9]+)*m")
)

// onEveryConsole are the characters, besides those of ASCII, that are in code page 437, whose signs the kernel's own
// font for the console has, and in the fonts of 256 glyphs that Debian puts in its place for English.
const onEveryConsole = "¡¢£¥§ª«¬°±²µ¶·º»¼½¿ÄÅÆÇÉÑÖÜßàáâäåæçèéêëìíîïñòóôö÷ùúûüÿƒπ•‼ⁿ₧←↑→↓" +
	"∞∩≈≡≤≥─│┌┐└┘├┤┬┴┼═║╒╓╔╕╖╗╘╙╚╛╜╝╞╟╠╡╢╣╤╥╦╧╨╩╪╫╬█░▒■▲▼♦"

// mustBeIn fails if there is a character in a text that terminals of a character set do not show.
func mustBeIn(tb testing.TB, name string, charset draw.Charset, text string) {
	tb.Helper()
	for _, char := range text {
		isKnown := char <= '~' || charset == draw.Unicode ||
			charset == draw.Console && strings.ContainsRune(onEveryConsole, char)
		if !isKnown {
			tb.Fatalf("%s: %q in character set %d:\n%s", name, char, charset, text)
		}
	}
}

// The Linux console shows every character of every screen, and of what is left in the shell after a match was shared.
// Blanks or squares stood in the place of crosses, of pointers and of the corners of the cursor.
func TestConsoleShowsEverything(t *testing.T) {
	for name, picture := range pictures() {
		inBubble(t, func(b *harness) {
			p := picture(b)
			p.env.use(draw.NewTheme(draw.Auto, colorprofile.ANSI, draw.CharsetOf("linux", true)))
			for _, size := range sizes() {
				p.resize(size[0], size[1])
				mustBeIn(b, name, draw.Console, p.sees()+p.Title())
			}
			p.press("s")
			mustBeIn(b, name, draw.Console, p.QuitText())
		})
	}
}

func mustBeFrame(t *testing.T, name string, r *Root, game rules.Game) {
	t.Helper()
	text := r.View().Content
	mustFit(t, text, r.env.width, r.env.height)
	mustBeIn(t, name, r.env.theme.Charset(), strings.ReplaceAll(text, "棋", "")) // but for a player's name
	for i := range game.Variant.Boards() {
		if letter := rules.BoardName(i); game.Variant.Boards() > 1 && !slices.Contains(strings.Fields(text), letter) {
			t.Fatalf("%s: board %s has no name:\n%s", name, letter, text)
		}
	}
	free := 0
	for i := range game.Variant.Boards() {
		if !game.Position.Dead(i) {
			board := game.Position.String()[10*i : 10*i+9]
			free += 9 - strings.Count(board, "X") - strings.Count(board, "O")
		}
	}
	boards := onlyBoards(text, game.Variant.Boards(), planTable(r.env.width, r.env.height, game.Variant).boards)
	if got := countAny(boards, "123456789"); got != free {
		t.Fatalf("%s: %d digits for %d free cells:\n%s", name, got, free, text)
	}
	if !strings.Contains(text, "? help") && (r.env.roomy() || !strings.HasSuffix(strings.TrimSpace(text), "  ?")) {
		t.Fatalf("%s: no way to the help:\n%s", name, text)
	}
}

// onlyBoards is the part of a screen's text that the boards take.
func onlyBoards(text string, boards int, a draw.Arrangement) string {
	var out strings.Builder
	lines := strings.Split(text, "\n")
	for i := range boards {
		at := a.Board(i)
		for dy := range at.Height {
			out.WriteString(ansi.Cut(lines[at.Y+dy], at.X, at.X+at.Width))
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

// A wide window had a small screen in a frame on an otherwise empty page.
func TestAWideWindowIsFilled(t *testing.T) {
	const width, height, least = 200, 60, 150 // columns
	all := pictures()
	for _, name := range []string{
		"lobby", "lobby_live", "lobby_nine", "opponent", "computer", "private", "waiting", "waiting_offer", "watch", "you",
	} {
		inBubble(t, func(b *harness) {
			p := all[name](b)
			p.resize(width, height)
			lines := strings.Split(p.sees(), "\n")
			if !strings.HasPrefix(lines[0], "  ") || strings.HasPrefix(lines[0], "   ") {
				t.Errorf("%s: the header begins elsewhere: %q", name, lines[0])
			}
			from, to := width, 0
			for _, line := range lines[3 : len(lines)-3] {
				if text := strings.TrimSpace(line); text != "" {
					from = min(from, draw.Columns(line)-draw.Columns(strings.TrimLeft(line, " ")))
					to = max(to, draw.Columns(strings.TrimRight(line, " ")))
				}
			}
			if to-from < least {
				t.Errorf("%s: from column %d to %d:\n%s", name, from, to, p.sees())
			}
		})
	}
}

// At 200x60 the players stood twelve rows above the boards, and the moves and what a result says at the window's edges.
func TestATallWindowKeepsThingsTogether(t *testing.T) {
	rowOf := func(p *person, text string) int {
		_, y := p.place(text)
		return y
	}
	for _, boards := range []string{"notakto/1", "notakto/3", "notakto/9"} {
		for _, size := range [][2]int{{120, 40}, {200, 60}} {
			inBubble(t, func(b *harness) {
				first, second := b.pair(boards)
				first.resize(size[0], size[1])
				second.resize(size[0], size[1])
				at := planTable(size[0], size[1], tableOf(first.screen).Variant).boards.Bounds()
				if y := rowOf(first, "ann (you)"); at.Y-y > 3 {
					t.Errorf("%s: the players stand in row %d, the boards in %d", boards, y, at.Y)
				}
				if y := rowOf(first, "Your turn"); y-at.Y-at.Height > 2 {
					t.Errorf("%s: the banner stands in row %d, the boards end in %d", boards, y, at.Y+at.Height)
				}
				first.press("5")
				second.press("r y")
				x, _ := first.place("Who was winning")
				if left, _ := first.place("you  "); left+bandNames != x {
					t.Errorf("%s: the label stands in column %d, the bars in %d", boards, x, left+bandNames)
				}
				if y := rowOf(first, "ann (you)"); rowOf(first, "Who was winning")-y > at.Height+12 {
					t.Errorf("%s: the players stand in row %d:\n%s", boards, y, first.sees())
				}
			})
		}
	}
}
