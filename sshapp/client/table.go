package client

import (
	"context"
	"slices"

	"notakto/match"
	"notakto/match/manager"
	"notakto/rules"
	"notakto/rules/strategy"
)

// Table is a match that the session plays or watches, with the newest snapshot that was taken in. Snapshots, Poll,
// Close, CanReveal and its own Is methods but IsGone may be called on nil, which is no table.
type Table struct {
	*match.Snapshot            // never nil
	Side            rules.Side // the player's; rules.Nobody for a spectator
	Player          match.PlayerID

	session   *Session
	seat      *manager.Seat      // nil for a spectator
	spectator *manager.Spectator // nil for a player
	handle    tableHandle        // the one that is not nil
	state     tableState
	reviews   []strategy.MoveReview // once they were asked for
}

// tableHandle is a [manager.Seat] or a [manager.Spectator].
type tableHandle interface {
	Snapshots() <-chan *match.Snapshot
	Notify(bell chan<- struct{})
	Close()
}

// tableState is the state of a table.
type tableState uint8

const (
	tableOpen   tableState = iota
	tableClosed            // by the manager
	tableLeft              // given back by the session
)

// Snapshots returns the channel of the match's changes, nil if t is nil or gone. Pass what it delivers to [Table.Take].
func (t *Table) Snapshots() <-chan *match.Snapshot {
	if t == nil || t.state != tableOpen {
		return nil
	}
	return t.handle.Snapshots()
}

// Poll takes in the newest snapshot and returns the one before. It reports false if there is no new one. If the table
// has closed, Poll reports true once, and [Table.IsGone] is true from then on.
func (t *Table) Poll() (before *match.Snapshot, changed bool) {
	select {
	case snapshot, open := <-t.Snapshots():
		return t.Take(snapshot, open), true
	default:
		return nil, false
	}
}

// Take takes in what was received from Snapshots, and returns the snapshot before. A table that has closed keeps the
// last one.
func (t *Table) Take(snapshot *match.Snapshot, open bool) (before *match.Snapshot) {
	before = t.Snapshot
	switch {
	case open:
		t.Snapshot = snapshot
		if t.Over() && !before.Over() {
			t.session.countResult(t)
		}
	case t.state == tableOpen:
		t.state = tableClosed
	}
	return before
}

// History returns how the match of a spectator's table stood after each of its events, as of
// [manager.Spectator.History].
func (t *Table) History(ctx context.Context) ([]match.State, error) {
	return t.spectator.History(ctx)
}

// Close gives the table back. It may be called again.
func (t *Table) Close() {
	if t != nil && t.state != tableLeft {
		t.state = tableLeft
		t.session.forget(t)
		t.release()
	}
}

func (t *Table) release() { t.handle.Close() }

// IsGone reports whether the table has closed or was given back. A table that is gone delivers nothing.
func (t *Table) IsGone() bool { return t.state != tableOpen }

// IsSeated reports whether the player has a seat here.
func (t *Table) IsSeated() bool { return t != nil && t.Side != rules.Nobody }

// IsWatching reports whether the session is a spectator here.
func (t *Table) IsWatching() bool { return t != nil && t.Side == rules.Nobody }

// IsPlaying reports whether a match of the player's own is on here.
func (t *Table) IsPlaying() bool { return t.IsSeated() && t.Started() && !t.Over() }

// IsInviting reports whether this is a private table of the player's own without a guest yet.
func (t *Table) IsInviting() bool { return t.IsSeated() && !t.Started() && !t.Over() }

// IsNeeded reports whether the player has a seat here, the match is not over and the table is open.
func (t *Table) IsNeeded() bool { return t.IsSeated() && !t.Over() && !t.IsGone() }

// IsMyTurn reports whether it is the player's turn.
func (t *Table) IsMyTurn() bool { return t.IsSeated() && t.Turn() == t.Side }

// IsTheirTurn reports whether it is the opponent's turn.
func (t *Table) IsTheirTurn() bool { return t.IsSeated() && t.Turn() == t.Side.Other() }

// CanReveal reports whether the player can have the deadly cells shown to both players. Against the computer each
// player sees them without that.
func (t *Table) CanReveal() bool {
	return t.IsPlaying() && !t.IsAgainstComputer() && t.RevealedBy() == rules.Nobody && !t.Variant.IsTicTacToe()
}

// Opponent is the side opposite the player's; for a spectator the one that moves second.
func (t *Table) Opponent() rules.Side {
	if t.Side == rules.Nobody {
		return rules.Second
	}
	return t.Side.Other()
}

// NextLevel returns the rung of [strategy.Ladder] above the computer opponent, zero if there is none or the opponent is
// a person.
func (t *Table) NextLevel() strategy.Level {
	ladder := strategy.Ladder()
	i := slices.Index(ladder, t.SeatState(t.Opponent()).Player.Level)
	if i < 0 || i == len(ladder)-1 {
		return 0
	}
	return ladder[i+1]
}

// CasualTerms are the terms of the match, but not rated: those on which it is played on.
func (t *Table) CasualTerms() match.Terms {
	terms := t.Terms
	terms.Pool = match.Casual
	return terms
}

// LineTo is a line of moves that leads from empty boards to the position before a move, counted from 0. The marks of an
// opening come first.
func (t *Table) LineTo(ply int) []rules.Move {
	var line []rules.Move
	for board := range t.Variant.Boards() {
		for cell := range t.Variant.Cells() {
			if t.Start.At(board, cell) != rules.Empty {
				line = append(line, rules.Move{Board: uint8(board), Cell: cell}) //nolint:gosec // at most nine
			}
		}
	}
	return append(line, t.Moves[:ply]...)
}

// Reviews returns what perfect play says of each move of a match that is over. It computes that once, as it is slow.
func (t *Table) Reviews() []strategy.MoveReview {
	if t.reviews == nil {
		t.reviews = strategy.Review(t.Start, t.Moves)
	}
	return t.reviews
}

// Play places a mark at the player's own table. Errors as of [manager.Seat.Play].
func (t *Table) Play(ctx context.Context, m rules.Move) error { return t.seat.Play(ctx, m) }

// Resign gives the match up, or closes a table without an opponent. Errors as of [manager.Seat.Resign].
func (t *Table) Resign(ctx context.Context) error { return t.seat.Resign(ctx) }

// Reveal shows the deadly cells to both players. Errors as of [manager.Seat.Reveal].
func (t *Table) Reveal(ctx context.Context) error { return t.seat.Reveal(ctx) }

// OfferRematch asks for another match with the seats swapped. Errors as of [manager.Seat.OfferRematch].
func (t *Table) OfferRematch(ctx context.Context) error { return t.seat.OfferRematch(ctx) }
