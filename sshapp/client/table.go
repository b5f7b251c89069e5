package client

import (
	"context"
	"slices"

	"notakto/match"
	"notakto/match/manager"
	"notakto/rules"
	"notakto/rules/strategy"
)

// Table is a match that the session plays or watches, with the newest snapshot that the front end took. A nil Table
// is no table. Of the methods in this file, Snapshots, Poll, Close, CanReveal and the Is methods except IsGone accept a
// nil Table.
type Table struct {
	*match.Snapshot            // never nil
	Side            rules.Side // of the player, or zero for a spectator
	Player          match.PlayerID

	session   *Session
	seat      *manager.Seat      // nil for a spectator
	spectator *manager.Spectator // nil for a player and a demonstration
	handle    tableHandle        // seat, spectator or demonstration
	state     tableState
	reviews   []strategy.MoveReview // nil before the first call of Reviews
	hintTurn  int                   // TurnNumber at the last call of NextHint
	hintCalls int                   // of NextHint in that turn
}

// tableHandle is a [manager.Seat], a [manager.Spectator] or a demonstration.
type tableHandle interface {
	Snapshots() <-chan *match.Snapshot
	Notify(bell func())
	Close()
}

type tableState uint8

const (
	tableOpen   tableState = iota
	tableClosed            // by the manager
	tableLeft              // by the session
)

// Snapshots returns the channel of the match's changes, nil if t is nil or gone. The receiver calls [Table.Take] with
// each value.
func (t *Table) Snapshots() <-chan *match.Snapshot {
	if t == nil || t.state != tableOpen {
		return nil
	}
	return t.handle.Snapshots()
}

// Poll takes the newest snapshot and returns the one before. changed is false if there is no new one. If the table
// has closed, changed is true once more, and [Table.IsGone] is true from then on.
func (t *Table) Poll() (before *match.Snapshot, changed bool) {
	select {
	case snapshot, open := <-t.Snapshots():
		return t.Take(snapshot, open), true
	default:
		return nil, false
	}
}

// Take applies a value received from [Table.Snapshots] and returns the previous snapshot. If open is false, t keeps
// its last snapshot.
func (t *Table) Take(snapshot *match.Snapshot, open bool) (before *match.Snapshot) {
	before = t.Snapshot
	switch {
	case open:
		t.Snapshot = snapshot
		if t.IsOver() && !before.IsOver() {
			t.session.countResult(t)
		}
	case t.state == tableOpen:
		t.state = tableClosed
	}
	return before
}

// History returns the state of the match after each of its events. t must be a spectator's table. Errors are those of
// [manager.Spectator.History].
func (t *Table) History(ctx context.Context) ([]match.State, error) {
	return t.spectator.History(ctx)
}

// Close gives the seat or the spectator's place back. Further calls have no effect.
func (t *Table) Close() {
	if t != nil && t.state != tableLeft {
		t.state = tableLeft
		t.session.untrack(t)
		t.release()
	}
}

func (t *Table) release() { t.handle.Close() }

// IsGone reports whether the table has closed or was given back, and delivers no more snapshots.
func (t *Table) IsGone() bool { return t.state != tableOpen }

// IsSeated reports whether the player has a seat here.
func (t *Table) IsSeated() bool { return t != nil && t.Side != rules.NoSide }

// IsWatching reports whether the session is a spectator here.
func (t *Table) IsWatching() bool { return t != nil && t.Side == rules.NoSide }

// IsPlaying reports whether the player plays here and the match is in progress.
func (t *Table) IsPlaying() bool { return t.IsSeated() && t.HasStarted() && !t.IsOver() }

// IsInviting reports whether the player waits at a private table for a guest.
func (t *Table) IsInviting() bool { return t.IsSeated() && !t.HasStarted() && !t.IsOver() }

// IsUnfinished reports whether the player has a seat here, the match is not over and the table is open.
func (t *Table) IsUnfinished() bool { return t.IsSeated() && !t.IsOver() && !t.IsGone() }

// IsMyTurn reports whether it is the player's turn.
func (t *Table) IsMyTurn() bool { return t.IsSeated() && t.Turn() == t.Side }

// IsTheirTurn reports whether it is the opponent's turn.
func (t *Table) IsTheirTurn() bool { return t.IsSeated() && t.Turn() == t.Side.Other() }

// CanReveal reports whether the player may call Reveal. Against the computer, a player sees the deadly cells without
// Reveal.
func (t *Table) CanReveal() bool {
	return t.IsPlaying() && !t.IsAgainstComputer() && t.RevealedBy() == rules.NoSide && !t.Variant.IsTicTacToe()
}

// Opponent returns the side opposite the player's, or for a spectator the side that moves second.
func (t *Table) Opponent() rules.Side {
	if t.Side == rules.NoSide {
		return rules.Second
	}
	return t.Side.Other()
}

// RungAbove returns the rung of [strategy.Ladder] above the computer opponent. The result is zero for the top rung, a
// computer player that is no rung, a person, and a match with hints.
func (t *Table) RungAbove() strategy.Level {
	ladder := strategy.Ladder()
	i := slices.Index(ladder, t.Seat(t.Opponent()).Player.Level)
	if i < 0 || i == len(ladder)-1 || t.Hinted {
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

// LineTo returns moves that lead from empty boards to the position after the given number of moves of the match. The
// marks of an opening come first.
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

// NextHint reviews the best move that [strategy.MoveReview.Clearest] returns, in the player's turn. In a lost position
// NextHint reviews the first legal move. calls counts the earlier calls in this turn. The match must be
// [match.State.Hinted]. Errors are [match.ErrMatchOver], [match.ErrNotYourTurn], and [match.ErrRated] for a player of a
// rated pair.
func (t *Table) NextHint() (review strategy.MoveReview, calls int, err error) {
	switch {
	case !t.IsPlaying() || !t.Hinted:
		return review, 0, match.ErrMatchOver
	case t.session.manager.PlaysRated(t.Player, t.Position):
		return review, 0, match.ErrRated
	case !t.IsMyTurn():
		return review, 0, match.ErrNotYourTurn
	}
	if calls = t.hintCalls; t.hintTurn != t.TurnNumber() {
		calls = 0
	}
	t.hintTurn, t.hintCalls = t.TurnNumber(), calls+1
	review = strategy.Review(t.Position, t.Position.LegalMoves()[:1])[0]
	if len(review.Best) > 0 {
		review = strategy.Review(t.Position, []rules.Move{review.Clearest()})[0]
	}
	return review, calls, nil
}

// Play places a mark at the player's own table. Errors are those of [manager.Seat.Play].
func (t *Table) Play(ctx context.Context, m rules.Move) error { return t.seat.Play(ctx, m) }

// Resign resigns the match, or closes a table without an opponent. Errors are those of [manager.Seat.Resign].
func (t *Table) Resign(ctx context.Context) error { return t.seat.Resign(ctx) }

// Reveal shows the deadly cells to both players. Errors are those of [manager.Seat.Reveal].
func (t *Table) Reveal(ctx context.Context) error { return t.seat.Reveal(ctx) }

// Ask makes a request of kind, agrees to the opponent's request, or declines it, as [manager.Seat.Ask] does. Errors are
// those of manager.Seat.Ask.
func (t *Table) Ask(ctx context.Context, kind match.Kind) error { return t.seat.Ask(ctx, kind) }

// HasAsked reports whether the player waits for an answer to a request of kind.
func (t *Table) HasAsked(kind match.Kind) bool {
	return t.Request == match.Request{Kind: kind, Side: t.Side}
}

// OfferRematch offers another match with the seats swapped. Errors are those of [manager.Seat.OfferRematch].
func (t *Table) OfferRematch(ctx context.Context) error { return t.seat.OfferRematch(ctx) }
