// Package match defines a match: a log of events, and the state folded from them.
//
// An [Event] is what has happened, a [State] is folded from events by [State.Apply], and a [Snapshot] is a state as one
// reader may see it. The events that a [Journal] stores are the only truth about a match: a move is an append whose
// sequence follows the last event that its author has seen. If another event came first, nothing is recorded. So every
// node, every reader and every later version reads the same match. What need not outlast the servers, such as the queue
// of players, is stored in a [Registry] that the nodes share. A [Store] is both; [Memory] is one for tests.
//
// [Terms] are what two players agree to play, a [PairGame] is a game of a rated pair. The package starts no goroutine.
// The packages below use it: manager runs the tables, lobby pairs players, limit enforces limits, account folds what
// players decide, history has the types of results, totals and ratings of finished matches, and store keeps everything.
package match
