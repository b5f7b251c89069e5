package tui

import (
	"fmt"
	"slices"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/client"
	"notakto/sshapp/render"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

// Render draws what the window shows into a grid, which gets the window's size.
func (r *Root) Render(grid *render.Grid) {
	r.draw(draw.NewCanvas(grid, r.session.width, r.session.height, r.session.theme))
}

// RenderMatch draws a match into a grid of a size, as its spectators see it, without a session.
func RenderMatch(grid *render.Grid, width, height int, theme *draw.Theme, s *match.State) {
	session := &session{host: wording.NoHost, width: width, height: height, moment: new(moment)}
	session.use(theme)
	at := &client.Table{Snapshot: &match.Snapshot{State: s}}
	r := &Root{session: session, screen: session.newTable(at)}
	if s.Over() {
		r.screen = &resultScreen{session: session, table: at, reviews: strategy.Review(s.Start, s.Moves)}
	}
	r.Render(grid)
}

// Mouse reports whether the terminal is to send the mouse.
func (r *Root) Mouse() bool { return r.session.choices.mouse }

// rowChooser is a screen with a list whose rows can be clicked.
type rowChooser interface{ chooseRow(row int) }

// targetAt is what a click at a place meets, by drawing once more: nothing is kept of where things were drawn.
func (r *Root) targetAt(x, y int) *draw.Target {
	s := draw.NewCanvas(new(render.Grid), r.session.width, r.session.height, r.session.theme)
	s.Target = &draw.Target{X: x, Y: y}
	if r.dialog != nil {
		r.dialog.draw(s, r.session.keys)
		return s.Target
	}
	r.screen.draw(s)
	s.Footer(r.screen.ShortHelp())
	return s.Target
}

// click goes to the row of a list that was clicked, and presses the key that the place stands for. Elsewhere the click
// is the screen's. The second one of a double click, which was not meant for what the first has brought up, turns only
// values.
func click(r *Root, msg tea.MouseClickMsg) tea.Cmd {
	if !r.Mouse() || msg.Button != tea.MouseLeft || r.isTooSmall() {
		return nil
	}
	if r.helping {
		r.helping = false
		return nil
	}
	at := r.targetAt(msg.X, msg.Y)
	if time.Since(r.touched) < reaction && !draw.IsArrow(at.Key) {
		return nil
	}
	r.errText, r.touched = "", time.Now()
	if s, ok := r.screen.(rowChooser); ok && at.Row > 0 {
		s.chooseRow(at.Row - 1)
	}
	if press, ok := keyNamed(at.Key); ok {
		return r.press(press)
	}
	if r.dialog != nil {
		return nil
	}
	return r.pass(msg)
}

// View is part of tea.Model: the text of what is rendered.
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
		groups := r.screen.FullHelp()
		if r.currentAlert() != nil {
			groups[0] = append(slices.Clip(groups[0]), r.session.keys.switchTable)
		}
		drawHelp(s, r.session, groups, tableOf(r.screen))
		return
	}
	r.screen.draw(s)
	s.Notice(r.notice())
	draw.FooterRule(s)
	s.Footer(r.screen.ShortHelp())
	if r.dialog != nil {
		r.dialog.draw(s, r.session.keys)
	}
}

// notice is the most urgent thing there is to say.
func (r *Root) notice() (string, draw.Role) {
	text, k := r.screen.notice()
	_, isTable := r.screen.(*tableScreen)
	call := r.currentAlert()
	switch {
	case r.status.isUnread():
		return r.status.text, draw.Notice
	case r.errText != "":
		return r.errText, draw.Notice
	case call != nil && r.isUrgent(call):
		return r.alertText(call), draw.Notice
	case r.status.text != "" && (!isTable || k != draw.Notice): // of a table such as a time that runs out
		return r.status.text, draw.Notice
	case call != nil && k != draw.Notice:
		return r.alertText(call), draw.Notice
	default:
		return text, k
	}
}

// Title is for the window: what the player must not miss when it is hidden.
func (r *Root) Title() string {
	dot, dash := "● ", " — "
	if r.session.theme.Charset() != draw.Unicode {
		dot, dash = "* ", " - "
	}
	s, call := tableOf(r.screen), r.currentAlert()
	switch {
	case call != nil && call.ID == r.found:
		return dot + "Opponent found" + dash + "Notakto"
	case s != nil && s.IsMyTurn(), isTurnJustChanged(r.screen), call != nil:
		return dot + "Your turn" + dash + "Notakto"
	case r.screen.title() != "":
		return r.screen.title() + dash + "Notakto"
	default:
		return "Notakto"
	}
}

// The smallest window that everything needed fits into.
const (
	minWidth  = 40
	minHeight = 16
)

func (r *Root) isTooSmall() bool { return r.session.width < minWidth || r.session.height < minHeight }

// drawTooSmall says what size is needed, and that nothing is lost.
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

// dialog is a question over the screen that is answered with y or n.
type dialog struct {
	question string
	lines    []string
	yes      navigation
	yesText  string
	noText   string
	asked    time.Time
	unseen   time.Duration // how long it has to be shown
}

const (
	reaction = 300 * time.Millisecond // in less time no person reads what has come up and answers it
	slowLink = 50 * time.Millisecond  // there and back; on a quicker link a key is hardly ever on its way
)

// unseen is how long something has to be shown before a key can be an answer to it: a key that was pressed before the
// screen could be seen, or read, is none. On a very slow link twice the way there and back allows for a slower packet.
func (s *session) unseen() time.Duration {
	took := s.inFlight()
	return took + max(reaction, took)
}

// inFlight is how old a key may be that comes just now: the way there and back on a slow link.
func (s *session) inFlight() time.Duration {
	if s.roundTrip == nil {
		return 0
	}
	if took := s.roundTrip(); took >= slowLink {
		return took
	}
	return 0
}

// newDialog asks a question now.
func (s *session) newDialog(d dialog) *dialog {
	d.asked, d.unseen = time.Now(), s.unseen()
	return &d
}

// bindings are the keys that answer, yes first.
func (d *dialog) bindings(keys *keyMap) []key.Binding {
	return []key.Binding{renamed(keys.yes, d.yesText), renamed(keys.no, d.noText)}
}

// answer takes a key in; done says that the question is answered.
func (d *dialog) answer(press tea.KeyPressMsg, keys *keyMap) (to navigation, done bool) {
	switch {
	case key.Matches(press, keys.yes) && d.isTooSoon():
		return nil, false
	case key.Matches(press, keys.yes):
		return d.yes, true
	case key.Matches(press, keys.no):
		return nil, true
	default:
		return nil, false
	}
}

// isTooSoon reports whether the player cannot have read what is given up.
func (d *dialog) isTooSoon() bool {
	_, gives := d.yes.(giveUp)
	return gives && time.Since(d.asked) < d.unseen
}

func (d *dialog) draw(s *draw.Canvas, keys *keyMap) {
	width := min(s.Width-2, max(38, draw.Columns(d.question)+4))
	inner := width - 4
	height := 5
	for _, line := range d.lines {
		height += draw.LinesOf(line, inner)
	}
	if len(d.lines) > 0 {
		height++
	}
	at := draw.Rect{X: (s.Width - width) / 2, Y: max(0, (s.Height-height)/2), Width: width, Height: height}
	s.Box(at, draw.Cursor)
	y := at.Y + 1
	s.Text(at.X+2, y, draw.Strong, d.question)
	y += 2
	for _, line := range d.lines {
		y = s.Paragraph(at.X+2, y, inner, draw.Plain, line)
	}
	if len(d.lines) > 0 {
		y++
	}
	x := at.X + 2
	for _, binding := range d.bindings(keys) {
		x = s.Hint(x, y, binding.Help().Key, binding.Help().Desc) + 3
	}
}

// moment is a short animation: a frame that is shown for a while before the picture that it leads to.
type moment struct {
	kind   momentKind
	boards draw.BoardSet // those that die
}

type momentKind uint8

const (
	noMoment       momentKind = iota
	momentFound               // who plays, in place of the boards
	momentDeath               // the crosses that have killed a board flash
	momentEnd                 // the same for the last board, before it is said who won
	momentHeadline            // the first word of who won
)

// longest is the slowest link on which moments are shown: there a frame would come when the next is due.
const longest = 200 * time.Millisecond

func (k momentKind) lasts() time.Duration {
	switch k {
	case momentFound:
		return 500 * time.Millisecond
	case momentHeadline:
		return 250 * time.Millisecond
	default:
		return 140 * time.Millisecond
	}
}

// next is the moment that follows.
func (k momentKind) next() momentKind {
	if k == momentEnd {
		return momentHeadline
	}
	return noMoment
}

// allLast is how long a moment and those that follow it last together.
func (k momentKind) allLast() time.Duration {
	if k == noMoment {
		return 0
	}
	return k.lasts() + k.next().allLast()
}

// momentOver says that a moment has been shown for long enough.
type momentOver struct{ shown *moment }

// begin shows a moment, unless the player wants none or the link is too slow for it. It takes the place of another one.
func (s *session) begin(m moment) tea.Cmd {
	if s.choices.still || s.inFlight() > longest || m.kind == noMoment {
		s.moment = new(moment)
		return nil
	}
	s.moment = &m
	return s.commands.in(m.kind.lasts(), func() tea.Msg { return momentOver{&m} })
}

// onMomentOver goes on to what follows a moment, if it is still shown.
func (r *Root) onMomentOver(msg momentOver) tea.Cmd {
	if msg.shown != r.session.moment {
		return nil
	}
	return r.session.begin(moment{kind: msg.shown.kind.next()})
}

// died is the moment of the boards that have died since a position.
func died(kind momentKind, before, now rules.Position) moment {
	m := moment{kind: kind}
	for i := range now.Variant().Boards() {
		if now.Dead(i) && !before.Dead(i) {
			m.boards |= 1 << i
		}
	}
	if m.boards == 0 {
		m.kind = kind.next()
	}
	return m
}

// drawOpponents shows in a box over the boards who plays and who begins.
func drawOpponents(s *draw.Canvas, at *client.Table) {
	first, second := at.SeatState(rules.First).Player.Name, at.SeatState(rules.Second).Player.Name
	names, begins := first+" - "+second, first+" begins."
	if at.Side == rules.First {
		begins = "You begin."
	}
	width := min(s.Width-2, max(draw.Columns(names), draw.Columns(begins))+6)
	box := draw.Rect{X: (s.Width - width) / 2, Y: s.Height/2 - 3, Width: width, Height: 5}
	s.Box(box, draw.Cursor)
	s.TextCenter(box.X, width, box.Y+1, draw.Strong, names)
	s.TextCenter(box.X, width, box.Y+3, draw.Faint, begins)
}
