// Package history keeps what is computed from finished matches: each player's list of them, what they add up to, the
// ratings of players and the ladder. The commands history, profile and ladder and the screens You and Ladder read it.
//
// A [Store] takes in a match when it ends ([Store.Add]), and reads the archive for those that it has missed. It folds
// each match once into an embedded database, which may be deleted at any time: it is filled again from the archive in
// the background while people play. The database notes how far the archive was read in the same transaction as what was
// computed, so a crash neither skips a match nor counts it twice.
//
// Sums do not depend on the order of the matches. Ratings do, so pairs are rated in the order of their ends: if a pair
// comes late, those after it are rated again. Every node has the same ratings once it has the same matches.
//
// One thing is in the database only: which results a player has not seen ([Store.Unseen]).
//
// Matches that were never played (void, or closed before they began) and matches played on from a review are not in
// it. Guests and computers have no history of their own.
//
// # Goroutines
//
// One reads the archive and one writes to the database, both until [Store.Close]. Between them is a channel of 256
// matches; the reader waits while it is full. A second channel has room for 500 matches that have just ended; one that
// finds it full comes with the archive. Queries and [Store.See] run in the goroutines of their callers.
package history
