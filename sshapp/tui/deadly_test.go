package tui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"

	"notakto/internal/testkit"
	"notakto/rules"
	"notakto/sshapp/render"
	"notakto/sshapp/start"
	"notakto/sshapp/tui/draw"
)

// deadlyDigits returns the digits that stand out. Without colours they are the only underlined text at a table.
func deadlyDigits(p *person) string {
	p.env.setTheme(draw.NewTheme(draw.Mono, colorprofile.ANSI256, draw.Unicode))
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

func TestDeadlyCells(t *testing.T) {
	inBubble(t, func(b *harness) {
		from := start.Start{At: start.Computer, Side: rules.First}
		from.Variant = variantOf(rules.Notakto(1))
		p := b.comeTo(keyed("ann"), from).press("5 1s")
		position := tableOf(p.screen).Position
		deadly := strings.Map(func(digit rune) rune {
			if position.Kills(rules.Move{Cell: rules.Cell(digit - '0')}) {
				return digit
			}
			return -1
		}, "789456123")
		testkit.Equal(t, deadlyDigits(p), deadly)
		const explained = "An X on a marked digit kills the board."
		p.mustSee("x danger", explained)
		p.press("x").mustSee("Deadly cells off.")
		p.press("tab").mustNotSee(explained)
		testkit.Equal(t, deadlyDigits(p), "")
		p.press("?").mustSee("Press x to mark the digits that kill")
		p.press("? x").mustSee("Deadly cells on")
		p.resize(120, 40)
		p.press("?").mustSee(explained)
	})
}

func TestDeadlyCellsStandOutInTheFirstMatches(t *testing.T) {
	inBubble(t, func(b *harness) {
		p := b.comeTo(keyed("ann"), start.Start{At: start.Computer, Side: rules.First})
		for ended := range firstMatches + 1 {
			testkit.Equal(t, p.env.showsDeadly(tableOf(p.screen)), ended < firstMatches, ended)
			p.press("r y")
			b.advance(p.env.answerDelay())
			p.press("enter")
		}
	})
}

func TestDeadlyCellsBetweenPeople(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/1", "A5", "A1")
		cleo := b.comeTo(keyed("cleo"), start.Start{At: start.Match})
		second.press("x")
		second.mustSee("Show the deadly cells?", "You and ann both see them")
		second.press("n")
		testkit.Equal(t, deadlyDigits(first)+deadlyDigits(second)+deadlyDigits(cleo), "")
		second.press("x y")
		second.mustSee("You showed the deadly cells to both.")
		first.mustSee("bob showed the deadly cells to both.")
		testkit.Equal(t, deadlyDigits(first)+deadlyDigits(second)+deadlyDigits(cleo), "999")
		first.press("x")
		first.mustSee("Both of you see the deadly cells.")
	})
}
