// Package lobby pairs the players who wait for an opponent, over all nodes of a cluster.
//
// A place in a queue is an entry on the [match.Registry] that all nodes share, a ticket. The node of the one who has
// waited longest promises a match first to that player, then to the other, whose note decides; then each of the two
// nodes opens the match, which opens once.
//
// # Goroutines
//
// One for a pair while it is being made or its match opened, and one for a place that is given up. Each ends with what
// it does, at the latest with the context of [New], and [Lobby.Close] waits for it. A panic in one is logged and ends
// that pairing only.
//
// # Channels
//
// [Seek.Status] has room for one: it is sent to under the lobby's lock, and a newer status replaces one that was not
// read.
package lobby
