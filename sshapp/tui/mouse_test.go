package tui

import (
	"slices"
	"strings"
	"testing"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"notakto/internal/testkit"
	"notakto/rules"
	"notakto/sshapp/start"
)

// clickAt clicks a place, after a pause that makes it no double click.
func (p *person) clickAt(x, y int) {
	p.advance(time.Second)
	p.send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
}

// place returns the place where a text begins on a person's screen.
func (p *person) place(text string) (x, y int) {
	p.Helper()
	for y, line := range strings.Split(p.sees(), "\n") {
		if before, _, found := strings.Cut(line, text); found {
			return ansi.StringWidth(before), y
		}
	}
	p.Fatalf("%s does not see %q:\n%s", p.env.player.Name, text, p.sees())
	return 0, 0
}

// click clicks texts in turn.
func (p *person) click(texts ...string) {
	p.Helper()
	for _, text := range texts {
		x, y := p.place(text)
		p.clickAt(x, y)
	}
}

// withMouse begins a session with the mouse on, in a window of a size.
func (b *harness) withMouse(name string, from start.Start, width, height int) *person {
	p := b.comeTo(keyed(name), from)
	p.resize(width, height)
	p.press("m")
	p.mustSee("Mouse on")
	return p
}

func TestClickInTheLobby(t *testing.T) {
	for _, size := range sizes() {
		inBubble(t, func(b *harness) {
			p := b.withMouse("ann", start.Start{}, size[0], size[1])
			p.click("Challenge")
			p.mustSee("Join with a code")
			p.press("esc")
			p.click("Play someone", "1 to 5 boards", "1 board ", "Clock", "usual")
			p.mustSee("2 boards", "none")
			p.click("Enter find")
			p.mustSee("Waiting for an opponent", "2 boards")
			p.press("esc")
			before := p.sees()
			for _, at := range [][2]int{{0, 0}, {size[0] - 1, size[1] - 2}, {-1, -1}, {size[0], size[1]}} {
				p.clickAt(at[0], at[1])
			}
			testkit.Equal(t, p.sees(), before)
			p.click("computer", "Enter start")
			p.press("q")
			p.click("y leave")
			p.click("against novice, your")
			p.mustSee("Your turn")
		})
	}
}

// A hint that names several arrows stands for the clicked arrow. A hint that names many other keys stands for no key.
func TestClickOnHints(t *testing.T) {
	for name, picture := range pictures() {
		if name == "help" || name == "resign" || name == "hint_why" {
			continue
		}
		inBubble(t, func(b *harness) {
			p := picture(b)
			for _, size := range sizes() {
				p.resize(size[0], size[1])
				for _, hint := range p.footer(nil) {
					checkHint(p, name, hint)
				}
			}
		})
	}
}

// checkHint checks the key that each column of a hint in the last line presses.
func checkHint(p *person, name string, hint key.Help) {
	p.Helper()
	lines := strings.Split(p.sees(), "\n")
	y := len(lines) - 1
	for y > 0 && strings.Trim(lines[y], " ╰─╯") == "" { // below a page
		y--
	}
	before, _, shown := strings.Cut(lines[y], hint.Key+" "+hint.Desc)
	if !shown {
		return
	}
	x := ansi.StringWidth(before)
	for column := range ansi.StringWidth(hint.Key) {
		press, ok := keyNamed(p.Root.targetAt(x+column, y).Key)
		isMeant := func(a action) bool { return a.key.Help().Key == hint.Key && key.Matches(press, *a.key) }
		actions := append(p.screen.actions(), action{key: &p.env.keys.help})
		if ofOneKey := !strings.Contains(hint.Key, "-"); ok != ofOneKey || ok &&
			!slices.ContainsFunc(actions, isMeant) {
			p.Errorf("%s: column %d of %v presses %q:\n%s", name, column, hint, press, p.sees())
		}
	}
	if _, ok := keyNamed(p.Root.targetAt(x-1, y).Key); ok {
		p.Errorf("%s: the column before %v is of a hint:\n%s", name, hint, p.sees())
	}
}

func TestClickOnADialog(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, _ := b.pair("notakto/3")
		first.press("m").click("q leave", "r resign", "? help", "Leave the table?", "▌ ann")
		first.clickAt(first.place("8"))
		first.mustSee("Leave the table?")
		testkit.Equal(t, len(tableOf(first.screen).Moves), 0, "a click behind the dialog placed a mark")
		first.click("n stay")
		first.mustNotSee("Leave the table?")
		first.click("r resign", "play on", "r resign", "y resign")
		first.mustSee("You resigned.")
	})
}

func TestClickInLists(t *testing.T) {
	inBubble(t, func(b *harness) {
		b.pair("notakto/2")
		first, second := b.pair("notakto/1")
		p := b.withMouse("cleo", start.Start{}, 80, 24)
		p.click("Watch")
		p.clickAt(40, 12)
		p.mustSee("2 boards", "1 board")
		p.click("1 board ")
		p.mustSee("watching  cleo")
		p.press("n").mustSee("2 boards", "watching  cleo")
		p.press("n").mustSee("1 board ")
		b.play(first, second, "A5", "A1", "A9")
		p.press("v")
		p.click(" 1 A5")
		p.mustSee("▸  1 A5")

		p.click("Esc", "Esc back", "computer")
		p.click("◂    novice", "Level", "Boards", "First", "random", "me  ", "Boards", "3 boards", "◂   4")
		p.mustSee("perfect", "▸ Boards", "3 boards", "◂   computer")
		p.click("Enter start the match")
		p.mustSee("3 boards", "perfect (computer)")
	})
}

func TestMouse(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, _ := b.pair("notakto/3")
		bounds := planTable(80, 24, rules.DefaultVariant()).boards.Board(1)
		first.clickAt(bounds.X, bounds.Y) // before the mouse is on
		first.press("m").click("? help")
		first.mustSee("Any key goes back")
		first.click("Any key")
		first.clickAt(bounds.X+(bounds.Width-2)/3, bounds.Y)
		first.send(tea.MouseClickMsg{X: bounds.X + bounds.Width - 1, Y: bounds.Y, Button: tea.MouseRight})
		first.press("q y").click("3 boards against")
		first.send(tea.MouseClickMsg{X: bounds.X, Y: bounds.Y, Button: tea.MouseLeft}) // a double click
		first.clickAt(bounds.X+bounds.Width-1, bounds.Y)
		if moves := tableOf(first.screen).Moves; len(moves) != 1 || moves[0].String() != "B9" {
			t.Errorf("clicks placed %v", moves)
		}
		first.press("m").mustSee("Mouse off")
		first.click("? help")
		first.mustNotSee("Any key goes back")

		p := b.daily().press("m")
		q, _ := p.exercise().exercise.Question()
		bounds = p.exercise().boards(q).Board(0)
		row, column := q.Position.Variant().Place(answerTo(q.Position, true).Cell)
		p.clickAt(bounds.X+(2*column+1)*bounds.Width/6, bounds.Y+(2*row+1)*bounds.Height/6)
		p.mustSee("✓ ", "Enter next")
	})
}
