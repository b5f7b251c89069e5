package tui

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/rules"
	"notakto/sshapp/client"
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

// ignoreErr is an error that means that what was wished for has come about already.
func ignoreErr(err, harmless error) error {
	if errors.Is(err, harmless) {
		return nil
	}
	return err
}

func (w *commands) move(s *client.Table, m rules.Move) tea.Cmd {
	return w.do(s, func(ctx context.Context) (tea.Msg, error) { return accepted{s}, s.Play(ctx, m) })
}

func (w *commands) resign(s *client.Table) tea.Cmd {
	return w.do(s, func(ctx context.Context) (tea.Msg, error) {
		return accepted{s}, ignoreErr(s.Resign(ctx), match.ErrMatchOver)
	})
}

func (w *commands) rematch(s *client.Table) tea.Cmd {
	return w.do(s, func(ctx context.Context) (tea.Msg, error) { return accepted{s}, s.OfferRematch(ctx) })
}

// accepted says that a command at a table was recorded. What came of it is told by the next snapshot.
type accepted struct{ table *client.Table }
