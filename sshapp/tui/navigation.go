package tui

import (
	"charm.land/bubbles/v2/help"
	tea "charm.land/bubbletea/v2"

	"notakto/match"
)

// screen is one of the pictures that the root routes between. It draws itself, answers keys and news, and says where to go next.
type screen interface {
	// update takes a message in. The navigation is nil to stay.
	update(msg tea.Msg) (navigation, tea.Cmd)
	// draw fills the sheet but for its last two lines, which hold the notice and the hints.
	draw(s *sheet)
	// notice is what the line above the hints says when nothing more urgent does.
	notice() (string, ink)
	// KeyMap is the screen's keys: the few that stand at the bottom, most needed first and ending with the help's, and all of them in groups.
	help.KeyMap
	// title is for the window; it holds no name of a player.
	title() string
}

// typist is a screen on which letters may be text.
type typist interface{ typing() bool }

// sitter is a screen that shows a match.
type sitter interface{ at() *sitting }

// navigation is where a screen wants to go, or what it wants the root to do for it.
type navigation interface{ navigate() }

type (
	toLobby    struct{ notice string }
	toComputer struct{}
	toPrivate  struct{}
	toWaiting  struct{}
	toWatch    struct{}
	toHowTo    struct{}
	toMatch    struct{ id match.ID } // one of the player's own
	toTable    struct{ sitting *sitting }
	toResult   struct{ sitting *sitting }
	toReview   struct{ result *resultScreen }
	backTo     struct{ screen screen }
	leaveTable struct{}
	giveUp     struct{ sitting *sitting } // resign, or clear a table that nobody came to
	stopQueue  struct{}
	ask        struct{ dialog dialog }
	quit       struct{}
)

func (toLobby) navigate()    {}
func (toComputer) navigate() {}
func (toPrivate) navigate()  {}
func (toWaiting) navigate()  {}
func (toWatch) navigate()    {}
func (toHowTo) navigate()    {}
func (toMatch) navigate()    {}
func (toTable) navigate()    {}
func (toResult) navigate()   {}
func (toReview) navigate()   {}
func (backTo) navigate()     {}
func (leaveTable) navigate() {}
func (giveUp) navigate()     {}
func (stopQueue) navigate()  {}
func (ask) navigate()        {}
func (quit) navigate()       {}

// follow does what a screen asked for.
func (r *Root) follow(to navigation) tea.Cmd {
	switch to := to.(type) {
	case toLobby:
		return r.enterLobby(to.notice)
	case toComputer:
		return r.show(newComputer(r.session))
	case toPrivate:
		return r.show(newPrivate(r.session))
	case toWaiting:
		return r.enterWaiting()
	case toWatch:
		return r.show(newWatch(r.session))
	case toHowTo:
		return r.show(newHowTo(r.session))
	case toMatch:
		return r.goTo(to.id)
	case toTable:
		return r.show(newTable(r.session, to.sitting))
	case toResult:
		return r.show(newResult(r.session, to.sitting))
	case toReview:
		return r.show(newReview(r.session, to.result))
	case backTo:
		r.screen = to.screen
	case leaveTable:
		return r.leaveTable()
	case giveUp:
		return r.session.wishes.resign(to.sitting)
	case stopQueue:
		r.dropQueue()
		return r.enterLobby("")
	case ask:
		r.dialog = &to.dialog
	case quit:
		return tea.Quit
	}
	return nil
}
