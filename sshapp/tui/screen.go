package tui

import (
	"context"
	"errors"

	"charm.land/bubbles/v2/help"
	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/sshapp/client"
	"notakto/sshapp/tui/draw"
)

// screen is one of the pictures that the root routes between. It draws itself, answers keys and news, and says where to
// go next.
type screen interface {
	// update takes a message in. The navigation is nil to stay.
	update(msg tea.Msg) (navigation, tea.Cmd)
	// draw fills the canvas but for its last two lines, which hold the notice and the hints.
	draw(s *draw.Canvas)
	// notice is what the line above the hints says when nothing more urgent does.
	notice() (string, draw.Role)
	// KeyMap is the screen's keys: the few that stand at the bottom, most needed first and ending with the help's, and
	// all of them in groups.
	help.KeyMap
	// title is for the window; it holds no name of a player.
	title() string
}

// textInputer is a screen on which letters may be text.
type textInputer interface{ isTyping() bool }

// tableScreener is a screen that shows a match.
type tableScreener interface{ at() *client.Table }

// tableOf is the match that a screen shows, if it shows one.
func tableOf(s screen) *client.Table {
	if s, ok := s.(tableScreener); ok {
		return s.at()
	}
	return nil
}

// shownID is the match that a screen shows, or "".
func shownID(s screen) match.ID {
	if at := tableOf(s); at != nil {
		return at.ID
	}
	return ""
}

// entering is a screen that has something to do when it comes up.
type entering interface{ enter() tea.Cmd }

// rowChooser is a screen with a list whose rows can be clicked.
type rowChooser interface{ chooseRow(row int) }

// navigation is where a screen wants to go, or what it wants the root to do for it.
type navigation interface{ apply(r *Root) tea.Cmd }

type (
	toLobby    struct{ notice string }
	toComputer struct{}
	toOpponent struct{}
	toPrivate  struct{}
	toWaiting  struct{}
	toSeek     struct {
		accepts  []match.Terms // the preferred ones first
		forgives bool          // as of [client.Session.SeekForgiving]
	}
	toWatch  struct{}
	toHowTo  struct{}
	toLadder struct{}
	toYou    struct{ again *youScreen } // nil for a new one
	toMatch  struct{ id match.ID }      // one of the player's own
	toTable  struct{ table *client.Table }
	toResult struct {
		table  *client.Table
		moment moment // that leads to it
	}
	toReview struct {
		result *resultScreen
		ply    int // the chosen move, counted from 0
	}
	backTo    struct{ screen screen }
	giveUp    struct{ table *client.Table } // resign, or close a table without an opponent
	reveal    struct{ table *client.Table } // the deadly cells, to both players
	share     struct{ line string }         // with others
	say       struct{ text string }         // until the next key
	stopQueue struct{}
	ask       struct{ dialog *dialog }
	quit      struct{}
)

// clearError removes the error text and keeps the screen. A table sends it with each second of a countdown, which the
// error text would hide.
type clearError struct{}

func (to toLobby) apply(r *Root) tea.Cmd { return r.enterLobby(to.notice) }

func (toComputer) apply(r *Root) tea.Cmd { return r.show(newComputer(r.env)) }

func (toOpponent) apply(r *Root) tea.Cmd { return r.show(newOpponent(r.env)) }

func (toPrivate) apply(r *Root) tea.Cmd { return r.show(newPrivate(r.env)) }

func (to toSeek) apply(r *Root) tea.Cmd { return r.env.seek.request(r.env.player, to) }

func (toWatch) apply(r *Root) tea.Cmd { return r.show(newWatch(r.env)) }

func (toHowTo) apply(r *Root) tea.Cmd { return r.show(newHowTo(r.env)) }

func (toLadder) apply(r *Root) tea.Cmd { return r.show(newLadder(r.env)) }

func (to toMatch) apply(r *Root) tea.Cmd { return r.goTo(to.id) }

func (to toTable) apply(r *Root) tea.Cmd { return r.show(newTable(r.env, to.table)) }

func (to toReview) apply(r *Root) tea.Cmd { return r.show(newReview(to.result, to.ply)) }

func (quit) apply(*Root) tea.Cmd { return tea.Quit }

// apply shows the place in the queue, or asks for one.
func (toWaiting) apply(r *Root) tea.Cmd {
	if q := r.env.seek.queue; q.IsWaiting() {
		q.Keep()
		return r.show(newWaiting(r.env))
	}
	return r.env.seek.request(r.env.player, toSeek{accepts: r.env.choices.accepts})
}

func (to toYou) apply(r *Root) tea.Cmd {
	if to.again == nil {
		return r.show(newYou(r.env))
	}
	to.again.state = loaded
	return r.show(to.again)
}

func (to toResult) apply(r *Root) tea.Cmd {
	result := newResult(r.env, to.table)
	cmd := batch(r.show(result), to.moment.begin(r.env))
	result.shown = result.shown.Add(r.env.moment.kind.allLast()) // who won cannot be read before
	return cmd
}

func (to giveUp) apply(r *Root) tea.Cmd {
	return r.env.commands.act(to.table, func(ctx context.Context) error {
		if err := to.table.Resign(ctx); !errors.Is(err, match.ErrMatchOver) {
			return err
		}
		return nil // it has ended already
	})
}

func (to reveal) apply(r *Root) tea.Cmd { return r.env.commands.act(to.table, to.table.Reveal) }

func (to backTo) apply(r *Root) tea.Cmd {
	r.screen = to.screen
	r.env.attention.uncover()
	return nil
}

func (clearError) apply(r *Root) tea.Cmd {
	r.status.feedback = ""
	return nil
}

func (to share) apply(r *Root) tea.Cmd {
	r.shared = to.line
	r.status.say(r.env.either("Copied if your terminal allows it. It is printed when you quit.",
		"It is printed when you quit."))
	return nil
}

func (to say) apply(r *Root) tea.Cmd {
	r.status.say(to.text)
	return nil
}

func (stopQueue) apply(r *Root) tea.Cmd {
	return batch(r.env.seek.drop(), r.enterLobby(""))
}

func (to ask) apply(r *Root) tea.Cmd {
	r.dialog = to.dialog
	return nil
}
