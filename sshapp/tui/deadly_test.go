package tui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"

	"notakto/rules"
	"notakto/sshapp/render"
	"notakto/sshapp/start"
	"notakto/sshapp/tui/draw"
)

// deadlyDigits are the digits that stand out: without colours those are underlined, and nothing else at a table is.
func deadlyDigits(p *person) string {
	p.env.use(draw.NewTheme(draw.Mono, colorprofile.ANSI256, draw.Unicode))
	var grid render.Grid
	p.Render(&grid)
	sent := string(render.NewScreen(render.FromTerm("xterm-256color"), 80, 24).Draw(nil, render.Frame{Grid: &grid}))
	var digits strings.Builder
	for _, styled := range strings.Split(sent, "\x1b[")[1:] {
		codes, text, _ := strings.Cut(styled, "m")
		if strings.Contains(codes, "4") && len(text) > 0 && '1' <= text[0] && text[0] <= '9' {
			digits.WriteByte(text[0])
		}
	}
	return digits.String()
}

// killing is how many moves kill a board.
func killing(p rules.Position) (n int) {
	for _, m := range p.Legal() {
		if next, err := p.Play(m); err == nil && next.Dead(int(m.Board)) {
			n++
		}
	}
	return n
}

// Against the computer the deadly cells stand out in the first matches of a session, and a key shows or hides them.
func TestDeadlyCells(t *testing.T) {
	inBubble(t, func(b *harness) {
		p := b.comeTo(keyed("ann"), start.Start{At: start.Computer, Side: rules.First})
		for killing(tableOf(p.screen).Position) == 0 {
			move := tableOf(p.screen).Position.Legal()[0].String()
			p.press(move[:1] + " " + move[1:])
		}
		want := killing(tableOf(p.screen).Position)
		if got := deadlyDigits(p); len(got) != want {
			t.Errorf("%q stand out, want %d of them:\n%s", got, want, p.sees())
		}
		const explained = "An X on a marked digit kills the board."
		p.mustSee("x deadly cells", explained)
		p.resize(120, 40)
		p.press("?")
		p.mustSee(explained)
		p.press("? x ?")
		p.mustSee("Press x to mark the digits that kill a board.")
		p.press("? x")
		p.resize(80, 24)
		p.press("x")
		p.mustSee("Deadly cells off.")
		p.press("tab")
		p.mustNotSee(explained)
		if got := deadlyDigits(p); got != "" {
			t.Errorf("%q stand out", got)
		}
		p.press("x")
		p.mustSee("Deadly cells on")
	})
}

func TestDeadlyCellsStandOutInTheFirstMatches(t *testing.T) {
	inBubble(t, func(b *harness) {
		p := b.comeTo(keyed("ann"), start.Start{At: start.Computer, Side: rules.First})
		for ended := range firstMatches + 1 {
			if got := p.env.showsDeadly(tableOf(p.screen)); got != (ended < firstMatches) {
				t.Errorf("after %d matches: %v", ended, got)
			}
			p.press("r y")
			b.advance(p.env.answerDelay())
			p.press("enter")
		}
	})
}

// Between people the deadly cells are shown to both or to none, and who looks on sees them too.
func TestDeadlyCellsBetweenPeople(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/1")
		b.play(first, second, "A5", "A1")
		cleo := b.comeTo(keyed("cleo"), start.Start{At: start.Match})
		for _, p := range []*person{first, second, cleo} {
			if got := deadlyDigits(p); got != "" {
				t.Errorf("%q stand out", got)
			}
		}
		second.press("x")
		second.mustSee("Show the deadly cells?", "You and ann both see them")
		second.press("n")
		if got := deadlyDigits(first) + deadlyDigits(second); got != "" {
			t.Errorf("%q stand out after a no", got)
		}
		second.press("x y")
		second.mustSee("You showed the deadly cells to both.")
		first.mustSee("bob showed the deadly cells to both.")
		for _, p := range []*person{first, second, cleo} {
			if got := deadlyDigits(p); got != "9" {
				t.Errorf("%q stand out", got)
			}
		}
		first.press("x")
		first.mustSee("Both of you see the deadly cells.")
	})
}
