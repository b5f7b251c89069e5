// Package opening draws the starting positions of the two games of a rated pair. [Draw] returns a [Pair] of them for a
// seed. Package match puts the pair into its first event. The package starts no goroutine.
//
// Notakto is solved: from empty boards, the player in the better seat wins. A pair therefore begins from two sibling
// openings, and each player has the won side of one of them. An opening
//
//   - has four marks on four boards, none of which is dead;
//   - is won with perfect play for the player to move, whose turn is the first;
//   - leaves at least two boards' worth of play. An empty board takes three marks to kill, which makes six marks,
//     however the two play. Four marks that kill no board leave eight or more, and no draw is repeated for this rule.
//
// Siblings have the same number of winning moves and of safe moves (those that kill no board). They are not equal up
// to the order of boards and the symmetries of each board, so that neither copying the moves of one game into the
// other nor knowing one of them helps.
//
// # The draw
//
// It is the same on every platform and in every version, and easy to repeat in other languages:
//
//  1. The key of ChaCha8 (C2SP chacha8rand, the generator of math/rand/v2) is the SHA-256 of "notakto opening 1\x00"
//     and the seed. A number below n is its next 64-bit value modulo n; values from the largest multiple of n on are
//     skipped.
//  2. A candidate: four marks, one after the other, each a number that counts through the moves that kill no board,
//     in board, then cell order.
//  3. A round: up to 100 candidates. The first that is an opening is that of the first game, the first after it that
//     is its sibling that of the second. A round without siblings is followed by another.
//
// After 100 rounds the result is a fixed pair, the same for all such seeds. No seed is known that comes to that: of
// 10,000 none took more than seven rounds, and 72 % took one.
//
// # Commitment
//
// A server publishes [Hash] before the players are seated, and the seed when the pair is over, so that players can
// check that the openings were not chosen against them. The hash says nothing about the openings to players who
// cannot guess the seed: it needs 128 random bits, such as those of crypto/rand.Text.
package opening
