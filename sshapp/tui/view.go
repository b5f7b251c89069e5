package tui

import (
	tea "charm.land/bubbletea/v2"
)

// View is part of tea.Model. Its content has exactly as many lines as the window, none wider than it.
func (r *Root) View() tea.View {
	family := r.session.theme.family
	s := family.sheets.Get().(*sheet)
	s.clear(max(0, r.session.width), max(0, r.session.height), r.session.theme)
	r.draw(s)
	view := tea.View{Content: s.String(), WindowTitle: r.title(), AltScreen: true}
	family.sheets.Put(s)
	if r.session.mouse {
		view.MouseMode = tea.MouseModeCellMotion
	}
	return view
}

func (r *Root) draw(s *sheet) {
	if r.tooSmall() {
		drawTooSmall(s, sittingOf(r.screen))
		return
	}
	if r.helping {
		drawHelp(s, r.session, r.screen.FullHelp(), sittingOf(r.screen))
		return
	}
	r.screen.draw(s)
	s.notice(r.notice())
	s.footer(r.screen.ShortHelp())
	if r.dialog != nil {
		r.dialog.draw(s)
	}
}

// notice is the most urgent thing there is to say.
func (r *Root) notice() (string, ink) {
	text, k := r.screen.notice()
	switch {
	case r.trouble != "":
		return r.trouble, notice
	case r.found != "":
		return "Opponent found! Press " + r.session.keys.goOver.Help().Key + " to go over.", notice
	case r.news != "":
		return r.news, notice
	default:
		return text, k
	}
}

// title is for the window: what the player must not miss when it is hidden.
func (r *Root) title() string {
	dot, dash := "● ", " — "
	if !r.session.theme.utf8 {
		dot, dash = "* ", " - "
	}
	s := sittingOf(r.screen)
	switch {
	case r.found != "":
		return dot + "Opponent found" + dash + "Notakto"
	case s != nil && s.mine(), fleeting(r.screen):
		return dot + "Your turn" + dash + "Notakto"
	case r.screen.title() != "":
		return r.screen.title() + dash + "Notakto"
	default:
		return "Notakto"
	}
}
