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
	"notakto/sshapp/tui/draw"
)

// sizes returns windows of all kinds, from the smallest to the largest canvas, with narrow, wide and odd ones.
func sizes() [][2]int {
	return [][2]int{
		{40, 16}, {40, 36}, {100, 16}, {41, 17}, {71, 24}, {72, 20}, {79, 23}, {80, 24}, {99, 35}, {100, 36}, {120, 40},
		{200, 60},
	}
}

// A hit in the middle of each cell is of that cell alone, so boards do not overlap either.
func TestHit(t *testing.T) {
	for _, v := range variants() {
		for _, size := range sizes() {
			a := planTable(size[0], size[1], v).boards
			for _, m := range v.Start().LegalMoves() {
				bounds := a.Board(int(m.Board))
				row, column := v.Place(m.Cell)
				got, on := a.Hit(bounds.X+(2*column+1)*bounds.Width/6, bounds.Y+(2*row+1)*bounds.Height/6)
				if !on || got != m {
					t.Fatalf("%v at %v: %v is hit as %v, %v", v, size, m, got, on)
				}
				if bounds.Y < 2 || bounds.X < 0 || bounds.X+bounds.Width > size[0] ||
					bounds.Y+bounds.Height > size[1]-2 || bounds.Width < 11 {
					t.Fatalf("%v at %v: board %d takes %v", v, size, m.Board, bounds)
				}
			}
			bounds := a.Board(0)
			for _, at := range [][2]int{{bounds.X + (bounds.Width-2)/3, bounds.Y}, {bounds.X - 1, bounds.Y}} {
				if _, on := a.Hit(at[0], at[1]); on {
					t.Fatalf("%v at %v: a line, or beside the board, is hit at %v", v, size, at)
				}
			}
		}
	}
}

// middle returns a game with most kinds of cells on its boards. The boards include a dead one, a last move, free and
// taken cells.
func middle(v rules.Variant) rules.Game {
	g := rules.Game{Variant: v, Position: v.Start()}
	for _, m := range []rules.Move{
		{Cell: 5}, {Cell: 1}, {Cell: 8}, {Board: 1, Cell: 5}, {Cell: 9}, {Board: 2, Cell: 7}, {Board: 8, Cell: 3},
	} {
		if next, err := g.Position.Play(m); err == nil && !next.Outcome().IsOver() {
			g.Position, g.Moves = next, append(g.Moves, m)
		}
	}
	return g
}

// seatAt returns a session at a table of a game, with a state that no manager has made.
func seatAt(t testing.TB, theme *draw.Theme, g rules.Game, width, height int) *Root {
	t.Helper()
	r := alone(Config{Player: keyed("ann"), Manager: manager.New(manager.Config{}), Theme: theme})
	t.Cleanup(r.Close)
	r.env.width, r.env.height = width, height
	r.screen = newTable(r.env, &client.Table{Side: rules.First, Snapshot: &match.Snapshot{State: new(stateOf(t, g))}})
	return r
}

// stateOf returns the state of a game between ann and a player with a name of the greatest width.
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

// Colours and styles do not change the layout. Only one theme must therefore be tested at every size.
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
				for _, v := range variants() {
					for _, size := range at {
						name := fmt.Sprintf("%v at %v, %v, %v, charset %d", v, size, profile, kind, charset)
						r := seatAt(t, theme, middle(v), size[0], size[1])
						mustBeFrame(t, name, r, middle(v))
						if drawn := r.drawn(); profile == colorprofile.NoTTY && anyStyle.MatchString(drawn) {
							t.Fatalf("%s: styles for a terminal that knows none: %q", name, drawn)
						} else if profile == colorprofile.Ascii && anyColor.MatchString(drawn) {
							t.Fatalf("%s: colours for a terminal that has none: %q", name, drawn)
						}
					}
				}
			}
		}
	}
}

// anyStyle and anyColor match the sequences of styles and of colours. The reset at the start of a screen is no match.
var (
	anyStyle = regexp.MustCompile("\x1b\\[[0-9;]+m")
	anyColor = regexp.MustCompile("\x1b\\[(?:[0-9]*;)*[349][0-9](?:;[0-9]+)*m")
)

// onEveryConsole holds the characters besides ASCII that every Linux console can show. Code page 437 has them, and
// with it the kernel's own font. The fonts of 256 glyphs that Debian installs for English have them too.
const onEveryConsole = "¡¢£¥§ª«¬°±²µ¶·º»¼½¿ÄÅÆÇÉÑÖÜßàáâäåæçèéêëìíîïñòóôö÷ùúûüÿƒπ•‼ⁿ₧←↑→↓" +
	"∞∩≈≡≤≥─│┌┐└┘├┤┬┴┼═║╒╓╔╕╖╗╘╙╚╛╜╝╞╟╠╡╢╣╤╥╦╧╨╩╪╫╬█░▒■▲▼♦"

// mustBeIn fails if a text has a character that terminals of a character set cannot show.
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

func TestEachCharacterSetShowsEverything(t *testing.T) {
	for name, picture := range pictures() {
		inBubble(t, func(b *harness) {
			p := picture(b)
			for _, charset := range []draw.Charset{draw.DetectCharset("linux", true), draw.ASCII} {
				p.env.setTheme(draw.NewTheme(draw.Auto, colorprofile.ANSI, charset))
				for _, size := range sizes() {
					p.resize(size[0], size[1])
					mustBeIn(b, name, charset, p.sees()+p.Title())
				}
				p.press("s")
				mustBeIn(b, name, charset, p.QuitText())
			}
		})
	}
}

func mustBeFrame(t *testing.T, name string, r *Root, game rules.Game) {
	t.Helper()
	text := r.View().Content
	mustFit(t, text, r.env.width, r.env.height)
	mustBeIn(t, name, r.env.theme.Charset(), strings.ReplaceAll(text, "棋", "")) // except a player's name
	for i := range game.Variant.Boards() {
		if letter := rules.BoardName(i); game.Variant.Boards() > 1 && !slices.Contains(strings.Fields(text), letter) {
			t.Fatalf("%s: board %s has no name:\n%s", name, letter, text)
		}
	}
	lines, digits, a := strings.Split(text, "\n"), 0, planTable(r.env.width, r.env.height, game.Variant).boards
	for i := range game.Variant.Boards() {
		bounds := a.Board(i)
		for _, line := range lines[bounds.Y : bounds.Y+bounds.Height] {
			digits += len(strings.FieldsFunc(ansi.Cut(line, bounds.X, bounds.X+bounds.Width), func(r rune) bool {
				return r < '1' || r > '9'
			}))
		}
	}
	if free := len(game.Position.LegalMoves()); digits != free {
		t.Fatalf("%s: %d digits for %d free cells:\n%s", name, digits, free, text)
	}
	if !strings.Contains(text, "? help") && (r.env.isRoomy() || !strings.HasSuffix(strings.TrimSpace(text), "  ?")) {
		t.Fatalf("%s: no way to the help:\n%s", name, text)
	}
}
