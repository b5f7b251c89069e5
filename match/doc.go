// Package match defines a match as a log of events, and the state that follows from the log.
//
// A [Journal] stores the events of all matches. Method [State.Apply] folds an [Event] into a [State]. A [Snapshot]
// shows a State to one reader, without the codes and seeds that this reader may not know.
//
// The log is the only truth about a match. An append names the sequence after the last event that its author has
// seen. If another event came first, the journal refuses the append with [ErrConflict], and the author decides again.
// Every node, every reader and every later version therefore reads one match.
//
// A [Registry] holds short-lived entries that the nodes share, such as the queue. A [Store] is a Journal and a
// Registry, and [Memory] is a Store for tests. Players agree to [Terms] before a match. A [PairGame] says which game
// of a rated pair a match is.
//
// Package manager runs the tables, lobby pairs players, and store keeps the events in a database. Package match
// starts no goroutine.
package match
