// Package opening draws the starting positions of the two games of a rated pair. [Draw] returns a [Pair] of them for
// a seed. Package match puts the pair into the first event of a match. The package starts no goroutine.
//
// Notakto is solved. From empty boards, the player in the better seat wins. Therefore a pair begins from two sibling
// openings, and each player has the won side of one of them. An opening
//
//   - has four marks on four live boards
//   - is won with perfect play for the first player, on turn
//   - leaves at least six marks of play, as two empty boards do (the code does not check that, because any four marks
//     that kill no board leave eight or more)
//
// Siblings have equal numbers of winning moves and of safe moves. A safe move kills no board. Siblings differ by
// more than the order of boards and the symmetries of a board, because a player must not gain by knowing one game,
// or by copying its moves into the next one.
//
// # The draw
//
// The draw has one result on every platform and in every version, and is easy to repeat in other languages:
//
//  1. The key of ChaCha8 (C2SP chacha8rand, the generator of math/rand/v2) is the SHA-256 of "notakto opening 1\x00"
//     and the seed. A number below n is the next 64-bit value modulo n. Values from the largest multiple of n on are
//     skipped.
//  2. A candidate has four marks, drawn one after another. A mark is a number below the number of safe moves, counted
//     by boards, and on each board by cells.
//  3. A round has up to 100 candidates. The first opening in a round is for the first game, and its first later
//     sibling for the second game. A round without siblings is followed by another round.
//
// After 100 rounds the result is a fixed pair. No seed is known that needs it. Of 10,000 seeds, 72 % took one round,
// and the slowest took seven.
//
// # Commitment
//
// A server publishes [Commitment] before the players are seated, and the seed when the pair is over. Players can check
// that the openings were not chosen against them. A seed needs 128 random bits, such as those of crypto/rand.Text,
// or players could guess it from the hash.
package opening
