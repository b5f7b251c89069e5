// Package opening draws the starting positions of the two games of a rated pair. [Draw] returns a [Pair] of them for a
// seed. Package match puts the pair into the first event of a match. The package starts no goroutine.
//
// Notakto is solved: from empty boards, the player in the better seat wins. A pair therefore begins from two sibling
// openings, and each player has the won side of one of them. An opening
//
//   - has four marks on four live boards;
//   - is won with perfect play for the first player, whose turn it is;
//   - leaves at least as much play as two empty boards, six marks. Any four marks that kill no board leave eight or
//     more, so the code does not check this rule.
//
// Siblings have equal numbers of winning moves and of safe moves, which kill no board. They differ by more than the
// order of boards and the symmetries of a board. So it does not help to know one game or to copy its moves into the
// other one.
//
// # The draw
//
// The draw has one result on every platform and in every version, and is easy to repeat in other languages:
//
//  1. The key of ChaCha8 (C2SP chacha8rand, the generator of math/rand/v2) is the SHA-256 of "notakto opening 1\x00"
//     and the seed. A number below n is its next 64-bit value modulo n; values from the largest multiple of n on are
//     skipped.
//  2. A candidate has four marks, drawn one after the other. Each is a number below the number of safe moves, which are
//     counted by boards, and on each board by cells.
//  3. A round has up to 100 candidates. The first opening among them is for the first game. Its first sibling after it
//     is for the second game. If there is none, another round follows.
//
// After 100 rounds the result is a fixed pair. No seed is known that needs it: of 10,000 seeds none took more than
// seven rounds, and 72 % took one.
//
// # Commitment
//
// A server publishes [Hash] before the players are seated, and the seed when the pair is over, so that players can
// check that the openings were not chosen against them. A seed needs 128 random bits, such as those of
// crypto/rand.Text. Otherwise players could guess the seed of a hash.
package opening
