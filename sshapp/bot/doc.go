// Package bot is the front end for programs: version 1 of the bot protocol, JSON objects one a line, over any reader
// and writer. docs/bot.md teaches it. The command layer calls [Serve] for each connection of a bot. The package knows
// no SSH and no terminal, and decides nothing about the game: it turns lines into requests to [notakto/match], and what
// the tables show into events.
//
// A session joins four parts and hands each request to the part that does it:
//
//	inbox   owns the lines that are not done; touches nothing else
//	outbox  owns what the bot is sent; touches nothing else
//	tables  owns the open tables and what was sent of each; sends to the outbox, and tells the idle rule of turns
//	queue   owns the place in the lobby's queue; sends to the outbox, and sits down at tables
//
// # How events are made
//
// A table shows snapshots, of which a slow reader may miss some. What has happened between two of them is sent event by
// event: the move lists are compared and the new moves replayed with the rules, so that every move is sent once and in
// order, however many came at once.
//
// # Goroutines
//
//	session  the caller's of Serve; owns everything but what follows
//	lines    reads and parses the input; ends with it, or when a read returns after the session has ended
//	job      takes a place in the queue, gives it up, or follows a code; the session waits for it at its end
//	outbox   writes the output; ends when everything is written or a write fails, at the latest when a write returns
//
// # Channels
//
//	channel        capacity  who sends, and what happens when it is full
//	lines          0         the goroutine lines; it waits for the session, and reads nothing ahead
//	inbox.done     1         the one job; there is always room
//	outbox.lines   64        the session; it waits for Limits.Stall, then the bot is given up as too slow
//
// A session that waits for a slow bot holds up no other: tables put their snapshots into mailboxes and never wait.
package bot
