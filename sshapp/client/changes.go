package client

import (
	"notakto/match"
	"notakto/rules"
)

// Change is one event of a match between two snapshots.
type Change struct {
	Kind     ChangeKind
	Side     rules.Side     // of the player; zero for HintsAllowed if the request is not in the earlier snapshot
	Ply      int            // of a PlayerMoved, the number of the move, from 1
	Move     rules.Move     // of a PlayerMoved
	Position rules.Position // of a PlayerMoved, after the move
	Request  match.Kind     // of a RequestMade or RequestDeclined, as in [match.Request]
	Takeback match.Takeback // of a PlayerTookBack
}

// ChangeKind is the kind of a [Change]. [Changes] returns the kinds in their order here.
type ChangeKind uint8

// The kinds of changes.
const (
	PlayerReturned ChangeKind = iota // a player is back at the table
	PlayerTookBack
	PlayerMoved
	HintsAllowed // the player has agreed to the opponent's request
	RequestMade
	RequestDeclined // the player has declined the opponent's request
	PlayerLeft      // a player has gone away
	MatchFinished
)

// KilledBoard reports whether c is a move that killed its board.
func (c Change) KilledBoard() bool { return c.Position.IsDead(int(c.Move.Board)) }

// Changes returns the events between two snapshots of one match, which must have begun in before. Of the moves since
// before, Changes includes those that were not taken back. It leaves out PlayerReturned and PlayerLeft of side own, and
// of both sides once the players' next match has begun, because both go there.
func Changes(before, after *match.Snapshot, own rules.Side) []Change {
	changes := appendPresence(nil, PlayerReturned, before, after, own)
	position, plies := before.Position, len(before.Moves)
	if n := len(after.Takebacks); n > len(before.Takebacks) {
		last := after.Takebacks[n-1]
		common := min(last.Plies, plies)
		for plies = 0; plies < common && before.Moves[plies] == after.Moves[plies]; {
			plies++
		}
		position = after.PositionAfter(plies)
		last.Moves, last.Plies = before.Moves[plies:], plies
		changes = append(changes, Change{Kind: PlayerTookBack, Side: last.Side, Takeback: last})
	}
	changes = appendMoves(changes, position, after.State, plies)
	changes = appendRequest(changes, before.State, after.State)
	changes = appendPresence(changes, PlayerLeft, before, after, own)
	if after.IsOver() && !before.IsOver() {
		changes = append(changes, Change{Kind: MatchFinished})
	}
	return changes
}

// Moves returns all moves of a match.
func Moves(m *match.State) []Change { return appendMoves(nil, m.Start, m, 0) }

func appendMoves(changes []Change, position rules.Position, m *match.State, plies int) []Change {
	for i, move := range m.Moves[plies:] {
		next, err := position.Play(move)
		if err != nil {
			panic(err) // the fold has checked every move of a snapshot
		}
		changes = append(changes, Change{
			Kind: PlayerMoved, Side: position.Turn(), Ply: plies + i + 1, Move: move, Position: next,
		})
		position = next
	}
	return changes
}

func appendRequest(changes []Change, before, after *match.State) []Change {
	was, is := before.Request, after.Request
	isSame := len(before.Moves) == len(after.Moves) && len(before.Takebacks) == len(after.Takebacks)
	switch {
	case after.Hinted && !before.Hinted:
		agreed := Change{Kind: HintsAllowed}
		if was.Kind == match.HintsOffered {
			agreed.Side = was.Side.Other()
		}
		changes = append(changes, agreed)
	case was.Kind != 0 && is.Kind == 0 && isSame && !after.IsOver():
		return append(changes, Change{Kind: RequestDeclined, Side: was.Side.Other(), Request: was.Kind})
	}
	if is.Kind != 0 && (is != was || !isSame) {
		changes = append(changes, Change{Kind: RequestMade, Side: is.Side, Request: is.Kind})
	}
	return changes
}

func appendPresence(changes []Change, kind ChangeKind, before, after *match.Snapshot, own rules.Side) []Change {
	for _, side := range rules.Sides() {
		was, is := before.Seat(side), after.Seat(side)
		if side != own && was.Taken && after.Next == "" && was.Present != is.Present &&
			is.Present == (kind == PlayerReturned) {
			changes = append(changes, Change{Kind: kind, Side: side})
		}
	}
	return changes
}
