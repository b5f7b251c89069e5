// Package rules implements Notakto on one to nine boards, and tic-tac-toe, as pure values.
//
// A [Variant] is a game, a [Move] marks a cell of a board, and an [Outcome] has the winner and the reason. A
// [Position] is immutable and comparable, and [Position.Play] returns a new one. The package parses and prints a
// notation of variants, moves, positions and whole [Game] values.
//
// Most packages of the product use these values. Package rules imports only the standard library, measures no time,
// draws no random numbers, prints no text and starts no goroutine.
package rules
