package match

import "notakto/rules"

// Opening is a match to be opened.
type Opening struct {
	Terms
	Players  [2]Player // who moves first, who moves second; the zero Player for a seat that is left free
	Nodes    [2]Node   // that they are at; the one that opens it if empty
	Origin   Origin    // of a private table a code leads to the free seat
	Claimant PlayerID  // whose limit it counts against at once
}

// OnSide is p on a side and another player, or the zero Player, on the other.
func OnSide(side rules.Side, p, other Player) [2]Player {
	if side == rules.First {
		return [2]Player{p, other}
	}
	return [2]Player{other, p}
}
