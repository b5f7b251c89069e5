// Package manager plays matches. A [Manager] opens and finds the tables of this node, and gives players and spectators
// their handles on them: [Seat] and [Spectator]. cmd/notakto makes one Manager; the SSH server and its front ends use
// it, and the operator's commands through an [Operator].
//
// The index folds every match once, as the journal delivers it; tables, lists and codes read that state. A table is a
// live match on this node. Its goroutine checks a request against the state, appends the event that follows the last
// one it has seen, and publishes the new state. If another event came first, the table decides again, so several nodes
// may have a table of the same match. If the nodes of both players fail, one of the surviving nodes adopts the match.
//
// # Where a rule is
//
//	absence.go   when a player loses by being away, or by taking too long, and which time counts
//	presence.go  who is connected to a table, and which of their changes are recorded
//	pair.go      what is special about rated pairs
//	agenda.go    what a table records by itself, and when
//	table.go     append (once) and record (until it is recorded)
//	peers.go     which servers are up, and whether this one can record
//	limits.go    how many matches a player, and all players of a network, may have
//	adoption.go  which matches without a table this node takes up
//
// # Goroutines
//
//	heartbeat  one for each manager: checks whether events can be recorded, and heartbeats; ends with Manager.Close
//	tend       one for each manager: renewal of tickets, adoption of orphaned matches; ends with Manager.Close
//	table      one for each live match: ends when the match is over and no reader is left, or with Manager.Close
//
// The lobby has goroutines of its own. A panic in a table, a pairing or a round of tend is logged and ends only that
// table, pairing or round. A panic in heartbeat ends the process.
//
// # Channels
//
//	channel              capacity  who sends, and what happens when it is full
//	table.calls          0         callers; they wait until the table takes the call, their context ends or the table
//	                               is done
//	reply of a call      1         the table, once; it never waits
//	signs of heartbeats  1         the heartbeat; it sends nothing while tend is busy
//	table.wake           1         the index, and a handle that closes; one value stands for any number
//	table.done           0         closed when the table's goroutine has ended
//	Seat.Snapshots       1         the table only; a newer snapshot replaces one that was not read
//	Spectator.Snapshots  1         as for a seat
//
// # Locks
//
// The index, the peers, the random source and the lobby have one lock each. While holding one, never block, and call
// nothing of the journal or the registry except Now: both call their subscribers with their own lock held. The lobby
// calls its [lobby.Opener] while it holds its own lock. The Opener takes the locks of the index, the peers and the
// random source. Nothing else nests these locks. [match.Memory] holds its lock while it calls subscribers, as the store
// does, so the simulations of this package deadlock, and fail, when code breaks this order.
package manager
