package tui

import (
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"charm.land/bubbles/v2/key"

	"notakto/match"
	"notakto/rules/strategy"
	"notakto/sshapp/client"
	"notakto/sshapp/render"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

// Render sets grid to the window's size and draws the window's contents.
func (r *Root) Render(grid *render.Grid) {
	r.canvas.Reset(grid, r.env.width, r.env.height, r.env.theme)
	r.draw(&r.canvas)
	r.canvas = draw.Canvas{} // keeps no grid
}

// RenderMatch draws a match into grid as spectators see it, without a session.
func RenderMatch(grid *render.Grid, width, height int, theme *draw.Theme, s *match.State) {
	e := &env{host: wording.NoHost, width: width, height: height, moment: new(moment)}
	e.setTheme(theme)
	table := &client.Table{Snapshot: &match.Snapshot{State: s}}
	r := &Root{env: e, screen: newTable(e, table), matches: newOwnMatches(e)}
	if s.IsOver() {
		r.screen = &resultScreen{env: e, table: table, reviews: strategy.Review(s.Start, s.Moves)}
	}
	r.Render(grid)
}

// View implements [tea.Model] and returns the rendered text.
func (r *Root) View() tea.View {
	var grid render.Grid
	r.Render(&grid)
	view := tea.View{Content: grid.String(), WindowTitle: r.Title(), AltScreen: true}
	if r.Mouse() {
		view.MouseMode = tea.MouseModeCellMotion
	}
	return view
}

const mostHints = 16 // in most footers

func (r *Root) draw(s *draw.Canvas) {
	if r.isTooSmall() {
		drawTooSmall(s, tableOf(r.screen))
		return
	}
	if r.helping {
		r.drawHelp(s)
		return
	}
	r.screen.draw(s)
	notice, role := r.status.line(r.screen, r.matches)
	if notice == r.status.message && r.isOfferShown() {
		notice = r.offerText()
	}
	s.Notice(notice, role)
	s.FooterRule()
	var hints [mostHints]key.Help
	s.Footer(r.footer(hints[:0]))
	if r.dialog != nil {
		r.dialog.draw(s, r.env.keys)
	}
}

// Title returns the window's title, visible even while the window is hidden. A found opponent or the player's turn
// comes first.
func (r *Root) Title() string {
	dot, dash := "● ", " — "
	if r.env.theme.Charset() != draw.Unicode {
		dot, dash = "* ", " - "
	}
	urgent := r.matches.mostUrgent()
	playing, isPlaying := r.screen.(*tableScreen)
	isMine := r.isMyTurn() || isPlaying && playing.isBannerDelayed()
	switch {
	case urgent != nil && urgent.ID == r.matches.found:
		return dot + "Opponent found" + dash + "Notakto"
	case isMine, urgent != nil:
		return dot + "Your turn" + dash + "Notakto"
	case r.screen.title() != "":
		return r.screen.title() + dash + "Notakto"
	default:
		return "Notakto"
	}
}

// The size of the smallest window with room for every screen.
const (
	minWidth  = 40
	minHeight = 16
)

func (r *Root) isTooSmall() bool { return r.env.width < minWidth || r.env.height < minHeight }

func drawTooSmall(s *draw.Canvas, table *client.Table) {
	text := fmt.Sprintf("Notakto needs %dx%d; this window is %dx%d.", minWidth, minHeight, s.Width, s.Height)
	switch {
	case table != nil && table.IsMyTurn():
		text += " Your match is kept. It is your turn."
	case table != nil && !table.IsWatching() && !table.IsOver():
		text += " Your match is kept."
	}
	width := max(1, s.Width-2)
	y := max(0, (s.Height-draw.CountLines(text, width))/2)
	y = s.Paragraph(1, y, width, draw.Strong, text)
	s.Paragraph(1, y, width, draw.Faint, "Ctrl-C twice quits.")
}

// click handles a mouse click as the choice of a row, a key press, or both. A click within reaction of the last key or
// click counts only on arrows, because another screen may just have come up.
func (r *Root) click(msg tea.MouseClickMsg) tea.Cmd {
	if !r.Mouse() || msg.Button != tea.MouseLeft || r.isTooSmall() {
		return nil
	}
	if r.helping {
		r.helping = false
		r.env.attention.uncover()
		return nil
	}
	at := r.targetAt(msg.X, msg.Y)
	if time.Since(r.touched) < reaction && !draw.IsArrow(at.Key) {
		return nil
	}
	r.status.feedback, r.touched = "", time.Now()
	r.env.search.queue.RecordActivity()
	if s, ok := r.screen.(rowChooser); ok && at.Row > 0 {
		s.chooseRow(at.Row - 1)
	}
	if press, ok := keyNamed(at.Key); ok {
		return r.press(press, nameOf(press))
	}
	if r.dialog != nil {
		return nil
	}
	return r.screen.update(r, msg)
}

// targetAt finds the target at a place by drawing the screen again, because frames do not store the places of
// targets.
func (r *Root) targetAt(x, y int) *draw.Target {
	s := draw.NewCanvas(new(render.Grid), r.env.width, r.env.height, r.env.theme)
	s.Target = &draw.Target{X: x, Y: y}
	if r.dialog != nil {
		r.dialog.draw(s, r.env.keys)
		return s.Target
	}
	r.screen.draw(s)
	s.Footer(r.footer(nil))
	return s.Target
}
