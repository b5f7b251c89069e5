// Package lobby pairs the players who wait for an opponent, across all nodes of a cluster.
//
// A ticket is an entry of the [match.Registry] that all nodes share. The node of the oldest ticket reserves a match: it
// writes its own player's ticket first, then the other one, which makes the pairing final. Then each of the two nodes
// opens the match, which opens once.
//
// # Goroutines
//
// One for each pairing, while it is made or its match opens, and one for each seek that is being cancelled. They end
// with what they do, at the latest with the context of [New]; [Lobby.Close] waits for them. A panic in one is logged and
// ends that pairing only.
//
// # Channels
//
// [Seek.Status] holds one value. It is sent with the lobby's lock held, and a newer status replaces one that was not
// read.
package lobby
