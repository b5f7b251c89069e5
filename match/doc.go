// Package match holds all concurrency of the domain: tables, the manager that opens and finds them, the lobby, and the handles of players
// and spectators.
//
// A match is a log of events ([Journal]). [State.Apply] folds them; nothing else is true of a match. A manager folds every match of the house
// once, as the journal tells of it, and its tables, lists and codes all look at that. A table is a match alive on this node: one goroutine
// that checks what players want against the fold, appends it expecting the last sequence that it has seen, and shows everyone at the table
// what came back. If another event came first it decides again, so several nodes may have a table of the same match.
//
// The nodes of a house share a notice board as well ([Board]), for what need not outlast them: which of them are up, and who waits for an
// opponent. A match at which nobody is, because both players' nodes have died, is looked after by one of those that are left.
//
// # Goroutines
//
//	living     one a manager; gives signs of life, renews places in the queue, looks after forsaken matches; ends with Manager.Close
//	table      one a match alive here; ends when the match is over and nobody looks any more, or with Manager.Close
//	work       of the lobby: one for a pair while it is being made or its table laid, one for a place that is given up; ends with what it
//	           does, at the latest with Manager.Close
//
// A panic in any is logged and ends that table, pairing or round only.
//
// # Channels
//
//	channel             capacity  who sends, and what happens when it is full
//	table.asks          0         callers; they wait until the table takes the closure, their context ends or the table is done
//	ask's reply         1         the table, once; it never waits
//	table.wake          1         the journal's news, and whoever closes a handle; one token stands for any number, so nobody waits
//	table.done          0         nobody; closed when the table's goroutine has ended
//	Seat.Snapshots      1         the table only; a newer snapshot replaces one that was not read
//	Spectator.Snapshots 1         the table only; likewise
//	Seek.Status         1         under the lobby's lock; a newer status replaces one that was not read
//
// # Locks
//
// The register of a manager, its dice, its view of the nodes and the lobby have a lock each. Nothing that waits is done under any of them.
// What the journal and the board tell is taken in under their locks, so no table, lobby or manager calls them while it holds one of its own,
// but for the time. None of them is taken under another.
package match
