// Package manager plays matches: a [Manager] opens and finds the tables of a node, and has the handles of its players
// and spectators.
//
// A manager folds every match of the cluster once, as the journal tells of it, and its tables, lists and codes all look
// at that. A table is a match alive on this node: one goroutine that checks what players want against the fold, appends
// it expecting the last sequence that it has seen, and shows everyone at the table what came back. If another event
// came first it decides again, so several nodes may have a table of the same match. A match at which no player is,
// because both players' nodes have died, is looked after by one of the nodes that are left.
//
// # Goroutines
//
//	living  one a manager; gives signs of life, renews places in the queue, looks after forsaken matches; ends with
//	        Manager.Close
//	table   one a match alive here; ends when the match is over and no reader is left, or with Manager.Close
//
// The lobby has goroutines of its own. A panic in any is logged and ends that table, pairing or round only.
//
// # Channels
//
//	channel             capacity  who sends, and what happens when it is full
//	table.calls          0         callers; they wait until the table takes the closure, their context ends or the
//	                              table is done
//	ask's reply         1         the table, once; it never waits
//	table.wake          1         the journal's news, and who closes a handle; one token stands for any number
//	table.done          0         closed when the table's goroutine has ended
//	Seat.Snapshots      1         the table only; a newer snapshot replaces one that was not read
//	Spectator.Snapshots 1         as for a seat
//
// # Locks
//
// The register of a manager, its dice, its view of the nodes and the lobby have a lock each. Nothing that waits is done
// under any of them. What the journal and the registry tell is taken in under their locks, so no table, lobby or
// manager calls them while it holds one of its own, but for the time. The lobby calls its [lobby.Opener] under its
// lock, which takes the register's and the dice's; no other lock is taken under another.
package manager
