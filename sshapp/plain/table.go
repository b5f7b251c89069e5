package plain

import (
	"context"

	"notakto/match"
	"notakto/match/manager"
	"notakto/rules"
)

// table is a match that the session sits at or looks on, as it was last told. Nil is no table.
type table struct {
	id     match.ID
	seat   *manager.Seat // nil for a spectator
	side   rules.Side    // nobody's for a spectator
	box    <-chan *match.Snapshot
	handle interface{ Close() }
	match.Snapshot
	warned int  // the number of the move of which it was said that the time for it is short
	left   bool // whether the handle was given back, or the table has closed
}

// awaitFirstSnapshot waits for the first snapshot, so that the table can be told at once.
func (at *table) awaitFirstSnapshot(ctx context.Context) error {
	err := match.ErrClosed
	select {
	case snapshot, open := <-at.box:
		if open {
			at.Snapshot = *snapshot
			return nil
		}
	case <-ctx.Done():
		err = ctx.Err()
	}
	at.leave()
	return err
}

// mailbox is where news of the match comes; nil if there is none to come.
func (at *table) mailbox() <-chan *match.Snapshot {
	if at == nil || at.left {
		return nil
	}
	return at.box
}

// leave gives the handle back. It may be called again.
func (at *table) leave() {
	if at != nil && !at.left {
		at.left = true
		at.handle.Close()
	}
}

// isSeated reports whether the player has a seat here.
func (at *table) isSeated() bool { return at != nil && at.seat != nil }

// playing reports whether a match of the player's own is on here.
func (at *table) playing() bool { return at.isSeated() && at.Started() && !at.Over() }

// waiting reports whether this is a table of the player's own that nobody has come to yet.
func (at *table) waiting() bool { return at.isSeated() && !at.Started() && !at.Over() }

// open reports whether this is a table of the player's own that is still needed.
func (at *table) open() bool { return at.isSeated() && !at.Over() && !at.left }

// isMyTurn reports whether it is the player's turn.
func (at *table) isMyTurn() bool { return at.isSeated() && at.Turn() == at.side }

// isTheirTurn reports whether it is the opponent's turn.
func (at *table) isTheirTurn() bool { return at.isSeated() && at.Turn() == at.side.Other() }

// opponent is who sits opposite; for a spectator who moves second.
func (at *table) opponent() rules.Side {
	if at.side == rules.Nobody {
		return rules.Second
	}
	return at.side.Other()
}
