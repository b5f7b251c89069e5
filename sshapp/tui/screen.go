package tui

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/sshapp/client"
	"notakto/sshapp/tui/draw"
)

// screen is one of the screens that Root shows. Its methods run in Root's goroutine.
type screen interface {
	// update handles a message. It may show another screen through r.
	update(r *Root, msg tea.Msg) tea.Cmd
	// draw draws all but the last lines, which hold the notice and the keys.
	draw(s *draw.Canvas)
	// notice returns the text above the keys. More urgent messages replace it.
	notice() (string, draw.Role)
	// actions returns what the keys do, the most important first.
	actions() []action
	// title returns the title of the window. It must not contain a player's name.
	title() string
}

// page is embedded by most screens. It has a header with the title of the window, and no notice.
type page struct {
	env  *env
	name string
}

func (p *page) title() string { return p.name }

func (p *page) notice() (string, draw.Role) { return "", draw.Plain }

// header writes the header, in a huge window in its middle, and returns the area below.
func (p *page) header(s *draw.Canvas) draw.Rect {
	s.Page()
	return s.Header(p.name, p.env.player.Name)
}

// navigation shows another screen through Root, or acts on this one, and returns a command or nil. A key, a lobby entry
// or a message leads to it.
type navigation func(*Root) tea.Cmd

// action binds a key to an effect. The footer, the help, clicks on hints and [Root.do] use the screen's actions.
type action struct {
	key     *key.Binding
	short   string // the text in the footer; "" to leave the key out
	long    string // the text in the help; "" to leave the key out
	setting bool   // the help lists it among the settings
	do      navigation
}

// pressedAction returns the first action with the last pressed key, or nil. It skips an action whose do is nil.
func (e *env) pressedAction(actions []action) *action {
	for i := range actions {
		if a := &actions[i]; a.do != nil && e.pressed(a.key) {
			return a
		}
	}
	return nil
}

func (r *Root) do(actions []action) tea.Cmd {
	if a := r.env.pressedAction(actions); a != nil {
		return a.do(r)
	}
	return nil
}

func (e *env) pressed(b *key.Binding) bool { return slices.Contains(b.Keys(), e.attention.key) }

func (r *Root) footer() []key.Help {
	actions := r.screen.actions()
	hints := make([]key.Help, 0, 8)
	if r.canLeaveQueue() {
		hints = append(hints, r.env.keys.leaveQueue.Help())
	}
	for i := range actions {
		if a := &actions[i]; a.short != "" {
			hints = append(hints, key.Help{Key: a.key.Help().Key, Desc: a.short})
		}
	}
	return append(hints, r.env.keys.help.Help())
}

// listed returns the actions for the help. It leaves out a setting whose key the screen uses.
func (r *Root) listed() (own, settings []action) {
	for _, a := range r.screen.actions() {
		switch {
		case a.long == "":
		case a.setting:
			settings = append(settings, a)
		default:
			own = append(own, a)
		}
	}
	for _, a := range r.env.settingActions() {
		if !slices.ContainsFunc(own, func(other action) bool { return other.key.Help().Key == a.key.Help().Key }) {
			settings = append(settings, a)
		}
	}
	if r.matches.alert() != nil {
		own = append(own, action{key: &r.env.keys.switchTable, long: r.env.keys.switchTable.Help().Desc})
	}
	if r.canLeaveQueue() {
		own = append(own, action{key: &r.env.keys.leaveQueue, long: r.env.keys.leaveQueue.Help().Desc})
	}
	return own, settings
}

func when(is bool, text string) string {
	if is {
		return text
	}
	return ""
}

type tableScreener interface{ at() *client.Table }

type entering interface{ enter() tea.Cmd }

type rowChooser interface{ chooseRow(row int) }

// tableOf returns the match that a screen shows, or nil.
func tableOf(s screen) *client.Table {
	if s, ok := s.(tableScreener); ok {
		return s.at()
	}
	return nil
}

func shownID(s screen) match.ID {
	if at := tableOf(s); at != nil {
		return at.ID
	}
	return ""
}

func toLobby(r *Root) tea.Cmd    { return r.enterLobby("") }
func toComputer(r *Root) tea.Cmd { return r.show(newComputer(r.env)) }
func toOpponent(r *Root) tea.Cmd { return r.show(newOpponent(r.env)) }
func toPrivate(r *Root) tea.Cmd  { return r.show(newPrivate(r.env)) }
func toWatch(r *Root) tea.Cmd    { return r.show(newWatch(r.env)) }
func toHowTo(r *Root) tea.Cmd    { return r.show(newHowTo(r.env)) }
func toLadder(r *Root) tea.Cmd   { return r.show(newLadder(r.env)) }
func toYou(r *Root) tea.Cmd      { return r.show(newYou(r.env)) }

// toWaiting shows the place in the queue, or requests one if there is none.
func toWaiting(r *Root) tea.Cmd {
	if q := r.env.seek.queue; q.IsWaiting() {
		q.Keep()
		return r.show(newWaiting(r.env))
	}
	return r.seek(seekRequest{accepts: r.env.choices.accepts})
}

func (r *Root) say(text string) tea.Cmd {
	r.status.say(text)
	return nil
}

func (r *Root) seek(wanted seekRequest) tea.Cmd { return r.env.seek.request(wanted) }
