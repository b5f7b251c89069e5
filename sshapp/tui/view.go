package tui

import (
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/rules/strategy"
	"notakto/sshapp/client"
	"notakto/sshapp/render"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

// Render draws the window's contents into a grid, and sets the grid's size.
func (r *Root) Render(grid *render.Grid) {
	r.draw(draw.NewCanvas(grid, r.env.width, r.env.height, r.env.theme))
}

// RenderMatch draws a match into a grid as spectators see it. It needs no session.
func RenderMatch(grid *render.Grid, width, height int, theme *draw.Theme, s *match.State) {
	e := &env{host: wording.NoHost, width: width, height: height, moment: new(moment)}
	e.use(theme)
	at := &client.Table{Snapshot: &match.Snapshot{State: s}}
	r := &Root{env: e, screen: newTable(e, at), matches: newOwnMatches(e)}
	if s.Over() {
		r.screen = &resultScreen{env: e, table: at, reviews: strategy.Review(s.Start, s.Moves)}
	}
	r.Render(grid)
}

// View implements tea.Model. It returns the rendered text.
func (r *Root) View() tea.View {
	var grid render.Grid
	r.Render(&grid)
	view := tea.View{Content: grid.String(), WindowTitle: r.Title(), AltScreen: true}
	if r.Mouse() {
		view.MouseMode = tea.MouseModeCellMotion
	}
	return view
}

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
	s.Notice(r.status.line(r.screen, r.matches))
	s.FooterRule()
	s.Footer(r.footer())
	if r.dialog != nil {
		r.dialog.draw(s, r.env.keys)
	}
}

// Title returns the window's title: what the player must not miss while the window is hidden.
func (r *Root) Title() string {
	dot, dash := "● ", " — "
	if r.env.theme.Charset() != draw.Unicode {
		dot, dash = "* ", " - "
	}
	s, call := tableOf(r.screen), r.matches.alert()
	table, isTable := r.screen.(*tableScreen)
	isMine := s != nil && s.IsMyTurn() || isTable && table.isBannerDelayed()
	switch {
	case call != nil && call.ID == r.matches.found:
		return dot + "Opponent found" + dash + "Notakto"
	case isMine, call != nil:
		return dot + "Your turn" + dash + "Notakto"
	case r.screen.title() != "":
		return r.screen.title() + dash + "Notakto"
	default:
		return "Notakto"
	}
}

// The size of the smallest window that the screens fit into.
const (
	minWidth  = 40
	minHeight = 16
)

func (r *Root) isTooSmall() bool { return r.env.width < minWidth || r.env.height < minHeight }

func drawTooSmall(s *draw.Canvas, at *client.Table) {
	text := fmt.Sprintf("Notakto needs %dx%d; this window is %dx%d.", minWidth, minHeight, s.Width, s.Height)
	switch {
	case at != nil && at.IsMyTurn():
		text += " Your match is kept. It is your turn."
	case at != nil && !at.IsWatching() && !at.Over():
		text += " Your match is kept."
	}
	width := max(1, s.Width-2)
	y := max(0, (s.Height-draw.LinesOf(text, width))/2)
	y = s.Paragraph(1, y, width, draw.Strong, text)
	s.Paragraph(1, y, width, draw.Faint, "Ctrl-C twice quits.")
}

// click chooses the row and presses the key at a place. The second click of a double click counts only on arrows,
// because the first click may have shown another screen.
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
	r.env.seek.queue.Activity()
	if s, ok := r.screen.(rowChooser); ok && at.Row > 0 {
		s.chooseRow(at.Row - 1)
	}
	if press, ok := keyNamed(at.Key); ok {
		return r.press(press)
	}
	if r.dialog != nil {
		return nil
	}
	return r.screen.update(r, msg)
}

// targetAt finds what is drawn at a place by drawing the screen once more. No frame stores where things are drawn.
func (r *Root) targetAt(x, y int) *draw.Target {
	s := draw.NewCanvas(new(render.Grid), r.env.width, r.env.height, r.env.theme)
	s.Target = &draw.Target{X: x, Y: y}
	if r.dialog != nil {
		r.dialog.draw(s, r.env.keys)
		return s.Target
	}
	r.screen.draw(s)
	s.Footer(r.footer())
	return s.Target
}
