package match

import "notakto/rules"

// Opening describes a match to be opened.
type Opening struct {
	Terms
	Players  [2]Player    // in the order of moving; the zero Player leaves a seat free
	Nodes    [2]Node      // of the players; empty for the node that opens the match
	Origin   Origin       // PrivateOrigin for a table whose free seat is taken by code
	Moves    []rules.Move // already made, by the sides in turn; the match may not be over after them
	Pair     PairGame     // of a match on rated terms
	Claimant PlayerID     // whose limit the match counts against from the start
}

// OnSide returns p on a side, and another player or the zero Player on the other.
func OnSide(side rules.Side, p, other Player) [2]Player {
	if side == rules.First {
		return [2]Player{p, other}
	}
	return [2]Player{other, p}
}
