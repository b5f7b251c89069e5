// Package match holds all concurrency of the domain: tables, the manager that opens and finds them, the lobby, and the handles of players
// and spectators.
//
// A match is a log of events ([Journal]). [State.Apply] folds them; nothing else is true of a match. A table is a match alive on this node:
// one goroutine that checks what players want against the fold, appends it expecting the last sequence that it has seen, and shows everyone
// at the table what came back. If another event came first it reads on and decides again, so several nodes may have a table of the same
// match. It takes up a match from its log alone.
//
// # Goroutines
//
//	table      one a match alive here; ends when the match is over and nobody looks any more, or with Manager.Close
//	pairing    one for two players while their table is laid; ends with it, at the latest with Manager.Close
//
// A panic in either is logged and ends that table or pairing only.
//
// # Channels
//
//	channel             capacity  who sends, and what happens when it is full
//	table.asks          0         callers; they wait until the table takes the closure, their context ends or the table is done
//	ask's reply         1         the table, once; it never waits
//	table.wake          1         whoever closes a handle; one token stands for any number, so nobody waits
//	table.done          0         nobody; closed when the table's goroutine has ended
//	Seat.Snapshots      1         the table only; a newer snapshot replaces one that was not read
//	Spectator.Snapshots 1         the table only; likewise
//	Seek.Status         1         under the lobby's lock; a newer status replaces one that was not read
//	Feed.News           1         the journal; a newer sequence replaces one that was not received
//
// # Locks
//
// The register of a manager, its dice, the lobby and the journal in memory have a lock each. Nothing that waits is done under any of them;
// the journal's and the register's may be taken from a table's goroutine, the register's under the lobby's.
package match
