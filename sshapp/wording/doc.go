// Package wording holds the sentences that several front ends share. The sentences explain errors, and describe games,
// clocks, results and reviews by perfect play. Texts of a single front end stay in its package.
//
// Front ends name players in different ways, and functions take names as parameters:
//   - opponent is the opponent's name
//   - name returns a player's name for the middle of a sentence
//   - subject returns a player's name for the beginning of a sentence
//
// The comment of a function tells the width that its text must keep.
//
// Functions are pure. Times are parameters, and the package starts no goroutine.
package wording
