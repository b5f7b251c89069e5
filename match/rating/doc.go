// Package rating computes ratings from the results of rated pairs by Glicko-2, with one update for each pair. The
// source is Mark Glickman's "Example of the Glicko-2 system".
//
// A [Rating] is a player's strength and its uncertainty. A pair of games, with each player first in one of them, has
// one [Result]. Package history calls [Update] for the archived pairs of each pool. The package starts no goroutine.
//
// A reader that folds the archived pairs in the archive's order gets equal ratings, bit by bit, on every node and
// every architecture:
//
//   - Every function depends on its arguments only. The caller passes the time between two pairs, from the archive.
//   - A rating holds integers, and every step rounds to them.
//   - No product of two variables is fused with a sum. Go allows fusing, and the compilers for arm64 and for amd64
//     with GOAMD64=v3 do it. A conversion of each product prevents it.
//   - The package has its own exp and log, because those of package math are assembly on some architectures. Division,
//     square root and rounding are exact in IEEE 754.
package rating
