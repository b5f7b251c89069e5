// Package client is one player's session without a surface. The front ends tui, plain and bot stand on it: no other
// package opens a seat, a place in the queue or a spectator.
//
// A [Session] opens a [Table] for each match that is played or watched and a [Queue] for a place in the lobby's queue,
// and closes all of them when it ends. Each keeps what it last took in, and [Changes] tells what happened between two
// snapshots. [Elsewhere] follows the player's matches that are not open here.
//
// Tables and places deliver to channels of their own, and a front end takes in what came when it is ready for it: a
// snapshot counts for a front end from then on, and nothing is locked. A front end with one loop waits for
// [Session.Changed] in place of all these channels.
//
// The package starts no goroutine. The methods of a [Session] and those that take a context may be called from any
// goroutine. Everything else of a [Table] and a [Queue] belongs to the goroutine of the front end.
package client
