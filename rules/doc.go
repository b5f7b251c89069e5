// Package rules implements the games as pure values: Notakto on one to nine boards, and tic-tac-toe.
//
// A [Variant] is a game, a [Move] marks a cell of a board, and an [Outcome] has the winner and the reason. A [Position]
// is immutable and comparable. [Position.Play] returns a new one. Variants, moves, positions and whole games have a
// notation that this package parses and prints.
//
// Most packages of the product use these values. This one imports only the standard library. It measures no time, draws
// no random numbers, prints nothing and starts no goroutine.
package rules
