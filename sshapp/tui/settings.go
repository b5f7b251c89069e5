package tui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"notakto/match/account"
	"notakto/sshapp/tui/draw"
)

// settings are what a player sets for all screens at once, and what is remembered of that from one session to the next.
// Only change and the table's key for deadly cells write to them. A change of the colours goes to [env.use] as well.
type settings struct {
	colors draw.Kind // [draw.Auto] leaves them to the terminal
	digits draw.Digits
	mouse  bool
	silent bool // whether the bell is off
	still  bool // whether nothing is to move
	deadly deadlyCells

	remembered account.Preferences       // as the session began with them
	remember   func(account.Preferences) // nil if nothing is remembered
}

// deadlyCells says whether the cells where a cross kills its board stand out against the computer.
type deadlyCells uint8

const (
	deadlyAtFirst deadlyCells = iota // in the first matches of a session
	deadlyShown
	deadlyHidden
)

// firstMatches is how many matches of a session are its first.
const firstMatches = 3

// The values of preferences that are not the default.
const (
	prefersOn    = "on"
	prefersOff   = "off"
	prefersPhone = "phone"
)

// newSettings makes the settings that a player is remembered by.
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

// save remembers the settings if they differ from those with which the session began.
func (s *settings) save() {
	if p := s.preferences(); s.remember != nil && p != s.remembered {
		s.remember(p)
	}
}

// preferences returns the settings that a player is remembered by.
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

// change changes the setting that a key stands for, and returns what the player reads about it, "" for another key.
func (s *settings) change(press tea.KeyPressMsg, e *env) string {
	switch {
	case key.Matches(press, e.keys.theme):
		e.use(e.theme.Next())
		s.colors = e.theme.Kind()
		return "Colours: " + s.colors.String() + "."
	case key.Matches(press, e.keys.mouse):
		if s.mouse = !s.mouse; s.mouse {
			return "Mouse on: click cells, lines and keys."
		}
		return "Mouse off."
	case key.Matches(press, e.keys.bell):
		s.silent = !s.silent
		return onOff("Bell", !s.silent) + "."
	case key.Matches(press, e.keys.motion):
		s.still = !s.still
		return onOff("Animation", !s.still) + "."
	case key.Matches(press, e.keys.digits):
		s.digits = draw.Phone - s.digits
		return [...]string{
			draw.Keypad: "Digits like a keypad: 7 8 9 on top.", draw.Phone: "Digits like a telephone: 1 2 3 on top.",
		}[s.digits]
	default:
		return ""
	}
}

func onOff(what string, on bool) string {
	if on {
		return what + " on"
	}
	return what + " off"
}
