// Package rules implements the games as pure values: Notakto on one to nine boards, and tic-tac-toe.
//
// A [Position] is immutable and comparable; [Position.Play] returns a new one. Nothing here measures time, draws random
// numbers, prints or starts a goroutine, so the package fits a terminal, a web page or a test alike.
package rules
