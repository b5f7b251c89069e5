// Package store keeps everything that a server records in one SQL database: live matches, the archive, accounts,
// entries of the registry, commands of administrators, and the history and ratings that are computed from finished
// matches. A single server uses a SQLite database in its data directory. Several servers share a PostgreSQL database.
//
// The one row of table head is the lock and the clock of the log. To write, a server first locks head. It reads and
// delivers what other servers wrote since its own last position, so that its memory is exact. Then it decides the
// waiting requests in memory, writes rows with the next positions, commits, and delivers its own rows. So positions
// have no gaps, and their order is the order of commits, the same on every server. With SQLite there are no other
// servers, and nothing is read.
//
// [Store] implements [match.Store]. [Accounts], [Audit] and [History] are its other parts. The last event of a match
// and the match's rows in the history are written in one transaction. Queries are plain SQL in the function that needs
// them, in a file for each subject. Two engines hide how SQLite and PostgreSQL differ.
//
// # Goroutines
//
// One goroutine commits the requests of all callers, up to 1,000 in a group, and calls the subscribers. A second one
// listens for notifications of other servers; with SQLite it ends at once. A third one measures the database for
// monitors. All end with [Store.Close]. Two kinds of calls reach a subscriber in the goroutine of a caller: those for
// what was there before, made while it subscribes, and those of [Store.Put] and [Store.Delete] with SQLite. Queries run
// in the goroutines of their callers, on connections of their own.
package store
