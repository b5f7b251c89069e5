// Package store keeps matches, accounts and their progress, entries of the registry, commands of administrators, and
// the history and ratings of finished matches. A single server uses SQLite in its data directory. Several servers share
// a PostgreSQL database. The interface engine hides most differences.
//
// The program cmd/notakto opens the [Store]. The manager and the lobby use it as a [match.Store], front ends use its
// [History] and [Progress], and commands of administrators use [Audit], [Backup], [Export], [Import] and [Erase].
//
// # Log and memory
//
// The rows of the tables event, archive, account, audit and entry form one log, and their positions order the log. With
// SQLite, table entry stays empty, and entries are in memory only. The one row of table head is the lock and the clock
// of the log. The rows of the tables progress, notice and outage have no position. The other tables hold the history
// and the ratings, computed from the matches.
//
// Every server has the live matches, the accounts and the entries in memory. A match is live until table archive has
// the match, even when the match is over. To deliver a row means to put the row into this memory and to call the
// subscribers. A server writes in four steps.
//
//  1. Lock head.
//  2. Read and deliver the rows that other servers have written since the last delivered position. Memory then agrees
//     with the log.
//  3. Decide the waiting requests, from memory and from answers that were read under the lock.
//  4. Write rows with the next positions, commit, and deliver these rows.
//
// With SQLite no other server writes, and step 2 is empty. The transaction of the event that ends a match also writes
// the match's rows in the history.
//
// Positions are assigned without gaps, in the order of commits. A row that is deleted or replaced later leaves a gap in
// its table. A server delivers rows in the order of positions. A server never delivers a row that was deleted or
// replaced before the server has read it. The record of an archived match then has the events that the server lacks.
// Audit records are not delivered, because memory does not hold them.
//
// # Goroutines
//
// The committing goroutine commits the requests of all callers in groups and calls the subscribers. With PostgreSQL,
// another goroutine listens for notifications of other servers. A third goroutine measures the database for monitors.
// [Store.Close] ends them.
//
// Queries run in the goroutines of their callers, on connections of their own. SQLite has only one connection if the
// file system cannot hold the shared memory of the WAL. Queries and transactions then wait for each other.
//
// [Store.Subscribe], [Accounts.Subscribe] and [Store.Watch] first call the new subscriber for existing records, in the
// goroutine of their caller. With SQLite, [Store.Put] and [Store.Delete] call the subscribers of [Store.Watch] in the
// goroutine of their caller.
package store
