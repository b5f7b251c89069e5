package tui

import (
	"context"
	"errors"

	"notakto/match/manager"

	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/rules"
)

// tableHandle is a match that this session sits at or looks on, with the newest snapshot that came.
type tableHandle struct {
	id     match.ID
	seat   *manager.Seat // nil for a spectator
	side   rules.Side    // nobody's for a spectator
	box    <-chan *match.Snapshot
	handle closer
	*match.Snapshot
	absent bool // the table has closed: nothing more will come
}

// News of a match.
type (
	snapshotMsg struct { // its table has changed
		table    *tableHandle
		snapshot *match.Snapshot
	}
	tableClosedMsg struct{ table *tableHandle } // its table has closed
)

// next waits for the match's next snapshot. One such command is under way for each open mailbox; it ends when the
// mailbox is closed.
func (s *tableHandle) next() tea.Msg {
	news, open := &snapshotMsg{table: s}, false // not on the stack of a goroutine that waits as long as the match lasts
	if news.snapshot, open = <-s.box; !open {
		return tableClosedMsg{s}
	}
	return news
}

func (s *tableHandle) isWatching() bool { return s.side == rules.Nobody }

// isMyTurn reports whether it is this player's turn.
func (s *tableHandle) isMyTurn() bool { return s.side != rules.Nobody && s.Turn() == s.side }

// isTheirTurn reports whether it is the opponent's turn.
func (s *tableHandle) isTheirTurn() bool { return s.side != rules.Nobody && s.Turn() == s.side.Other() }

// ignoreErr is an error that means that what was wished for has come about already.
func ignoreErr(err, harmless error) error {
	if errors.Is(err, harmless) {
		return nil
	}
	return err
}

func (w *commands) move(s *tableHandle, m rules.Move) tea.Cmd {
	return w.do(s, func(ctx context.Context) (tea.Msg, error) { return accepted{s}, s.seat.Play(ctx, m) })
}

func (w *commands) resign(s *tableHandle) tea.Cmd {
	return w.do(s, func(ctx context.Context) (tea.Msg, error) {
		return accepted{s}, ignoreErr(s.seat.Resign(ctx), match.ErrMatchOver)
	})
}

func (w *commands) rematch(s *tableHandle) tea.Cmd {
	return w.do(s, func(ctx context.Context) (tea.Msg, error) { return accepted{s}, s.seat.OfferRematch(ctx) })
}

// accepted says that a command at a table was recorded. What came of it is told by the next snapshot.
type accepted struct{ table *tableHandle }
