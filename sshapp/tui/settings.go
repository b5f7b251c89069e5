package tui

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/match/account"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/client"
	"notakto/sshapp/tui/draw"
)

// choices are what the player has chosen last.
type choices struct {
	terms   match.Terms
	accepts []match.Terms  // of an opponent, the preferred ones first
	level   strategy.Level // zero if none was
	digits  draw.Digits
	mouse   bool
	silent  bool // whether the bell is off
	deadly  deadlyCells
	still   bool // whether nothing is to move
	theme   draw.Kind

	remembered account.Preferences       // of the choices, from before
	remember   func(account.Preferences) // nil if nothing is remembered
}

// The values of preferences that are not the default.
const (
	prefersOn    = "on"
	prefersOff   = "off"
	prefersPhone = "phone"
)

// prefer makes the choices that a player is remembered by.
func (s *session) prefer(p account.Preferences) {
	c := &s.choices
	c.remembered = p
	if c.theme = draw.KindOf(p.Theme); c.theme != draw.Auto {
		s.use(s.theme.WithKind(c.theme))
	}
	if p.Digits == prefersPhone {
		c.digits = draw.Phone
	}
	c.mouse, c.silent, c.still = p.Mouse == prefersOn, p.Bell == prefersOff, p.Motion == prefersOff
}

// preferences are the choices that a player is remembered by.
func (c choices) preferences() (p account.Preferences) {
	if c.theme != draw.Auto {
		p.Theme = c.theme.String()
	}
	if c.digits == draw.Phone {
		p.Digits = prefersPhone
	}
	if c.mouse {
		p.Mouse = prefersOn
	}
	if c.silent {
		p.Bell = prefersOff
	}
	if c.still {
		p.Motion = prefersOff
	}
	return p
}

// deadlyCells is whether the cells where a cross kills its board stand out against the computer.
type deadlyCells uint8

const (
	deadlyAtFirst deadlyCells = iota // in the first matches of a session
	deadlyShown
	deadlyHidden
)

// firstMatches is how many matches of a session are its first.
const firstMatches = 3

// showsDeadly reports whether the deadly cells stand out at a table: against the computer as the player likes it, and
// else if one of the players has had them shown to both.
func (s *session) showsDeadly(at *client.Table) bool {
	if !at.IsAgainstComputer() {
		return at.RevealedBy() != rules.Nobody
	}
	return s.choices.deadly == deadlyShown || s.choices.deadly == deadlyAtFirst && s.ended < firstMatches
}

// changeSetting changes how things look or sound, everywhere alike.
func (r *Root) changeSetting(msg tea.KeyPressMsg) bool {
	s := r.session
	_, inReview := r.screen.(*reviewScreen)
	switch {
	case key.Matches(msg, s.keys.playOn) && inReview:
		return false
	case key.Matches(msg, s.keys.theme):
		s.use(s.theme.Next())
		s.choices.theme = s.theme.Kind()
		r.errText = "Colours: " + s.theme.Kind().String() + "."
	case key.Matches(msg, s.keys.mouse):
		s.choices.mouse = !s.choices.mouse
		r.errText = "Mouse off."
		if s.choices.mouse {
			r.errText = "Mouse on: click cells, lines and keys."
		}
	case key.Matches(msg, s.keys.bell):
		s.choices.silent = !s.choices.silent
		r.errText = onOff("Bell", !s.choices.silent) + "."
	case key.Matches(msg, s.keys.motion):
		s.choices.still = !s.choices.still
		r.errText = onOff("Animation", !s.choices.still) + "."
	case key.Matches(msg, s.keys.digits):
		s.choices.digits = draw.Phone - s.choices.digits
		r.errText = [...]string{
			draw.Keypad: "Digits like a keypad: 7 8 9 on top.", draw.Phone: "Digits like a telephone: 1 2 3 on top.",
		}[s.choices.digits]
	default:
		return false
	}
	return true
}

// setBackground suits the colours to the terminal's ground, if they were left to it.
func (r *Root) setBackground(dark bool) {
	switch {
	case r.session.theme.Kind() != draw.Auto:
	case dark:
		r.session.use(r.session.theme.WithKind(draw.Dark))
	default:
		r.session.use(r.session.theme.WithKind(draw.Light))
	}
}

// settingsOf are the keys that mean the same everywhere, but for those that a screen has taken, and what is set by
// them.
func (s *session) settingsOf(taken ...key.Binding) []key.Binding {
	k, c := s.keys, &s.choices
	onTop := [...]string{draw.Keypad: s.either("7 8 9", "789"), draw.Phone: s.either("1 2 3", "123")}[c.digits]
	all := []key.Binding{
		renamed(k.theme, "colours: "+s.theme.Kind().String()),
		renamed(k.digits, "digits: "+onTop+" on top"),
		renamed(k.mouse, onOff("mouse:", c.mouse)),
		renamed(k.bell, onOff("bell:", !c.silent)),
		renamed(k.motion, onOff("animation:", !c.still)),
	}
	if !s.roomy() { // elsewhere they stand below a heading, which help is no part of; every footer has it
		all = append(all, renamed(k.help, "help"))
	}
	return slices.DeleteFunc(all, func(b key.Binding) bool {
		return slices.ContainsFunc(taken, func(other key.Binding) bool { return other.Help().Key == b.Help().Key })
	})
}

func onOff(what string, on bool) string {
	if on {
		return what + " on"
	}
	return what + " off"
}
