// Package client is one player's session without a surface. The front ends tui, plain and bot stand on it, and show
// what it holds, each in its own way.
//
// A [Session] opens tables and places in the lobby's queue, and closes all of them when it ends. A [Table] is a match
// that is played or watched, a [Queue] a place in the queue; each keeps what it last reported. An [OwnMatch] is one of
// the player's matches, wherever it is open.
//
// A front end receives from the channels of its tables and its place itself, and hands what it received to Take. So a
// snapshot counts for a front end from the moment at which the front end looks at it, and nothing is locked.
//
// # Goroutines
//
// The package starts none. The methods of a [Session] and those that take a context may be called from any goroutine.
// Everything else of a [Table] and of a [Queue] belongs to the goroutine of the front end.
package client
