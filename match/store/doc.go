// Package store keeps all that a server records in one SQL database: matches, the archive, accounts, entries of the
// registry, what administrators have done, and the history and ratings that follow from finished matches. A server on
// its own has a SQLite database in its data directory; several servers share a PostgreSQL database.
//
// One row, head, is the lock and the clock of the log. Whoever writes locks head, reads and delivers what other servers
// have written since its own last position, so that its memory is exact, decides in memory, writes rows with the next
// positions, commits, and delivers its own rows. So positions have no gaps, and their order is the order of commits,
// the same on every server. On SQLite there are no other servers, and nothing is read.
//
// [Store] has the contracts of package match; [Accounts], [Audit] and [History] are parts of it. A match ends in memory
// and in the history in the transaction of its last event. Queries are plain SQL in the function that needs them, in a
// file for each subject. The engines on SQLite and on PostgreSQL have what the two do differently.
//
// # Goroutines
//
// One goroutine commits the requests of all callers, up to 1,000 in a group, and calls the subscribers. Another one
// listens for notifications of other servers, and one measures the database for monitors. All end with [Store.Close].
// Queries run in the goroutines of their callers, on connections of their own.
package store
