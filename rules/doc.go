// Package rules implements the games as pure values: Notakto on one to nine boards, and tic-tac-toe.
//
// A [Position] is immutable and comparable; [Position.Play] returns a new one. Nothing here measures time, draws random
// numbers, prints or starts a goroutine, and the package fits a terminal, a web page or a test.
//
// A [Variant] says the boards, a [Move] marks a cell of one of them, and an [Outcome] says who has won and
// how. Moves, positions and whole games have a notation that is parsed and printed here. Every other package of the
// product uses these values; this one imports nothing but the standard library.
package rules
