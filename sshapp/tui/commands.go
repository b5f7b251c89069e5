package tui

import (
	"context"
	"errors"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/match/history"
	"notakto/match/lobby"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/client"
)

// Messages that commands return. A command may also return a navigation, which Root follows.
type (
	seated struct{ table *client.Table }
	listed struct{ now happening }
	failed struct { // a command was not granted
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

// next waits for the next snapshot of t. Each open table has one such command running. The command ends when the table
// closes.
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

// do returns a command that calls ask with the deadline client.CallTimeout. The command returns ask's message, or
// failed. at is the table that the request is about, or nil.
func (e *env) do(at *client.Table, ask func(ctx context.Context) (tea.Msg, error)) tea.Cmd {
	session := e.ctx
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(session, client.CallTimeout)
		defer cancel()
		msg, err := ask(ctx)
		if err != nil {
			return failed{at, err}
		}
		return msg
	}
}

func (e *env) act(at *client.Table, do func(ctx context.Context) error) tea.Cmd {
	return e.do(at, func(ctx context.Context) (tea.Msg, error) { return nil, do(ctx) })
}

// giveUp resigns, or closes a table without an opponent.
func (e *env) giveUp(at *client.Table) navigation {
	return func(*Root) tea.Cmd {
		return e.act(at, func(ctx context.Context) error {
			if err := at.Resign(ctx); !errors.Is(err, match.ErrMatchOver) {
				return err
			}
			return nil // it has ended already
		})
	}
}

// playComputer opens a match against the computer, which may begin with moves. Level zero is the level to offer.
func (e *env) playComputer(terms match.Terms, level strategy.Level, side rules.Side, moves ...rules.Move) tea.Cmd {
	p := e.player
	return e.do(nil, func(ctx context.Context) (tea.Msg, error) {
		id, err := e.client.Play(ctx, p, terms, level, side, moves...)
		return opened(id, p), err
	})
}

func (e *env) openPrivate(terms match.Terms) tea.Cmd {
	p := e.player
	return e.do(nil, func(ctx context.Context) (tea.Msg, error) {
		id, _, err := e.client.OpenPrivate(ctx, p, terms)
		return opened(id, p), err
	})
}

func (e *env) join(code match.Code) tea.Cmd {
	p := e.player
	return e.do(nil, func(ctx context.Context) (tea.Msg, error) {
		id, who, err := e.client.Join(ctx, p, code)
		return opened(id, who), err
	})
}

// opened sits p down at a match. If a code has led back to another player's seat, p is that player. Then the session
// leaves the queue and forgets the former player's matches.
func opened(id match.ID, p match.Player) navigation {
	return func(r *Root) tea.Cmd {
		var cmd tea.Cmd
		if p.ID != r.env.player.ID {
			cmd = r.env.seek.drop()
			r.matches.forget()
		}
		r.env.player = p
		return batch(cmd, r.goTo(id))
	}
}

// watch watches a match. A player of the match sits down there instead.
func (e *env) watch(id match.ID) tea.Cmd {
	p := e.player.ID
	return e.do(nil, func(ctx context.Context) (tea.Msg, error) {
		at, err := e.client.Watch(ctx, id, p)
		return seated{at}, err
	})
}

type rated struct {
	table    *client.Table
	pair     history.RatedPair
	standing history.Standing
}

// readRating reads how the rated pair that ended at a table changed the rating. It returns nil if no rated pair ended.
func (e *env) readRating(at *client.Table) tea.Cmd {
	if e.history == nil || !at.IsPairOver() {
		return nil
	}
	state, p := at.State, e.player.ID
	return e.do(nil, func(ctx context.Context) (tea.Msg, error) {
		if pair, standing, ok := e.client.RatedPair(ctx, e.history, state, p); ok {
			return rated{at, pair, standing}, nil
		}
		return nil, nil
	})
}

type happening struct {
	matches []match.Summary // that may be watched, as of [manager.Manager.List]
	waiting lobby.Waiting   // for an opponent, besides the player
	ended   *match.State    // the match that ended last, or nil
}

// happening returns the server's activity as player p may see it. Any goroutine may call happening.
func (e *env) happening(p match.PlayerID) happening {
	return happening{e.manager.List(), e.manager.Lobby().Waiting(p), e.manager.LastEnded()}
}

func (e *env) list() tea.Cmd {
	p := e.player.ID
	return func() tea.Msg { return listed{e.happening(p)} }
}

// requestList returns the server's activity once it differs from shown. The command ends when another screen is shown.
func (e *env) requestList(shown happening) tea.Cmd {
	p := e.player.ID
	return e.poll(func() tea.Msg {
		now := e.happening(p)
		if now.waiting.Equal(shown.waiting) && now.ended == shown.ended && slices.Equal(now.matches, shown.matches) {
			return nil
		}
		return listed{now}
	})
}

type historyQuery func(ctx context.Context) (tea.Msg, error)

// nextRead calls read once the history's version differs from version. It tries a failed read again. The command ends
// when another screen is shown.
func (e *env) nextRead(version uint64, read historyQuery) tea.Cmd {
	if e.history == nil {
		return nil
	}
	ask := e.do(nil, read)
	return e.poll(func() tea.Msg {
		if e.history.Version() == version {
			return nil
		}
		msg := ask()
		if _, hasFailed := msg.(failed); hasFailed {
			return nil
		}
		return msg
	})
}

const listEvery = 2 * time.Second

// poll calls look every listEvery and returns its first message. The command ends when another screen is shown, or when
// poll is called again.
func (e *env) poll(look func() tea.Msg) tea.Cmd {
	e.stopListing()
	ctx, stop := context.WithCancel(e.ctx)
	e.stopListing = stop
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

// now returns the store's time. It differs from this process's clock where several processes share one database.
func (e *env) now() time.Time { return e.manager.Now() }

// after follows do after a pause, unless the session ends first.
func (e *env) after(pause time.Duration, do navigation) tea.Cmd {
	ctx := e.ctx
	return func() tea.Msg {
		timer := time.NewTimer(pause)
		defer timer.Stop()
		select {
		case <-timer.C:
			return do
		case <-ctx.Done():
			return nil
		}
	}
}

type ticked struct{ now time.Time }

// tickIn sends ticked to a screen after a pause, if that screen is still shown.
func (e *env) tickIn(pause time.Duration, to screen) tea.Cmd {
	return e.after(pause, func(r *Root) tea.Cmd {
		if r.screen != to {
			return nil
		}
		return to.update(r, ticked{e.now()})
	})
}
