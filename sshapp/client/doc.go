// Package client is one player's session without a surface: it opens tables and tickets in the queue, keeps what they
// last reported, and closes all of them when the session ends. The front ends show what it holds, each in its own way.
//
// # Goroutines
//
// The package starts none. The methods of a [Session] and those that take a context may be called from any goroutine.
// Everything else of a [Table] and of a [Queue] belongs to the goroutine of the front end: it receives from Snapshots
// and Status, and hands what it received to Take.
package client
