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
func (e *env) prefer(p account.Preferences) {
	c := &e.choices
	c.remembered = p
	if c.theme = draw.KindOf(p.Theme); c.theme != draw.Auto {
		e.use(e.theme.WithKind(c.theme))
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
func (e *env) showsDeadly(at *client.Table) bool {
	if !at.IsAgainstComputer() {
		return at.RevealedBy() != rules.Nobody
	}
	return e.choices.deadly == deadlyShown || e.choices.deadly == deadlyAtFirst && e.ended < firstMatches
}

// changeSetting changes how things look or sound, everywhere alike.
func (r *Root) changeSetting(msg tea.KeyPressMsg) bool {
	e := r.env
	_, inReview := r.screen.(*reviewScreen)
	switch {
	case key.Matches(msg, e.keys.playOn) && inReview:
		return false
	case key.Matches(msg, e.keys.theme):
		e.use(e.theme.Next())
		e.choices.theme = e.theme.Kind()
		r.errText = "Colours: " + e.theme.Kind().String() + "."
	case key.Matches(msg, e.keys.mouse):
		e.choices.mouse = !e.choices.mouse
		r.errText = "Mouse off."
		if e.choices.mouse {
			r.errText = "Mouse on: click cells, lines and keys."
		}
	case key.Matches(msg, e.keys.bell):
		e.choices.silent = !e.choices.silent
		r.errText = onOff("Bell", !e.choices.silent) + "."
	case key.Matches(msg, e.keys.motion):
		e.choices.still = !e.choices.still
		r.errText = onOff("Animation", !e.choices.still) + "."
	case key.Matches(msg, e.keys.digits):
		e.choices.digits = draw.Phone - e.choices.digits
		r.errText = [...]string{
			draw.Keypad: "Digits like a keypad: 7 8 9 on top.", draw.Phone: "Digits like a telephone: 1 2 3 on top.",
		}[e.choices.digits]
	default:
		return false
	}
	return true
}

// setBackground suits the colours to the terminal's ground, if they were left to it.
func (r *Root) setBackground(dark bool) {
	switch {
	case r.env.theme.Kind() != draw.Auto:
	case dark:
		r.env.use(r.env.theme.WithKind(draw.Dark))
	default:
		r.env.use(r.env.theme.WithKind(draw.Light))
	}
}

// settingsOf are the keys that mean the same everywhere, but for those that a screen has taken, and what is set by
// them.
func (e *env) settingsOf(taken ...key.Binding) []key.Binding {
	k, c := e.keys, &e.choices
	onTop := [...]string{draw.Keypad: e.either("7 8 9", "789"), draw.Phone: e.either("1 2 3", "123")}[c.digits]
	all := []key.Binding{
		renamed(k.theme, "colours: "+e.theme.Kind().String()),
		renamed(k.digits, "digits: "+onTop+" on top"),
		renamed(k.mouse, onOff("mouse:", c.mouse)),
		renamed(k.bell, onOff("bell:", !c.silent)),
		renamed(k.motion, onOff("animation:", !c.still)),
	}
	if !e.roomy() { // elsewhere they stand below a heading, which help is no part of; every footer has it
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
