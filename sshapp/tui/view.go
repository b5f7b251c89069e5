package tui

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// Render appends what the window shows: exactly as many lines as it has, none wider than it.
func (r *Root) Render(dst []byte) []byte {
	family := r.session.theme.family
	s := family.sheets.Get().(*sheet)
	defer family.sheets.Put(s)
	s.clear(max(0, r.session.width), max(0, r.session.height), r.session.theme)
	r.draw(s)
	return s.appendTo(dst)
}

// Mouse reports whether the player wants the mouse to be heard.
func (r *Root) Mouse() bool { return r.session.mouse }

// View is part of tea.Model: what is rendered, for a program that has a renderer.
func (r *Root) View() tea.View {
	view := tea.View{Content: string(r.Render(nil)), WindowTitle: r.Title(), AltScreen: true}
	if r.Mouse() {
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
		groups := r.screen.FullHelp()
		if r.calling() != nil {
			groups = append(slices.Clip(groups), []key.Binding{r.session.keys.goOver})
		}
		drawHelp(s, r.session, groups, sittingOf(r.screen))
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
	call := r.calling()
	switch {
	case r.trouble != "":
		return r.trouble, notice
	case call != nil && r.presses(call):
		return r.callText(call), notice
	case r.news != "":
		return r.news, notice
	case call != nil && k != notice:
		return r.callText(call), notice
	default:
		return text, k
	}
}

// Title is for the window: what the player must not miss when it is hidden.
func (r *Root) Title() string {
	dot, dash := "● ", " — "
	if !r.session.theme.utf8 {
		dot, dash = "* ", " - "
	}
	s, call := sittingOf(r.screen), r.calling()
	switch {
	case call != nil && call.id == r.found:
		return dot + "Opponent found" + dash + "Notakto"
	case s != nil && s.mine(), fleeting(r.screen), call != nil:
		return dot + "Your turn" + dash + "Notakto"
	case r.screen.title() != "":
		return r.screen.title() + dash + "Notakto"
	default:
		return "Notakto"
	}
}
