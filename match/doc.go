// Package match holds what a match is: a log of events, and the state folded from them.
//
// A match is the events that a [Journal] has of it. [State.Apply] folds them; nothing else is true of a match. What
// need not outlast the nodes of a cluster, such as who waits for an opponent, is on a [Registry] that they share.
// [Memory] is both for one process.
//
// The packages below play matches: manager has the tables, lobby pairs players, limit counts what they do, and journal
// keeps the events.
package match
