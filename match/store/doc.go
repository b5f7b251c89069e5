// Package store keeps everything that a server records in one SQL database: live matches, the archive, accounts,
// entries of the registry, commands of administrators, and the history and ratings that are computed from finished
// matches. A single server uses a SQLite database in its data directory. Several servers share a PostgreSQL database.
//
// The one row of table head is the lock and the clock of the log. To write, a server first locks head. It reads and
// delivers what other servers wrote since its own last position, and its memory is then exact. It decides the
// waiting requests in memory, writes rows with the next positions, commits, and delivers its own rows. Positions have
// no gaps, and every server sees them in the order of commits. With SQLite there are no other servers to read from.
//
// [Store] implements [match.Store]. [Accounts], [Audit] and [History] are its other parts. The last event of a match
// and the match's rows in the history are written in one transaction. Queries are plain SQL in the function that needs
// them, in a file for each subject. Two engines hide how SQLite and PostgreSQL differ.
//
// # Goroutines
//
// One goroutine commits the requests of all callers, up to 1,000 in a group, and calls the subscribers. A second one
// listens for notifications of other servers, and ends at once with SQLite. A third one measures the database for
// monitors. All end with [Store.Close]. A subscriber is called in the goroutine of a caller for what is there when it
// subscribes, and for [Store.Put] and [Store.Delete] with SQLite. Queries run in the goroutines of their callers, on
// connections of their own.
package store
