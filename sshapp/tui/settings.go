package tui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"notakto/sshapp/tui/draw"
)

// changeSetting changes how things look or sound, everywhere alike.
func changeSetting(r *Root, msg tea.KeyPressMsg) bool {
	s := r.session
	switch {
	case key.Matches(msg, s.keys.theme):
		s.use(s.theme.Next())
		r.errText = "Colours: " + s.theme.Kind().String()
	case key.Matches(msg, s.keys.mouse):
		s.choices.mouse = !s.choices.mouse
		r.errText = onOff("Mouse", s.choices.mouse)
	case key.Matches(msg, s.keys.bell):
		s.choices.silent = !s.choices.silent
		r.errText = onOff("Bell", !s.choices.silent)
	case key.Matches(msg, s.keys.digits):
		s.choices.digits = draw.Phone - s.choices.digits
		r.errText = [...]string{draw.Keypad: "Digits like a keypad: 7 8 9 on top", draw.Phone: "Digits like a telephone: 1 2 3 on top"}[s.choices.digits]
	default:
		return false
	}
	return true
}

func onOff(what string, on bool) string {
	if on {
		return what + " on"
	}
	return what + " off"
}

// setBackground suits the colours to the terminal's ground, if they were left to it.
func setBackground(r *Root, dark bool) {
	switch {
	case r.session.theme.Kind() != draw.Auto:
	case dark:
		r.session.use(r.session.theme.WithKind(draw.Dark))
	default:
		r.session.use(r.session.theme.WithKind(draw.Light))
	}
}
