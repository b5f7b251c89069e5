// Package client is one player's session without a surface: it opens tables and places in the queue, keeps what they
// last told, and gives all of them back when the session ends. The front ends show what it holds, each in its own way.
//
// # Goroutines
//
// The package starts none. The methods of a [Session] and those that take a context may be called from any goroutine.
// Everything else of a [Table] and of a [Queue] belongs to the goroutine of the front end: it receives from Snapshots
// and Status, and hands what it received to Take.
package client
