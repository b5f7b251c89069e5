package tui

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/sshapp/client"
	"notakto/sshapp/tui/draw"
)

// screen is a screen that Root can show. Its methods run in Root's goroutine.
type screen interface {
	// update handles a message, and may show another screen through r.
	update(r *Root, msg tea.Msg) tea.Cmd
	// draw leaves the last lines to Root, for the notice and the keys.
	draw(s *draw.Canvas)
	// notice returns the text above the keys. More urgent messages replace the text.
	notice() (string, draw.Role)
	// actions returns the actions of all keys, the most important first.
	actions() []action
	// title returns the title of the window. A title must not contain a player's name.
	title() string
}

// page is embedded by most screens, and provides a header with the window's title and an empty notice.
type page struct {
	env  *env
	name string
}

func (p *page) title() string { return p.name }

func (p *page) notice() (string, draw.Role) { return "", draw.Plain }

func (p *page) header(s *draw.Canvas) draw.Rect {
	s.Page()
	return s.Header(p.name, p.env.player.Name)
}

// navigation acts on Root, usually to show another screen, and returns a command or nil. A command may return a
// navigation as its message.
type navigation func(*Root) tea.Cmd

// action binds a key to an effect. The footer, the help, clicks on hints and [Root.runAction] use a screen's actions.
type action struct {
	key     *key.Binding
	short   string     // the text in the footer, "" to leave the key out
	long    string     // the text in the help, "" to leave the key out
	setting bool       // the help lists the action among the settings
	run     navigation // nil for an action that is only a hint
}

// cachedActions keeps a list of actions until the state that determines them changes. Every function in the list costs
// an allocation, and every frame and every key needs the list.
type cachedActions[State comparable] struct {
	state State
	list  []action
}

func (c *cachedActions[State]) get(now State, list func(State) []action) []action {
	if c.list == nil || c.state != now {
		c.state, c.list = now, list(now)
	}
	return c.list
}

func (e *env) pressedAction(actions []action) *action {
	for i := range actions {
		if a := &actions[i]; a.run != nil && e.pressed(a.key) {
			return a
		}
	}
	return nil
}

func (r *Root) runAction(actions []action) tea.Cmd {
	if a := r.env.pressedAction(actions); a != nil {
		return a.run(r)
	}
	return nil
}

func (e *env) pressed(b *key.Binding) bool { return slices.Contains(b.Keys(), e.attention.key) }

// footer appends the hints of the footer.
func (r *Root) footer(hints []key.Help) []key.Help {
	actions := r.screen.actions()
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

// helpActions returns the actions for the help. A setting is left out if the screen uses the setting's key, and all
// are if the screen takes letters as text.
func (r *Root) helpActions() (own, settings []action) {
	for _, a := range r.screen.actions() {
		switch {
		case a.long == "":
		case a.setting:
			settings = append(settings, a)
		default:
			own = append(own, a)
		}
	}
	if takesLetters(r.screen) {
		return own, nil
	}
	for _, a := range r.env.settingActions() {
		if !slices.ContainsFunc(own, func(other action) bool { return other.key.Help().Key == a.key.Help().Key }) {
			settings = append(settings, a)
		}
	}
	if r.matches.mostUrgent() != nil {
		own = append(own, action{key: &r.env.keys.switchTable, long: r.env.keys.switchTable.Help().Desc})
	}
	if r.canLeaveQueue() {
		own = append(own, action{key: &r.env.keys.leaveQueue, long: r.env.keys.leaveQueue.Help().Desc})
	}
	return own, settings
}

func textIf(is bool, text string) string {
	if is {
		return text
	}
	return ""
}

type tableShower interface{ shownTable() *client.Table }

type entering interface{ enter() tea.Cmd }

type rowChooser interface{ chooseRow(row int) }

func tableOf(s screen) *client.Table {
	if s, ok := s.(tableShower); ok {
		return s.shownTable()
	}
	return nil
}

func shownID(s screen) match.ID {
	if table := tableOf(s); table != nil {
		return table.ID
	}
	return ""
}

func toLobby(r *Root) tea.Cmd    { return r.enterLobby("") }
func toComputer(r *Root) tea.Cmd { return r.show(newComputer(r.env)) }
func toOpponent(r *Root) tea.Cmd { return r.show(newOpponent(r.env)) }
func toPrivate(r *Root) tea.Cmd  { return r.show(newChallenge(r.env, withCode)) }
func toLadder(r *Root) tea.Cmd   { return r.show(newLadder(r.env)) }
func toYou(r *Root) tea.Cmd      { return r.show(newYou(r.env)) }

func toWaiting(r *Root) tea.Cmd {
	if q := r.env.search.queue; q.IsWaiting() {
		q.Keep()
		return r.show(newWaiting(r.env))
	}
	return r.seekOpponent(r.env.chosenSeek())
}

func (r *Root) say(text string) tea.Cmd {
	r.status.say(text)
	return nil
}

// share puts a line on the clipboard and into the text after quitting.
func (r *Root) share(line string) tea.Cmd {
	r.shared = line
	return r.say(r.env.either("Copied if your terminal allows it. It is printed when you quit.",
		"It is printed when you quit."))
}

func (r *Root) seekOpponent(wanted seekRequest) tea.Cmd { return r.env.search.request(wanted) }

// toWatch shows the matches to watch, or else a demonstration.
func toWatch(r *Root) tea.Cmd {
	if len(r.env.manager.List()) == 0 {
		return r.env.watch("")
	}
	return r.show(newWatch(r.env))
}
