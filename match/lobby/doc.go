// Package lobby pairs the players who wait for an opponent, across all servers that share a database.
//
// A [Seek] is a player's request at this node. Its ticket is an entry of the [match.Registry] that all nodes share, so
// every node sees the same queue. A [Lobby] joins three parts under one lock: the queue as the registry has delivered
// it, the seeks of this node, and the meetings, which say who may not meet again soon. The manager makes the Lobby,
// passes it every entry and opens its matches, see [Opener]; players come through sshapp/client.
//
// The node of a pair's first ticket makes a reservation: it writes that ticket first, then the other one, which makes
// the pairing final. Then each of the two nodes opens the match, which opens once.
//
// A pairing takes two writes because a ticket is a player's own entry. One entry for the whole queue would take one,
// but was measured to be slower (docs/benchmarks.md): with 24 writers each change is refused four times. An entry holds
// 4 KB, about 13 tickets: as many players who may not meet would fill the queue.
//
// # Goroutines
//
// One for each pairing, while it is made or its match opens, for each seek that is being cancelled, and for each
// leftover ticket that is being deleted. They end with what they do, at the latest with the context of [New];
// [Lobby.Close] waits for them. A panic in one is logged.
//
// # Channels
//
// [Seek.Status] holds one value. It is sent with the lobby's lock held, and a newer status replaces one that was not
// read.
package lobby
