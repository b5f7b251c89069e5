// Package client is one player's session without a user interface. The front ends tui, plain and bot use it, and so do
// commands of sshapp/cli/player. No other package opens a seat, a place in the queue or a spectator.
//
// A [Session] opens a [Table] for each match that the player plays or watches. A [Place] is a place in the lobby's
// queue. The end of the session closes all of them. [Tables] holds the open tables, and a [Score] the results of the
// session. An [Elsewhere] follows the player's matches that are not open in the session, each an [OwnMatch]. The
// [Changes] between two snapshots are the events of a match. [Challenges] tells the news of the player's challenges. An
// [Offer] is an open challenge.
//
// An [Exercise] asks the player for winning moves, for example in the puzzles of a day. An Exercise belongs to no
// match, and [Exercises] opens one also in a program without a server.
//
// A Table or Place delivers to a channel and holds the last value that the front end took. The front end needs no
// lock, because only Take and Poll change that value. A front end with one loop waits for [Session.Changed]. The
// loop then calls Poll, or receives a value and calls Take.
//
// The package starts no goroutine. A demonstration, the match to watch when no one plays, moves by a timer that stops
// when its Table closes. Any goroutine may call the methods of a [Session], and the methods of a [Table] that
// take a context. Only the goroutine of the front end may call further methods of a Table, and the methods of a
// [Place].
package client
