package tui

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/match/history"
	"notakto/match/lobby"
	"notakto/match/manager"
	"notakto/match/store"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/client"
)

// commands are the commands by which the screens ask for something. Each has a deadline, and all end with the session.
type commands struct {
	ctx     context.Context
	manager *manager.Manager
	client  *client.Session
	history *store.History // nil where there is none

	stopListing func() // ends the wait for what is shown to change at the server
}

// The answers to commands.
type (
	opened struct { // a match was opened: sit down there
		id     match.ID
		player match.Player // who sits there: another than before if a guest came back by a code
	}
	seated         struct{ table *client.Table }
	seekStartedMsg struct{ queue *client.Queue }
	listed         struct{ now happening }
	failed         struct { // a command was not granted
		at  *client.Table // the table at which it was made, if it was made at one
		err error
	}
)

// News of a match.
type (
	snapshotMsg struct { // its table has changed
		table    *client.Table
		snapshot *match.Snapshot
	}
	tableClosedMsg struct{ table *client.Table } // its table has closed
)

// next waits for the next snapshot of a match. One such command is under way for each table that is open; it ends when
// the table closes.
func next(t *client.Table) tea.Cmd {
	snapshots := t.Snapshots()
	if snapshots == nil {
		return nil
	}
	return func() tea.Msg {
		news, open := &snapshotMsg{table: t}, false // not on the stack of a goroutine that waits as long as the match lasts
		if news.snapshot, open = <-snapshots; !open {
			return tableClosedMsg{t}
		}
		return news
	}
}

// act does something at a table.
func (c *commands) act(at *client.Table, do func(ctx context.Context) error) tea.Cmd {
	return c.do(at, func(ctx context.Context) (tea.Msg, error) { return accepted{at}, do(ctx) })
}

// giveUp resigns, or closes a table without an opponent.
func (c *commands) giveUp(at *client.Table) navigation {
	return func(*Root) tea.Cmd {
		return c.act(at, func(ctx context.Context) error {
			if err := at.Resign(ctx); !errors.Is(err, match.ErrMatchOver) {
				return err
			}
			return nil // it has ended already
		})
	}
}

// accepted says that a command at a table was recorded. What came of it is in the next snapshot.
type accepted struct{ table *client.Table }

// do has a command made with a deadline. The table is the one at which it is made, or nil.
func (c *commands) do(at *client.Table, ask func(ctx context.Context) (tea.Msg, error)) tea.Cmd {
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(c.ctx, client.CallTimeout)
		defer cancel()
		msg, err := ask(ctx)
		if err != nil {
			return failed{at, err}
		}
		return msg
	}
}

// playComputer opens a match against the computer that may begin with moves of another. Level zero is the one that is
// offered.
func (c *commands) playComputer(p match.Player, terms match.Terms, level strategy.Level, side rules.Side,
	moves ...rules.Move) tea.Cmd {
	return c.do(nil, func(ctx context.Context) (tea.Msg, error) {
		id, err := c.manager.Play(ctx, p, terms, cmp.Or(level, c.client.NextRung(0)), side, moves...)
		return opened{id, p}, err
	})
}

func (c *commands) openPrivate(p match.Player, terms match.Terms) tea.Cmd {
	return c.do(nil, func(ctx context.Context) (tea.Msg, error) {
		id, _, err := c.manager.OpenPrivate(ctx, p, terms)
		return opened{id, p}, err
	})
}

// join sits down by a code.
func (c *commands) join(p match.Player, code match.Code) tea.Cmd {
	return c.do(nil, func(ctx context.Context) (tea.Msg, error) {
		id, who, err := c.client.Join(ctx, p, code)
		return opened{id, who}, err
	})
}

func (c *commands) sit(id match.ID, p match.PlayerID) tea.Cmd {
	return c.do(nil, func(ctx context.Context) (tea.Msg, error) {
		at, err := c.client.Sit(ctx, id, p)
		return seated{at}, err
	})
}

// watch watches a match; a player of the match sits down there instead.
func (c *commands) watch(id match.ID, p match.PlayerID) tea.Cmd {
	return c.do(nil, func(ctx context.Context) (tea.Msg, error) {
		at, err := c.client.Watch(ctx, id, p)
		return seated{at}, err
	})
}

func (c *commands) seek(p match.Player, wanted seekRequest) tea.Cmd {
	seek := c.client.Seek
	if wanted.forgives {
		seek = c.client.SeekForgiving
	}
	return c.do(nil, func(ctx context.Context) (tea.Msg, error) {
		q, err := seek(ctx, p, wanted.accepts...)
		return seekStartedMsg{q}, err
	})
}

// rated says what a rated pair has changed for the player.
type rated struct {
	table    *client.Table
	pair     history.RatedPair
	standing history.Standing
}

// readRating reads what the rated pair has changed whose last game has ended at a table; nil if that ended none.
func (c *commands) readRating(at *client.Table, p match.PlayerID) tea.Cmd {
	if c.history == nil || !at.IsPairOver() {
		return nil
	}
	state := at.State
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(c.ctx, client.CallTimeout)
		defer cancel()
		pair, standing, ok := c.client.RatedPair(ctx, c.history, state, p)
		if !ok {
			return nil
		}
		return rated{at, pair, standing}
	}
}

// happening is what goes on at the server just now.
type happening struct {
	matches []match.Summary // that may be watched, as of [manager.Manager.List]
	waiting lobby.Waiting   // for an opponent, besides the player
	ended   *match.State    // the match that ended last, or nil
}

func (h happening) equal(other happening) bool {
	return h.waiting.Equal(other.waiting) && h.ended == other.ended && slices.Equal(h.matches, other.matches)
}

// happening looks at what goes on besides what the player does.
func (c *commands) happening(p match.PlayerID) happening {
	return happening{c.manager.List(), c.manager.Lobby().Waiting(p), c.manager.LastEnded()}
}

func (c *commands) list(p match.PlayerID) tea.Cmd {
	return func() tea.Msg { return listed{c.happening(p)} }
}

// listEvery is how often what is shown of the server is compared with how things stand.
const listEvery = 2 * time.Second

// nextList returns what goes on once that is not what is shown, unless another screen is shown before.
func (c *commands) nextList(p match.PlayerID, shown happening) tea.Cmd {
	return poll(c.untilLeft(), func() tea.Msg {
		if next := c.happening(p); !next.equal(shown) {
			return listed{next}
		}
		return nil
	})
}

// nextRead reads from the history again once that has another version, unless another screen is shown before. Where
// that fails it tries again.
func (c *commands) nextRead(version uint64, read historyQuery) tea.Cmd {
	ctx := c.untilLeft()
	if c.history == nil {
		return nil
	}
	return poll(ctx, func() tea.Msg {
		if c.history.Version() == version {
			return nil
		}
		msg := c.do(nil, read)()
		if _, hasFailed := msg.(failed); hasFailed {
			return nil
		}
		return msg
	})
}

// untilLeft returns a context that ends when another screen is shown, or with the next call: one such wait at a time.
func (c *commands) untilLeft() context.Context {
	c.stopListing()
	ctx, stop := context.WithCancel(c.ctx)
	c.stopListing = stop
	return ctx
}

// historyQuery reads what a screen shows from the history.
type historyQuery func(ctx context.Context) (tea.Msg, error)

// poll returns the first message that look returns, which is called every [listEvery] until ctx ends.
func poll(ctx context.Context, look func() tea.Msg) tea.Cmd {
	return func() tea.Msg {
		ticker := time.NewTicker(listEvery)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				if msg := look(); msg != nil {
					return msg
				}
			case <-ctx.Done():
				return nil
			}
		}
	}
}

func (c *commands) ownMatches(p match.PlayerID) tea.Cmd {
	return func() tea.Msg {
		return ownMatchesMsg{p, c.client.OwnMatches(p)}
	}
}

// now is the time by the clock of what was recorded, which is another than this process's where several share one
// database.
func (c *commands) now() time.Time { return c.manager.Now() }

// tickIn sends one screen a message after a time.
func (c *commands) tickIn(pause time.Duration, screen screen) tea.Cmd {
	return c.in(pause, func() tea.Msg { return ticked{screen, c.now()} })
}

// in brings a message after a pause, unless the session ends before.
func (c *commands) in(pause time.Duration, what func() tea.Msg) tea.Cmd {
	return func() tea.Msg {
		timer := time.NewTimer(pause)
		defer timer.Stop()
		select {
		case <-timer.C:
			return what()
		case <-c.ctx.Done():
			return nil
		}
	}
}

// ticked says that a time has passed for a screen that counts it.
type ticked struct {
	screen screen
	now    time.Time
}
