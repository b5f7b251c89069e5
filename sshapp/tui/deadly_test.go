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
	p.session.use(draw.NewTheme(draw.Mono, colorprofile.ANSI256, true))
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

// Against the computer a key shows which cells kill their board; between people it would help only one of them.
func TestDeadlyCells(t *testing.T) {
	inBubble(t, func(b *harness) {
		p := b.comeTo(keyed("ann"), start.Start{At: start.Computer, Side: rules.First})
		for killing(tableOf(p.screen).Position) == 0 {
			move := tableOf(p.screen).Position.Legal()[0].String()
			p.press(move[:1] + " " + move[1:])
		}
		if got := deadlyDigits(p); got != "" {
			t.Errorf("%q stand out", got)
		}
		p.press("x")
		p.mustSee("Deadly cells on")
		want := killing(tableOf(p.screen).Position)
		if got := deadlyDigits(p); len(got) != want {
			t.Errorf("%q stand out, want %d of them:\n%s", got, want, p.sees())
		}

		first, _ := b.pair("notakto/1")
		first.press("x")
		first.mustSee("Deadly cells are shown against the computer only.")
	})
}
