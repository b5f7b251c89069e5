package client

import (
	"notakto/match"
	"notakto/rules"
)

// Change is one thing that happened at a match.
type Change struct {
	Kind     ChangeKind
	Side     rules.Side     // of the player who came, moved or went
	Ply      int            // Moved only: the number of the move, from 1
	Move     rules.Move     // Moved only
	Position rules.Position // Moved only: the position after the move
}

// ChangeKind is the kind of a [Change].
type ChangeKind uint8

// The kinds, in the order in which [Changes] returns them.
const (
	Came ChangeKind = iota // a player is back at the table
	Moved
	Went // a player has gone away
	Finished
)

// Died reports whether a change is a move that killed its board.
func (c Change) Died() bool { return c.Position.Dead(int(c.Move.Board)) }

// Changes returns what happened between two snapshots of a match that had begun in the first one. Each move is there
// once, however many snapshots were missed. The comings and goings of the own side are left out. Those after the next
// match of these players has begun are left out too, since the players go to that match.
func Changes(before, after *match.Snapshot, own rules.Side) []Change {
	changes := appendPresence(nil, Came, before, after, own)
	changes = appendMoves(changes, before.Position, after.State, len(before.Moves))
	changes = appendPresence(changes, Went, before, after, own)
	if after.Over() && !before.Over() {
		changes = append(changes, Change{Kind: Finished})
	}
	return changes
}

// Moves returns all moves of a match.
func Moves(m *match.State) []Change { return appendMoves(nil, m.Start, m, 0) }

// appendMoves appends the moves of m after the first plies moves. position is the position after these.
func appendMoves(changes []Change, position rules.Position, m *match.State, plies int) []Change {
	for i, move := range m.Moves[plies:] {
		next, err := position.Play(move)
		if err != nil {
			panic(err) // the fold has checked every move of a snapshot
		}
		changes = append(changes, Change{Moved, position.Turn(), plies + i + 1, move, next})
		position = next
	}
	return changes
}

func appendPresence(changes []Change, kind ChangeKind, before, after *match.Snapshot, own rules.Side) []Change {
	for _, side := range rules.Sides() {
		was, is := before.SeatState(side), after.SeatState(side)
		if side != own && was.Taken && after.Next == "" && was.Present != is.Present && is.Present == (kind == Came) {
			changes = append(changes, Change{Kind: kind, Side: side})
		}
	}
	return changes
}
