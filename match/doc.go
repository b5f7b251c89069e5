// Package match defines a match: a log of events, and the state folded from them.
//
// The events that a [Journal] stores are the only truth about a match; [State.Apply] folds them. What need not outlast
// the nodes of a cluster, such as the queue of players, is stored in a [Registry] that the nodes share. [Memory]
// implements both for one process.
//
// The packages below play matches: manager runs the tables, lobby pairs players, limit enforces limits, and journal
// stores the events.
package match
