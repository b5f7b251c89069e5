package tui

import (
	"image/color"
	"testing"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"

	"notakto/match/account"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/start"
	"notakto/sshapp/tui/draw"
)

// The theme goes round, the digits turn over, and the mouse is used only once it is wanted.
func TestSettings(t *testing.T) {
	inBubble(t, func(b *harness) {
		p := b.comeTo(keyed("ann"), start.Start{At: start.Computer, Side: rules.First, Level: strategy.Random})
		before := p.View().Content
		for _, name := range []string{"dark", "light", "mono", "auto"} {
			p.press("t")
			p.mustSee("Colours: " + name)
		}
		p.press("right")
		p.press("left")
		if p.View().Content != before {
			t.Error("four themes on, it looks different")
		}
		if p.View().MouseMode != tea.MouseModeNone {
			t.Error("the mouse is on before it is wanted")
		}
		p.send(tea.MouseClickMsg{X: 10, Y: 10, Button: tea.MouseLeft})
		if len(tableOf(p.screen).Moves) > 0 {
			t.Error("a click placed a mark while the mouse was off")
		}
		p.press("m p")
		p.mustSee("1 2 3 on top")
		if p.View().MouseMode != tea.MouseModeCellMotion {
			t.Error("the mouse is off after m")
		}
		p.press("1")
		if m := tableOf(p.screen).Moves[0].String(); m != "A7" {
			t.Errorf("1 on a telephone placed %s", m)
		}
	})
}

// What the keys of settings choose is there again at the next login. It is told once, at the end, and only if it
// differs.
func TestSettingsAreRemembered(t *testing.T) {
	inBubble(t, func(b *harness) {
		theme := draw.NewTheme(draw.Auto, colorprofile.TrueColor, draw.Unicode)
		var stored []account.Preferences
		session := func(p account.Preferences, keys ...string) *Root {
			r := New(Config{
				Player: keyed("ann"), Manager: b.manager, Theme: theme, Preferences: p,
				OnPreferences: func(p account.Preferences) { stored = append(stored, p) },
			})
			for _, name := range keys {
				r.Update(tea.KeyPressMsg{Code: rune(name[0]), Text: name})
			}
			return r
		}
		session(account.Preferences{}).Close()
		session(account.Preferences{}, "t", "t", "t", "t", "p", "p", "b", "b").Close()
		dark := session(account.Preferences{})
		dark.Update(tea.BackgroundColorMsg{Color: color.Black})
		dark.Close()
		if len(stored) > 0 {
			t.Errorf("nothing was chosen, and remembered: %+v", stored)
		}
		session(account.Preferences{}, "t", "p", "m", "b", "z").Close()
		want := account.Preferences{Theme: "dark", Digits: "phone", Mouse: "on", Bell: "off", Motion: "off"}
		if len(stored) != 1 || stored[0] != want {
			t.Fatalf("remembered: %+v", stored)
		}
		again := session(want)
		c := again.env.settings
		if again.env.theme.Kind() != draw.Dark || c.digits != draw.Phone || !again.Mouse() || !c.silent || !c.still {
			t.Errorf("the next session begins with %+v", c)
		}
		again.Close()
		if len(stored) != 1 {
			t.Errorf("nothing was chosen, and remembered: %+v", stored)
		}
		session(want, "t", "t", "t", "p", "m", "b", "z").Close()
		if len(stored) != 2 || stored[1] != (account.Preferences{}) {
			t.Errorf("back to the defaults: %+v", stored)
		}
		// by a newer version
		session(account.Preferences{Theme: "neon", Digits: "x", Mouse: "x", Bell: "x", Motion: "x"}).Close()
	})
}

// A terminal that tells its ground gets the colours for it, unless the player has chosen others.
func TestGround(t *testing.T) {
	inBubble(t, func(b *harness) {
		p := b.come(keyed("ann"))
		p.send(tea.BackgroundColorMsg{Color: lipgloss.Color("#ffffff")})
		if kind := p.env.theme.Kind(); kind != draw.Light {
			t.Errorf("%v on white", kind)
		}
		p.press("t")
		p.send(tea.BackgroundColorMsg{Color: lipgloss.Color("#000000")})
		if kind := p.env.theme.Kind(); kind != draw.Mono {
			t.Errorf("%v in place of the one chosen", kind)
		}
	})
}
