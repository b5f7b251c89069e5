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
	"notakto/match/manager"
	"notakto/rules"
	"notakto/rules/puzzle"
	"notakto/rules/strategy"
	"notakto/sshapp/client"
)

// Messages from commands. A command may also return a navigation.
type (
	seatedMsg   struct{ table *client.Table }
	activityMsg struct{ activity serverActivity }
	failedMsg   struct { // the server has refused or not answered a request
		table *client.Table // the table of the request, or nil
		err   error
	}
)

type (
	snapshotMsg    struct{ table *client.Table } // the table has a new snapshot
	tableClosedMsg struct{ table *client.Table }
	changedMsg     struct{} // see noteChange
)

// noteChange sends changedMsg, because a table, the place in the queue or a challenge may have news. While Update has
// not yet received the message, further calls have no effect. Any goroutine may call noteChange.
//
// No goroutine waits for the news, because a session waits for most of its time.
func (e *env) noteChange() {
	if !e.isChangeNoted.Swap(true) {
		e.send(changedMsg{})
	}
}

// request returns a command that calls ask with the deadline client.CallTimeout. The command returns ask's message,
// or failedMsg. table is the table of the request, or nil.
func (e *env) request(table *client.Table, ask func(ctx context.Context) (tea.Msg, error)) tea.Cmd {
	return requestWithin(e.ctx, table, ask)
}

func requestWithin(session context.Context, table *client.Table, ask historyQuery) tea.Cmd {
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(session, client.CallTimeout)
		defer cancel()
		msg, err := ask(ctx)
		if err != nil {
			return failedMsg{table, err}
		}
		return msg
	}
}

// latest is a read of the database for a screen. The next read of the same kind ends the earlier one. Otherwise a
// player who goes back and forth between screens keeps the database busy with reads that no screen waits for.
type latest struct{ stop context.CancelFunc }

// readLatest is request for a read. The command returns nil if the next read has ended this one.
func (e *env) readLatest(last *latest, ask historyQuery) tea.Cmd {
	if last.stop != nil {
		last.stop()
	}
	ctx, stop := context.WithCancel(e.ctx)
	last.stop = stop
	read := requestWithin(ctx, nil, ask)
	return func() tea.Msg {
		defer stop()
		if msg := read(); ctx.Err() == nil {
			return msg
		}
		return nil
	}
}

func (e *env) act(table *client.Table, call func(ctx context.Context) error) tea.Cmd {
	return e.request(table, func(ctx context.Context) (tea.Msg, error) { return nil, call(ctx) })
}

// giveUp resigns the match at a table. A table without an opponent is closed instead.
func (e *env) giveUp(table *client.Table) navigation {
	return func(*Root) tea.Cmd {
		return e.act(table, func(ctx context.Context) error {
			if err := table.Resign(ctx); !errors.Is(err, match.ErrMatchOver) {
				return err
			}
			return nil // the match has ended already
		})
	}
}

// playComputer opens a match against the computer. The match begins with moves, if any. Level zero stands for the
// level that the client offers.
func (e *env) playComputer(terms match.Terms, level strategy.Level, side rules.Side, moves ...rules.Move) tea.Cmd {
	p := e.player
	return e.request(nil, func(ctx context.Context) (tea.Msg, error) {
		id, err := e.client.PlayComputer(ctx, p, terms, level, side, moves...)
		return sitAs(id, p), err
	})
}

func (e *env) openPrivate(terms match.Terms) tea.Cmd {
	p := e.player
	return e.request(nil, func(ctx context.Context) (tea.Msg, error) {
		id, _, err := e.client.OpenPrivate(ctx, p, terms)
		return sitAs(id, p), err
	})
}

func (e *env) join(code match.Code) tea.Cmd {
	p := e.player
	return e.request(nil, func(ctx context.Context) (tea.Msg, error) {
		id, who, err := e.client.Join(ctx, p, code)
		return sitAs(id, who), err
	})
}

// accept accepts a challenge and goes to its match.
func (e *env) accept(id match.ID) tea.Cmd {
	p := e.player
	return e.request(nil, func(ctx context.Context) (tea.Msg, error) {
		return sitAs(id, p), e.client.Accept(ctx, p, id)
	})
}

// sitAs returns a navigation to a match with p as the session's player. If a code has led back to the seat of another
// player p, the session leaves the queue and forgets the matches of its former player.
func sitAs(id match.ID, p match.Player) navigation {
	return func(r *Root) tea.Cmd {
		var cmd tea.Cmd
		if p.ID != r.env.player.ID {
			cmd = r.env.search.drop()
			r.matches.forgetPlayer()
			r.env.noteChange() // the challenges are those of p from now on
		}
		r.env.player = p
		return batch(cmd, r.goTo(id))
	}
}

// watch watches a match. For an empty id, [client.Session.Watch] chooses the match. A player of the match sits down
// there instead.
func (e *env) watch(id match.ID) tea.Cmd {
	p := e.player.ID
	return e.request(nil, func(ctx context.Context) (tea.Msg, error) {
		table, err := e.client.Watch(ctx, id, p)
		return seatedMsg{table}, err
	})
}

// watchNext watches the match after the one at a table. If a demonstration is the only match, another one begins.
func (r *Root) watchNext(table *client.Table) tea.Cmd {
	next := r.env.client.NextMatch(table.ID, r.env.player.ID)
	if next == "" && !table.IsDemonstration() {
		return r.say("There is no other match now.")
	}
	return r.env.watch(next)
}

type ratedPairMsg struct {
	table    *client.Table
	pair     history.RatedPair
	standing history.Standing
}

func (e *env) readRating(table *client.Table) tea.Cmd {
	if e.history == nil || !table.IsPairOver() {
		return nil
	}
	state, p := table.State, e.player.ID
	return e.request(nil, func(ctx context.Context) (tea.Msg, error) {
		if pair, standing, ok := e.client.RatedPair(ctx, e.history, state, p); ok {
			return ratedPairMsg{table, pair, standing}, nil
		}
		return nil, nil
	})
}

type serverActivity struct {
	matches []match.Summary         // that anyone may watch, from [manager.Manager.List]
	waiting lobby.WaitList          // the players in the queue without this player
	ended   *match.State            // the match that ended last, or nil
	day     int                     // of the daily puzzles
	named   []manager.OpenChallenge // to this player, who may accept them
}

// activity returns the server's activity as player p may see it. Any goroutine may call activity.
func (e *env) activity(p match.PlayerID) serverActivity {
	named, _ := e.client.PersonalChallenges(p)
	return serverActivity{
		e.manager.List(), e.manager.Lobby().Waiting(p), e.manager.LastEnded(), puzzle.Number(e.now()), named,
	}
}

func (e *env) readActivity() tea.Cmd { return answer(activityMsg{e.activity(e.player.ID)}) }

// answer returns a command for a message that exists already. What is quick to read is read at once, because a command
// that does more than return grows the small stack of its goroutine.
func answer(msg tea.Msg) tea.Cmd { return func() tea.Msg { return msg } }

// awaitActivity polls until the server's activity differs from shown.
func (e *env) awaitActivity(shown serverActivity) tea.Cmd {
	p := e.player.ID
	return e.poll(func() tea.Msg {
		activity := e.activity(p)
		if activity.waiting.Equal(shown.waiting) && activity.ended == shown.ended &&
			activity.day == shown.day && slices.Equal(activity.named, shown.named) &&
			slices.Equal(activity.matches, shown.matches) {
			return nil
		}
		return activityMsg{activity}
	})
}

type historyQuery func(ctx context.Context) (tea.Msg, error)

// awaitHistory polls until the history's version differs from version and read succeeds.
func (e *env) awaitHistory(version uint64, read historyQuery) tea.Cmd {
	if e.history == nil {
		return nil
	}
	ask := e.request(nil, read)
	return e.poll(func() tea.Msg {
		if e.history.Version() == version {
			return nil
		}
		return navigation(func(r *Root) tea.Cmd {
			shown := r.screen
			return func() tea.Msg {
				msg := ask()
				if _, hasFailed := msg.(failedMsg); !hasFailed {
					return msg
				}
				return navigation(func(r *Root) tea.Cmd {
					if r.screen != shown {
						return nil
					}
					return e.awaitHistory(version, read)
				})
			}
		})
	})
}

// poll calls look every pollInterval until look returns a message, and sends that message. Another call, and
// stopPolling, end the calls. look must be quick, because the sessions share its goroutine.
func (e *env) poll(look func() tea.Msg) tea.Cmd {
	e.stopPolling()
	ctx, stop := context.WithCancel(e.ctx)
	e.stopPolling = stop
	return func() tea.Msg {
		e.poller.add(&poll{ctx, look, e.send})
		return nil
	}
}

// now returns the store's time, because several processes with different clocks may share one database.
func (e *env) now() time.Time { return e.manager.Now() }

// after sends a navigation after a pause. No goroutine waits for that.
func (e *env) after(pause time.Duration, then navigation) tea.Cmd {
	return func() tea.Msg {
		due, cancel := context.WithTimeout(e.ctx, pause)
		context.AfterFunc(due, func() {
			defer cancel()
			if e.ctx.Err() == nil { // the session goes on
				e.send(then)
			}
		})
		return nil
	}
}

type tickMsg struct{ now time.Time }

// tickIn sends tickMsg to a screen after a pause if the screen is still shown.
func (e *env) tickIn(pause time.Duration, to screen) tea.Cmd {
	return e.after(pause, func(r *Root) tea.Cmd {
		if r.screen != to {
			return nil
		}
		return to.update(r, tickMsg{e.now()})
	})
}
