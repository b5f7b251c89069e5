// Package puzzle draws positions to solve, and judges answers. [Day] returns the three puzzles of a day. [Rush] draws
// the puzzles of a run against the clock. [Puzzle.Check] judges an answer, and [Check] judges an answer in any won
// position, such as a player's own slip. The package starts no goroutine, and reads no clock.
//
// A puzzle is a position of Notakto with these properties:
//
//   - The player to move wins with perfect play.
//   - All winning moves are of one kind. For any two winning moves, a symmetry turns the board and cell of one move
//     into the board and cell of the second move.
//   - The move of [strategy.Student] loses.
//   - At least one losing move kills no board.
//
// All boards of a drawn puzzle are live. Legal moves can place the crosses in any order.
//
// # Difficulty
//
// Each level of [strategy.Ladder] misses every puzzle with a fixed chance, and cannot rate puzzles. Six model
// levels rate the puzzles instead. A model level makes mistakes with the chance of its level, and chooses moves by
// weights. The difficulty is the mean chance that a model level misses the puzzle.
//
// A weight tells how tempting a move is. A winning move has 12 if the reason for the lost position after the move is
// [strategy.NoSafeCell], 6 for [strategy.Answered] and [strategy.Twins], and 3 otherwise. A losing move has 2 if no
// board dies, 1 if a board dies, and 0 if the game ends. A model level multiplies the weights of losing moves by its
// chance of a mistake, 80, 50, 30, 17, 8 or 0 percent. The chance that the level misses the puzzle is the share of
// losing moves in the sum of all weights. The difficulty is the mean of the six chances, in thousandths.
//
// # The draw
//
// The draw has one result on every platform and in every version, and is easy to repeat in other languages:
//
//  1. The key of ChaCha8 (C2SP chacha8rand, the generator of math/rand/v2) is the SHA-256 of a text. For a day the text
//     is "notakto daily 1\x00" and the day's number. For a run the text is "notakto rush 1\x00", a number, "\x00" and
//     the seed. The number is 0 for the places up to 64, 1 for place 65, 2 for place 66, and so on. To draw a number
//     below n, take the next 64-bit value modulo n. Values from the largest multiple of n below 2^64 on are skipped.
//  2. To draw a position, draw a number below 230 for each board. The number is the index of a live board in the order
//     of [rules.Position.Crosses]. Positions are drawn until one is a puzzle, about one in five.
//  3. A day has seven candidates for its first puzzle, then seven for the second, then seven for the third. The first
//     puzzle has one board, and the second has two. For a candidate for the third puzzle, a number below 3 is drawn
//     first. The candidate has 3 boards plus that number. The seven are sorted by difficulty, and equally difficult
//     candidates keep their order. Monday takes the first candidate, and Sunday the last.
//  4. A run has 64 candidates, sorted by difficulty as those of a day. For a candidate, a number below 5 is drawn
//     first. The candidate has 1 board plus that number. Candidates that differ from an earlier candidate only by the
//     order of boards and by symmetries are skipped. Places from 64 on take the last candidate.
package puzzle
