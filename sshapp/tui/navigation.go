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
type navigation interface{ follow(r *Root) tea.Cmd }

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
	toReview   struct {
		result *resultScreen
		ply    int // the chosen move, counted from 0
	}
	backTo    struct{ screen screen }
	giveUp    struct{ sitting *sitting } // resign, or clear a table that nobody came to
	stopQueue struct{}
	ask       struct{ dialog *dialog }
	quit      struct{}
)

// untroubled stays, and says no longer why a wish was not granted: what the screen says by itself has become more urgent.
type untroubled struct{}

func (to toLobby) follow(r *Root) tea.Cmd  { return r.enterLobby(to.notice) }
func (toComputer) follow(r *Root) tea.Cmd  { return r.show(newComputer(r.session)) }
func (toPrivate) follow(r *Root) tea.Cmd   { return r.show(newPrivate(r.session)) }
func (toWaiting) follow(r *Root) tea.Cmd   { return r.enterWaiting() }
func (toWatch) follow(r *Root) tea.Cmd     { return r.show(newWatch(r.session)) }
func (toHowTo) follow(r *Root) tea.Cmd     { return r.show(newHowTo(r.session)) }
func (to toMatch) follow(r *Root) tea.Cmd  { return r.goTo(to.id) }
func (to toTable) follow(r *Root) tea.Cmd  { return r.show(newTable(r.session, to.sitting)) }
func (to toResult) follow(r *Root) tea.Cmd { return r.show(newResult(r.session, to.sitting)) }
func (to toReview) follow(r *Root) tea.Cmd { return r.show(newReview(to.result, to.ply)) }
func (to giveUp) follow(r *Root) tea.Cmd   { return r.session.wishes.resign(to.sitting) }
func (quit) follow(*Root) tea.Cmd          { return tea.Quit }

func (to backTo) follow(r *Root) tea.Cmd {
	r.screen = to.screen
	return nil
}

func (untroubled) follow(r *Root) tea.Cmd {
	r.trouble = ""
	return nil
}

func (stopQueue) follow(r *Root) tea.Cmd {
	return together(r.dropQueue(), r.enterLobby(""))
}

func (to ask) follow(r *Root) tea.Cmd {
	r.dialog = to.dialog
	return nil
}
