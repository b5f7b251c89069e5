//go:build attack

package main

import "slices"

// attack is one case: what is done, and what has to hold meanwhile and afterwards, beside what holds for all.
type attack struct {
	name     string
	holds    string
	memory   int  // MB that the server may take at its worst, over what it takes with nobody attacking
	visitors from // others who log in meanwhile
	run      func(*enemy) error

	descriptors int               // that the server may have; 0 for as many as this machine gives
	flags       []string          // more flags of the server
	disk        int               // MB of a disk of the server's own; 0 for this machine's
	still       bool              // no honest moves are played, since none can be recorded during the attack
	nodes       int               // of a cluster, of which the first is attacked; 0 for a server of its own
	lines       int               // that the log may have in a second, without those about sessions; 0 for any
	unreadLog   bool              // the tool reads nothing of the server's log until the attack is over
	archived    func(options) int // returns how many finished matches the server has at its start; nil for none
	runs        runs
	fair        bool // the strict bounds of fairness hold, see trial.bound
}

// ownServer reports whether the server of the attack differs from that of the others.
func (a attack) ownServer() bool {
	return a.descriptors > 0 || len(a.flags) > 0 || a.archived != nil || a.unreadLog || a.disk > 0 || a.nodes > 0
}

// runs says which runs have an attack. Any run has it if -case names it.
type runs int

const (
	always   runs = iota
	longOnly      // the short run has no time for it
	onDemand      // the server does not withstand it yet, or it takes too much of the machine
)

// from is where visitors come from.
type from int

const (
	nobody    from = iota
	elsewhere      // each from an address of their own
	beside         // from the attacker's address
	inPairs        // from addresses of their own, two at once, over links with several round-trip times
)

// attacks returns all cases, in the order in which they are run.
func attacks() []attack {
	return slices.Concat(
		handshakeAttacks(), floodAttacks(), keyAttacks(), nameAttacks(), windowAttacks(), requestAttacks(), channelAttacks(),
		inputAttacks(), leavingAttacks(), unreadAttacks(), botAttacks(), codeAttacks(),
		descriptorAttacks(), crowdAttacks(), farAttacks(), neighbourAttacks(), guessAttacks(), playAttacks(),
		logAttacks(), prefixAttacks(), clusterAttacks(),
	)
}
