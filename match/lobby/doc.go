// Package lobby pairs the players who wait for an opponent, across all servers that share a database.
//
// A [Seek] is a player's request at this node. Its ticket is an entry of the [match.Registry] that all nodes share, so
// every node sees the same queue. A [Lobby] joins three parts under one lock: the queue as the registry has delivered
// it, the seeks of this node, and the meetings, which say who may not meet again soon. The manager makes the Lobby,
// passes it every entry and opens its matches, see [Opener]; players come through sshapp/client.
//
// The node of a pair's first ticket pairs it: one transaction of the store opens the match and writes its name into
// both tickets, unless one of them has changed. So a player who leaves or moves in time is not paired, and no node can
// fail between the pairing and the match. Each node tells its player when the registry delivers the ticket, and then
// deletes the ticket.
//
// Each player has an entry of their own. One entry for the whole queue was measured to be slower: with 24 writers,
// the registry refuses each change four times. An entry also holds only 4 KB, about 13 tickets, and 13 players who
// may not meet would fill it.
//
// # Goroutines
//
// The lobby starts one for each pairing, for each seek that is being cancelled, and for each ticket that is being
// deleted. Each ends when its work is done, at the latest with the context of [New]. [Lobby.Close] waits for them.
// A panic in one is logged.
//
// # Channels
//
// [Seek.Status] holds one value. It is sent with the lobby's lock held, and a newer status replaces one that was not
// read.
package lobby
