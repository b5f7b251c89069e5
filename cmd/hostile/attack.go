//go:build hostile

package main

import "slices"

// attack is one case: what is done, and what has to hold meanwhile and afterwards, beside what holds for all.
type attack struct {
	name     string
	holds    string
	memory   int  // MB that the server may take at its worst, over what it takes with nobody attacking
	visitors from // others who log in meanwhile
	run      func(*enemy) error

	descriptors int // that the server may have; 0 for as many as this machine gives
}

// from is where visitors come from.
type from int

const (
	nobody    from = iota
	elsewhere      // each from an address of their own
	beside         // from the attacker's address
)

// attacks are all cases, in the order in which they are run.
func attacks() []attack {
	return slices.Concat(
		handshakeAttacks(), floodAttacks(), keyAttacks(), nameAttacks(), windowAttacks(), requestAttacks(), channelAttacks(),
		inputAttacks(), leavingAttacks(), unreadAttacks(), botAttacks(), codeAttacks(),
		descriptorAttacks(),
	)
}
