//go:build attack

package main

import "slices"

// attack is one case: its actions, and the conditions during and after it, besides those for all cases.
type attack struct {
	name     string
	holds    string
	memory   int  // MB that the server may take at its peak, over its use without an attack
	visitors from // other players who log in during the attack
	run      func(*enemy) error

	descriptors int               // limit of the server; 0 for the machine's limit
	flags       []string          // additional flags of the server
	disk        int               // MB of a separate disk for the server; 0 for the machine's disk
	still       bool              // no honest moves are played, since none can be recorded during the attack
	nodes       int               // of a cluster, of which the first is attacked; 0 for a standalone server
	lines       int               // limit of log lines a second, without those about sessions; 0 for any number
	unreadLog   bool              // the tool does not read the server's log until the attack is over
	archived    func(options) int // returns the number of finished matches at the server's start; nil for none
	runs        runs
	fair        bool // the strict bounds of fairness hold, see trial.bound
}

// ownServer reports whether the server of the attack differs from that of the others.
func (a attack) ownServer() bool {
	return a.descriptors > 0 || len(a.flags) > 0 || a.archived != nil || a.unreadLog || a.disk > 0 || a.nodes > 0
}

// runs is which runs include an attack. Any run does if -case names it.
type runs int

const (
	always   runs = iota
	longOnly      // the short run has no time for it
	onDemand      // the server does not withstand it yet, or it uses too much of the machine
)

// from is the source addresses of visitors.
type from int

const (
	noVisitor from = iota
	elsewhere      // each from a different address
	beside         // from the attacker's address
	inPairs        // from their own addresses, two at once, over links with several round-trip times
)

// attacks returns all cases, in the order in which they run.
func attacks() []attack {
	return slices.Concat(
		handshakeAttacks(), floodAttacks(), keyAttacks(), nameAttacks(), windowAttacks(), requestAttacks(), channelAttacks(),
		inputAttacks(), leavingAttacks(), unreadAttacks(), botAttacks(), codeAttacks(),
		descriptorAttacks(), crowdAttacks(), farAttacks(), neighbourAttacks(), guessAttacks(), playAttacks(),
		logAttacks(), prefixAttacks(), clusterAttacks(),
	)
}
