package client

import (
	"context"
	"slices"

	"notakto/match"
	"notakto/match/manager"
	"notakto/rules"
	"notakto/rules/strategy"
)

// Table is a match that the session plays or watches, with the newest snapshot that the front end took. A nil
// Table is no table. On nil, call only Snapshots, Poll, Close, CanReveal and the Is methods declared here except
// IsGone.
type Table struct {
	*match.Snapshot            // never nil
	Side            rules.Side // the player's; rules.Nobody for a spectator
	Player          match.PlayerID

	session   *Session
	seat      *manager.Seat      // nil for a spectator
	spectator *manager.Spectator // nil for a player
	handle    tableHandle        // seat or spectator
	state     tableState
	reviews   []strategy.MoveReview // nil before the first call of Reviews
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

// Take applies a value received from [Table.Snapshots] and returns the previous snapshot. If open is false, t
// keeps its last snapshot.
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

// History returns the state of the match after each of its events. Only a spectator's table has it. Errors: those
// of [manager.Spectator.History].
func (t *Table) History(ctx context.Context) ([]match.State, error) {
	return t.spectator.History(ctx)
}

// Close gives the seat or the spectator's place back. It may be called again.
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

// IsPlaying reports whether the player plays here and the match is in progress.
func (t *Table) IsPlaying() bool { return t.IsSeated() && t.Started() && !t.Over() }

// IsInviting reports whether the player waits at a private table for a guest.
func (t *Table) IsInviting() bool { return t.IsSeated() && !t.Started() && !t.Over() }

// IsNeeded reports whether the player has a seat here, the match is not over and the table is open.
func (t *Table) IsNeeded() bool { return t.IsSeated() && !t.Over() && !t.IsGone() }

// IsMyTurn reports whether it is the player's turn.
func (t *Table) IsMyTurn() bool { return t.IsSeated() && t.Turn() == t.Side }

// IsTheirTurn reports whether it is the opponent's turn.
func (t *Table) IsTheirTurn() bool { return t.IsSeated() && t.Turn() == t.Side.Other() }

// CanReveal reports whether the player may call Reveal. Against the computer, each player sees the deadly cells
// without it.
func (t *Table) CanReveal() bool {
	return t.IsPlaying() && !t.IsAgainstComputer() && t.RevealedBy() == rules.Nobody && !t.Variant.IsTicTacToe()
}

// Opponent returns the side opposite the player's, or for a spectator the side that moves second.
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

// CasualTerms returns the terms of the match as casual terms, for playing on from it.
func (t *Table) CasualTerms() match.Terms {
	terms := t.Terms
	terms.Pool = match.Casual
	return terms
}

// LineTo returns moves that lead from empty boards to the position before the move with index ply. The marks of an
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

// Reviews returns a review of each move of a match that is over, by perfect play. The first call is slow.
func (t *Table) Reviews() []strategy.MoveReview {
	if t.reviews == nil {
		t.reviews = strategy.Review(t.Start, t.Moves)
	}
	return t.reviews
}

// Play places a mark at the player's own table. Errors as of [manager.Seat.Play].
func (t *Table) Play(ctx context.Context, m rules.Move) error { return t.seat.Play(ctx, m) }

// Resign resigns the match, or closes a table without an opponent. Errors as of [manager.Seat.Resign].
func (t *Table) Resign(ctx context.Context) error { return t.seat.Resign(ctx) }

// Reveal shows the deadly cells to both players. Errors as of [manager.Seat.Reveal].
func (t *Table) Reveal(ctx context.Context) error { return t.seat.Reveal(ctx) }

// OfferRematch offers another match with the seats swapped. Errors as of [manager.Seat.OfferRematch].
func (t *Table) OfferRematch(ctx context.Context) error { return t.seat.OfferRematch(ctx) }
