package tui

import (
	"image/color"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

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
			p.press("t").mustSee("Colours: " + name)
		}
		p.press("right left")
		testkit.Equal(t, p.View().Content, before, "four themes on, it looks different")
		p.send(tea.BackgroundColorMsg{Color: color.White})
		testkit.Equal(t, p.env.theme.Kind(), draw.Light)
		p.press("t")
		p.send(tea.BackgroundColorMsg{Color: color.Black})
		testkit.Equal(t, p.env.theme.Kind(), draw.Mono, "the terminal's background undoes a choice")
		testkit.Equal(t, p.View().MouseMode, tea.MouseModeNone, "the mouse is on before it is wanted")
		p.send(tea.MouseClickMsg{X: 10, Y: 10, Button: tea.MouseLeft})
		p.press("m p").mustSee("1 2 3 on top")
		testkit.Equal(t, p.View().MouseMode, tea.MouseModeCellMotion, "the mouse is off after m")
		p.press("1")
		testkit.Equal(t, tableOf(p.screen).Moves[0].String(), "A7", "a click placed a mark while the mouse was off")
	})
}

func TestSettingsAreRemembered(t *testing.T) {
	inBubble(t, func(b *harness) {
		var stored account.Preferences
		session := func(p account.Preferences, keys string) *Root {
			stored = account.Preferences{Theme: "not stored"}
			r := alone(Config{
				Player: keyed("ann"), Manager: b.manager, Theme: utf8Theme(), Preferences: p,
				OnPreferences: func(p account.Preferences) { stored = p },
			})
			for _, name := range strings.Fields(keys) {
				r.Update(keyPress(name))
			}
			r.Update(tea.BackgroundColorMsg{Color: color.Black}) // which the player has not chosen
			r.Close()
			return r
		}
		unstored := account.Preferences{Theme: "not stored"}
		chosen := account.Preferences{Theme: "dark", Digits: "phone", Mouse: "on", Bell: "off", Motion: "off"}
		for _, test := range []struct {
			begin account.Preferences
			keys  string
			want  account.Preferences
		}{
			{account.Preferences{}, "t t t t p p ! ! !", unstored},
			{account.Preferences{}, "t p m ! z", chosen},
			{chosen, "", unstored},
			{chosen, "t t t p m ! ! z", account.Preferences{}},
			{account.Preferences{}, "! !", account.Preferences{Alerts: "off"}},
		} {
			session(test.begin, test.keys)
			testkit.Equal(t, stored, test.want, test.begin, test.keys)
		}
		again := session(chosen, "")
		c := again.env.settings
		if again.env.theme.Kind() != draw.Dark || c.digits != draw.Phone || !again.Mouse() ||
			c.alerts != alertsOff || !c.still {
			t.Errorf("the next session begins with %+v", c)
		}
		// A newer version may have stored unknown values.
		session(account.Preferences{Theme: "neon", Digits: "x", Mouse: "x", Bell: "x", Motion: "x"}, "t p m ! z")
		bell := session(account.Preferences{Alerts: "off"}, "")
		testkit.Equal(t, bell.env.settings.alerts, bellOnly)
	})
}
