package tui

import (
	tea "charm.land/bubbletea/v2"

	"notakto/match/account"
	"notakto/sshapp/tui/draw"
)

// settings holds what a player sets for all screens. The preferences last beyond the session. Only settingActions and
// tableScreen.toggleDeadly write to settings.
type settings struct {
	colors draw.Kind // [draw.Auto] leaves them to the terminal
	digits draw.Digits
	mouse  bool
	silent bool // whether the bell is off
	still  bool // whether nothing is to move
	deadly deadlyCells

	remembered account.Preferences       // the preferences at the start of the session
	remember   func(account.Preferences) // nil if nothing is remembered
}

// deadlyCells says when deadly cells stand out against the computer. An X on a deadly cell kills its board.
type deadlyCells uint8

const (
	deadlyAtFirst deadlyCells = iota // only in the first firstMatches matches of a session
	deadlyShown
	deadlyHidden
)

const firstMatches = 3

// The values of preferences that are not the default.
const (
	prefersOn    = "on"
	prefersOff   = "off"
	prefersPhone = "phone"
)

func newSettings(p account.Preferences, remember func(account.Preferences)) settings {
	s := settings{
		colors: draw.KindOf(p.Theme), mouse: p.Mouse == prefersOn, silent: p.Bell == prefersOff,
		still: p.Motion == prefersOff, remembered: p, remember: remember,
	}
	if p.Digits == prefersPhone {
		s.digits = draw.Phone
	}
	return s
}

func (s *settings) preferences() (p account.Preferences) {
	if s.colors != draw.Auto {
		p.Theme = s.colors.String()
	}
	if s.digits == draw.Phone {
		p.Digits = prefersPhone
	}
	if s.mouse {
		p.Mouse = prefersOn
	}
	if s.silent {
		p.Bell = prefersOff
	}
	if s.still {
		p.Motion = prefersOff
	}
	return p
}

func (e *env) settingActions() []action {
	k, c := e.keys, &e.settings
	onTop := [...]string{draw.Keypad: e.either("7 8 9", "789"), draw.Phone: e.either("1 2 3", "123")}[c.digits]
	all := []action{
		{key: &k.theme, long: "colours: " + e.theme.Kind().String(), do: func(r *Root) tea.Cmd {
			e.use(e.theme.Next())
			c.colors = e.theme.Kind()
			return r.setFeedback("Colours: " + c.colors.String() + ".")
		}},
		{key: &k.digits, long: "digits: " + onTop + " on top", do: func(r *Root) tea.Cmd {
			c.digits = draw.Phone - c.digits
			return r.setFeedback([...]string{
				draw.Keypad: "Digits like a keypad: 7 8 9 on top.", draw.Phone: "Digits like a telephone: 1 2 3 on top.",
			}[c.digits])
		}},
		{key: &k.mouse, long: onOff("mouse:", c.mouse), do: func(r *Root) tea.Cmd {
			if c.mouse = !c.mouse; c.mouse {
				return r.setFeedback("Mouse on: click cells, lines and keys.")
			}
			return r.setFeedback("Mouse off.")
		}},
		{key: &k.bell, long: onOff("bell:", !c.silent), do: func(r *Root) tea.Cmd {
			c.silent = !c.silent
			return r.setFeedback(onOff("Bell", !c.silent) + ".")
		}},
		{key: &k.motion, long: onOff("animation:", !c.still), do: func(r *Root) tea.Cmd {
			c.still = !c.still
			return r.setFeedback(onOff("Animation", !c.still) + ".")
		}},
	}
	if !e.roomy() { // a roomy window lists these as Settings, and help is no setting
		all = append(all, action{key: &k.help, long: "help"})
	}
	return all
}

// setFeedback shows feedback until the next key.
func (r *Root) setFeedback(feedback string) tea.Cmd {
	r.status.feedback = feedback
	return nil
}

func onOff(what string, on bool) string {
	if on {
		return what + " on"
	}
	return what + " off"
}
