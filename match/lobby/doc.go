// Package lobby pairs waiting players across all servers that share a database.
//
// A [Seek] is a player's request for an opponent at this node. The seek's ticket is an entry of the [match.Registry],
// and every node sees one queue. A [Lobby] keeps the queue as the registry delivers it, the seeks of this node, and the
// players that may not meet again soon. One lock guards all three.
//
// The manager makes the Lobby, passes it every entry and implements [Opener]. The manager also calls [Lobby.Renew]
// regularly, and [Lobby.Drain] before [Lobby.Close]. Players seek through sshapp/client.
//
// After a change, the lobby goes through the tickets that share terms with the changed one, and pairs each with a later
// one. It goes through the whole queue less often (see fullLookRate). Tickets of networks that spoil matches come
// last (see [SpoilerDelay]). The node of the earlier ticket opens the match. One transaction of [Opener.Open] opens the
// match and writes the match's ID into both tickets, unless a ticket has changed. A player is therefore never paired
// after leaving or moving. A node that fails cannot leave a pairing without a match. A node that receives a paired
// ticket of its own tells the player and deletes the ticket.
//
// Every ticket has its own entry, because one entry for the whole queue was measured to be slower. With 24 writers the
// registry refused each change four times.
//
// A goroutine starts for each pairing, each cancelled seek and each deleted ticket. Another goroutine waits for the
// next look at a long queue that has changed. Every goroutine ends at the latest with the context of [New], and
// [Lobby.Close] waits for it. The lobby sends to [Seek.Status] with its lock held and never waits, because a newer
// status replaces one that was not received.
package lobby
