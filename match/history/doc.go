// Package history keeps what is computed from finished matches: each player's list of them, what they add up to, the
// ratings of players and the ladder. The commands history, profile and ladder and the screens You and Ladder read it.
//
// A [Store] reads the archive in its order, the same on every node, and folds each match into an embedded database. The
// database has nothing that the archive has not: it may be deleted at any time, and is filled again in the background
// while people play. It notes how far it has read in the same transaction as what it has computed, so a crash neither
// skips a match nor counts it twice.
//
// Matches that were never played (void, or closed before they began) and matches played on from a review are not in
// it. Guests and computers have no history of their own.
//
// # Goroutines
//
// One reads the archive and one writes to the database, both until [Store.Close]. Between them is a channel of 256
// matches; the reader waits while it is full. Queries run in the goroutines of their callers.
package history
