// Package rules holds the games as pure values: Notakto on one to nine boards, and tic-tac-toe.
//
// A [Position] is immutable and comparable; [Position.Play] returns a new one. Nothing here keeps time, draws lots,
// prints or starts a goroutine, so the package serves a terminal, a web page or a test alike.
package rules
