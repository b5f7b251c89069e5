package tui

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/sshapp/client"
	"notakto/sshapp/tui/draw"
)

// screen is one of the pictures that Root routes between. Its methods run in Root's goroutine.
type screen interface {
	// update takes a message in. It may bring up another screen by the methods of r.
	update(r *Root, msg tea.Msg) tea.Cmd
	// draw fills the canvas but for its last two lines, which hold the notice and the keys.
	draw(s *draw.Canvas)
	// notice is what the line above the keys says when nothing more urgent does.
	notice() (string, draw.Role)
	// actions are what the keys do, the most needed first.
	actions() []action
	// title is for the window; it holds no name of a player.
	title() string
}

// page is what most screens have in common: a header with the title of the window, and no notice.
type page struct {
	env  *env
	name string
}

func (p *page) title() string { return p.name }

func (p *page) notice() (string, draw.Role) { return "", draw.Plain }

// header writes the header in the middle of a huge window, and returns what is left for the screen.
func (p *page) header(s *draw.Canvas) draw.Rect {
	s.Page()
	return s.Header(p.name, p.env.player.Name)
}

// navigation is where a key, an entry of the lobby or an answer leads.
type navigation func(*Root) tea.Cmd

// action is what a key does. The footer, the help, the mouse's hints and [Root.do] are made from a screen's actions.
type action struct {
	key     *key.Binding
	short   string // in the footer; "" for a key that is not there
	long    string // in the help; "" for a key that is not there
	setting bool   // the help lists it among the settings
	do      navigation
}

// meant returns the action of the key that was pressed last, or nil. One without do leaves the key to the next.
func (e *env) meant(actions []action) *action {
	for i := range actions {
		if a := &actions[i]; a.do != nil && e.pressed(a.key) {
			return a
		}
	}
	return nil
}

func (r *Root) do(actions []action) tea.Cmd {
	if a := r.env.meant(actions); a != nil {
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

// listed returns the actions in the help. A setting whose key the screen has taken is left out.
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

// toWaiting shows the place in the queue, or asks for one.
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
