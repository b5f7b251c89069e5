// Package client is one player's session without a user interface. The front ends tui, plain and bot use it. No
// other package opens a seat, a place in the queue or a spectator.
//
// A [Session] opens a [Table] for each match that is played or watched and a [Queue] for a place in the lobby's
// queue. When the session ends, it closes all of them. A Table and a Queue each keep the newest value that they
// took. [Changes] tells what happened between two snapshots. [Elsewhere] follows the player's matches that are not
// open here.
//
// Tables and places deliver to channels of their own. A front end takes a value when it is ready for it, and needs
// no lock: Table and Queue do not change until then. A front end with one loop waits for [Session.Changed] instead
// of all these channels.
//
// The package starts no goroutine. The methods of a [Session] and those that take a context may be called from any
// goroutine. Everything else of a [Table] and a [Queue] belongs to the goroutine of the front end.
package client
