package tui

import (
	tea "charm.land/bubbletea/v2"

	"notakto/match/account"
	"notakto/sshapp/tui/draw"
)

// settings holds the player's settings for all screens. Only settingActions and tableScreen.toggleDeadly write to it.
type settings struct {
	colors draw.Kind // [draw.Auto] leaves the colours to the terminal
	digits draw.Digits
	mouse  bool
	alerts alerts
	still  bool // animation is off
	deadly deadlyCells

	remembered account.Preferences       // the preferences at the start of the session
	remember   func(account.Preferences) // stores changed preferences, may be nil
}

// alerts says how a player away from the window learns of a turn.
type alerts uint8

const (
	alertsOn  alerts = iota // by the bell and by notifications on the desktop
	alertsOff               // not at all
	bellOnly
)

func (a alerts) String() string { return [...]string{"on", "off", "bell"}[a] }

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
		colors: draw.ParseKind(p.Theme), mouse: p.Mouse == prefersOn, still: p.Motion == prefersOff,
		remembered: p, remember: remember,
	}
	if p.Digits == prefersPhone {
		s.digits = draw.Phone
	}
	switch prefersOff {
	case p.Bell:
		s.alerts = alertsOff
	case p.Alerts:
		s.alerts = bellOnly
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
	switch s.alerts {
	case alertsOn:
	case alertsOff:
		p.Bell = prefersOff
	case bellOnly:
		p.Alerts = prefersOff
	}
	if s.still {
		p.Motion = prefersOff
	}
	return p
}

func (e *env) settingActions() []action {
	keys, c := e.keys, &e.settings
	onTop := [...]string{draw.Keypad: e.either("7 8 9", "789"), draw.Phone: e.either("1 2 3", "123")}[c.digits]
	all := []action{
		{key: &keys.theme, long: "colours: " + e.theme.Kind().String(), run: func(r *Root) tea.Cmd {
			e.setTheme(e.theme.Next())
			c.colors = e.theme.Kind()
			return r.setFeedback("Colours: " + c.colors.String() + ".")
		}},
		{key: &keys.digits, long: "digits: " + onTop + " on top", run: func(r *Root) tea.Cmd {
			c.digits = draw.Phone - c.digits
			return r.setFeedback([...]string{
				draw.Keypad: "Digits like a keypad: 7 8 9 on top.",
				draw.Phone: e.fit(
					"Digits like a telephone: 1 2 3 on top. Texts keep those of a keypad.",
					"1 2 3 on top. Texts keep 7 8 9 on top.",
				),
			}[c.digits])
		}},
		{key: &keys.mouse, long: onOff("mouse:", c.mouse), run: func(r *Root) tea.Cmd {
			if c.mouse = !c.mouse; c.mouse {
				return r.setFeedback("Mouse on: click cells, lines and keys.")
			}
			return r.setFeedback("Mouse off.")
		}},
		{key: &keys.alerts, long: "alerts: " + c.alerts.String(), run: func(r *Root) tea.Cmd {
			c.alerts = (c.alerts + 1) % (bellOnly + 1)
			return r.setFeedback([...]string{
				alertsOn: e.fit(
					"Alerts on: the bell, and notifications on your desktop.",
					"Alerts on: bell and desktop.",
				),
				alertsOff: "Alerts off.", bellOnly: "Alerts: the bell only.",
			}[c.alerts])
		}},
		{key: &keys.motion, long: onOff("animation:", !c.still), run: func(r *Root) tea.Cmd {
			c.still = !c.still
			return r.setFeedback(onOff("Animation", !c.still) + ".")
		}},
	}
	if !e.isRoomy() { // a roomy window lists these actions as settings, and help is not a setting
		all = append(all, action{key: &keys.help, long: "help"})
	}
	return all
}

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
