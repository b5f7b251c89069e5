// Package rating computes the ratings of players from the results of rated pairs: Glicko-2 by Mark Glickman ("Example
// of the Glicko-2 system"), with one update for each pair.
//
// The unit is a pair of games, of which each player begins one. Its result is one value, not two games: see [Result].
//
// A [Rating] is a player's strength and how sure it is. Package history folds the archived pairs of each pool. No
// goroutine is started.
//
// A reader that folds the archived pairs in the archive's order gets the same ratings, bit by bit, on every node and
// on every architecture:
//
//   - All is a pure function of its arguments. The caller passes the time between two pairs, from the archive.
//   - A rating holds integers. Every step rounds to them.
//   - No product of two variables is fused with a sum (the language allows that, and arm64 and amd64 with GOAMD64=v3
//     do it), because each product has a conversion of its own. exp and log are computed here: those of package math
//     are assembly on some architectures. Division, square root and rounding are exact in IEEE 754.
package rating
