package tui

import (
	"image/color"
	"testing"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"

	"notakto/internal/testkit"
	"notakto/match/account"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/start"
	"notakto/sshapp/tui/draw"
)

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
		testkit.Equal(t, p.View().Content, before, "four themes on, it looks different")
		testkit.Equal(t, p.View().MouseMode, tea.MouseModeNone, "the mouse is on before it is wanted")
		p.send(tea.MouseClickMsg{X: 10, Y: 10, Button: tea.MouseLeft})
		if len(tableOf(p.screen).Moves) > 0 {
			t.Error("a click placed a mark while the mouse was off")
		}
		p.press("m p")
		p.mustSee("1 2 3 on top")
		testkit.Equal(t, p.View().MouseMode, tea.MouseModeCellMotion, "the mouse is off after m")
		p.press("1")
		testkit.Equal(t, tableOf(p.screen).Moves[0].String(), "A7")
	})
}

func TestSettingsAreRemembered(t *testing.T) {
	inBubble(t, func(b *harness) {
		theme := draw.NewTheme(draw.Auto, colorprofile.TrueColor, draw.Unicode)
		var stored []account.Preferences
		session := func(p account.Preferences, keys ...string) *Root {
			r := alone(Config{
				Player: keyed("ann"), Manager: b.manager, Theme: theme, Preferences: p,
				OnPreferences: func(p account.Preferences) { stored = append(stored, p) },
			})
			for _, name := range keys {
				r.Update(tea.KeyPressMsg{Code: rune(name[0]), Text: name})
			}
			return r
		}
		session(account.Preferences{}).Close()
		session(account.Preferences{}, "t", "t", "t", "t", "p", "p", "!", "!", "!").Close()
		dark := session(account.Preferences{})
		dark.Update(tea.BackgroundColorMsg{Color: color.Black})
		dark.Close()
		if len(stored) > 0 {
			t.Errorf("nothing was chosen, and remembered: %+v", stored)
		}
		session(account.Preferences{}, "t", "p", "m", "!", "z").Close()
		want := account.Preferences{Theme: "dark", Digits: "phone", Mouse: "on", Bell: "off", Motion: "off"}
		if len(stored) != 1 || stored[0] != want {
			t.Fatalf("remembered: %+v", stored)
		}
		again := session(want)
		c := again.env.settings
		if again.env.theme.Kind() != draw.Dark || c.digits != draw.Phone || !again.Mouse() ||
			c.alerts != alertsOff || !c.still {
			t.Errorf("the next session begins with %+v", c)
		}
		again.Close()
		testkit.Equal(t, len(stored), 1, stored)
		session(want, "t", "t", "t", "p", "m", "!", "!", "z").Close()
		if len(stored) != 2 || stored[1] != (account.Preferences{}) {
			t.Errorf("back to the defaults: %+v", stored)
		}
		session(account.Preferences{}, "!", "!").Close()
		if len(stored) != 3 || stored[2] != (account.Preferences{Alerts: "off"}) {
			t.Errorf("with the bell only: %+v", stored)
		}
		if bell := session(stored[2]); bell.env.settings.alerts != bellOnly {
			t.Errorf("the next session begins with %+v", bell.env.settings)
		}
		// A newer version may have stored unknown values.
		session(account.Preferences{Theme: "neon", Digits: "x", Mouse: "x", Bell: "x", Motion: "x"}).Close()
	})
}

func TestGround(t *testing.T) {
	inBubble(t, func(b *harness) {
		p := b.come(keyed("ann"))
		p.send(tea.BackgroundColorMsg{Color: lipgloss.Color("#ffffff")})
		testkit.Equal(t, p.env.theme.Kind(), draw.Light)
		p.press("t")
		p.send(tea.BackgroundColorMsg{Color: lipgloss.Color("#000000")})
		testkit.Equal(t, p.env.theme.Kind(), draw.Mono)
	})
}
