// Package manager plays matches. A [Manager] opens and finds the tables of this node. At a table a player gets a
// [Seat], and a spectator a [Spectator]. cmd/notakto makes one Manager for the SSH server and its front ends. The
// operator's commands use an [Operator].
//
// Config.Journal holds the events of all matches (the journal) and entries that expire (the registry). The journal
// delivers every event to index.apply, and index.apply folds the event once for the whole node. Tables, lists and codes
// read the folded state.
//
// A table is a live match on this node. Its goroutine checks a request against the state, appends an event with the
// next sequence, and publishes the new state. If another event has that sequence, the table checks the request against
// the new state. Therefore several nodes may have a table of one match. If the nodes of both players fail, a surviving
// node adopts the match.
//
// # Where a rule is
//
//	absence.go     forfeits by absence or by slow moves, and the time that counts
//	presence.go    the connections to a table, and the events that record arrivals and departures
//	pair.go        rated pairs
//	challenges.go  challenges to a player or to anyone
//	agenda.go      events that a table records by itself, and their times
//	table.go       append, which tries once to record events, and record, which tries again after errAgain
//	index.go       the folded states of all matches
//	create.go      the first events of a match
//	codes.go       the codes of private tables and of guests' seats
//	seat.go        the requests of players and spectators to a table
//	peers.go       the servers that are up, and whether this one can record
//	limits.go      the number of matches of a player, and of all players of a network
//	adoption.go    matches without a table that this node takes up
//
// # Goroutines
//
//	heartbeatLoop  one for each manager, until Manager.Close. Checks whether events can be recorded, sends heartbeats.
//	tendLoop       one for each manager, until Manager.Close. Renews tickets of the queue, adopts matches.
//	table.run      one for each table, until agenda.hasToClose, an error of the log, or Manager.Close
//
// The lobby has goroutines of its own. A panic in a table, a pairing or a round of tendLoop is logged and ends only
// that table, pairing or round. A panic in heartbeatLoop ends the process.
//
// # Channels
//
//	channel              capacity  sender, and the rule for a full channel
//	table.calls          0         callers of table.do. A caller waits until the table takes the call or is done, or the
//	                               caller's context ends.
//	reply in table.do    1         the table, once. The send never blocks.
//	beats                1         heartbeatLoop. If tendLoop is busy, the value is dropped.
//	table.wake           1         table.wakeUp. One value stands for any number of calls.
//	table.done           0         closed by table.run at its end
//	Seat.Snapshots       2         the table. match.Mailbox keeps the newest snapshot, or the two newest after Notify.
//	Spectator.Snapshots  2         as Seat.Snapshots
//
// # Locks
//
// The index, the peers, the random source, the list and the lobby have one lock each. Code that holds one must not
// block, and must not call the journal or the registry, except Now. Only index.apply logs under its lock, for a log
// that cannot be folded. Locks are nested in this order:
//
//	lock held              locks taken
//	journal, registry      index, peers, lobby     (in the functions that are subscribed)
//	lobby                  index, random source    (in methods of [lobby.Opener])
//	lobby                  locks in Config         (in Networks, Blocks and DisambiguateName)
//	list                   index
//	index                  random source           (in index.draw)
//	index                  locks in Config         (in Networks, Blocks and DisambiguateName)
//
// [match.Memory] calls subscribers under its lock, as the store does. Therefore the simulations of this package
// deadlock, and fail, when code breaks this order.
package manager
