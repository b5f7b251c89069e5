// Package bot is the front end for programs: version 1 of the bot protocol, JSON objects one a line, over any reader
// and writer. docs/bot.md teaches it. The package knows no SSH and no terminal, and decides nothing about the game:
// it turns lines into requests to [notakto/match], and what the tables show into events.
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
//	outbox   writes the output; ends when everything is written or a write fails, at the latest when a write returns
//
// # Channels
//
//	channel        capacity  who sends, and what happens when it is full
//	lines          0         the goroutine lines; it waits for the session, and reads nothing ahead
//	outbox.lines   64        the session; it waits for Limits.Stall, then the bot is given up as too slow
//
// A session that waits for a slow bot holds up no other: tables put their snapshots into mailboxes and never wait.
package bot
