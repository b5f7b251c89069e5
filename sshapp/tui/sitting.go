package tui

import (
	"context"
	"errors"

	"notakto/match/manager"

	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/rules"
)

// sitting is a match that this session sits at or looks on, with the newest snapshot that came.
type sitting struct {
	id     match.ID
	seat   *manager.Seat // nil for a spectator
	side   rules.Side    // nobody's for a spectator
	box    <-chan *match.Snapshot
	handle closer
	*match.Snapshot
	gone bool // the table has closed: nothing more will come
}

// News of a match.
type (
	snapped struct { // its table has changed
		sitting  *sitting
		snapshot *match.Snapshot
	}
	cleared struct{ sitting *sitting } // its table has closed
)

// next waits for the match's next snapshot. One such command is under way for each open mailbox; it ends when the mailbox is closed.
func (s *sitting) next() tea.Msg {
	news, open := &snapped{sitting: s}, false // not on the stack of a goroutine that waits as long as the match lasts
	if news.snapshot, open = <-s.box; !open {
		return cleared{s}
	}
	return news
}

func (s *sitting) watching() bool { return s.side == rules.Nobody }

// mine reports whether it is this player's turn.
func (s *sitting) mine() bool { return s.side != rules.Nobody && s.Turn() == s.side }

// theirs reports whether it is the opponent's turn.
func (s *sitting) theirs() bool { return s.side != rules.Nobody && s.Turn() == s.side.Other() }

// gently is an error that means that what was wished for has come about already.
func gently(err, harmless error) error {
	if errors.Is(err, harmless) {
		return nil
	}
	return err
}

func (w *wishes) move(s *sitting, m rules.Move) tea.Cmd {
	return w.do(s, func(ctx context.Context) (tea.Msg, error) { return granted{s}, s.seat.Play(ctx, m) })
}

func (w *wishes) resign(s *sitting) tea.Cmd {
	return w.do(s, func(ctx context.Context) (tea.Msg, error) {
		return granted{s}, gently(s.seat.Resign(ctx), match.ErrMatchOver)
	})
}

func (w *wishes) rematch(s *sitting) tea.Cmd {
	return w.do(s, func(ctx context.Context) (tea.Msg, error) { return granted{s}, s.seat.OfferRematch(ctx) })
}

// granted says that a wish at a table was recorded. What came of it is told by the next snapshot.
type granted struct{ sitting *sitting }
