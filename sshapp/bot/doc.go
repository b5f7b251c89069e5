// Package bot is the front end for programs: version 1 of the bot protocol, JSON objects one a line, over any reader
// and writer. docs/bot.md teaches the protocol. The command layer calls [Serve] for each bot. The package decides
// nothing about the game. It turns lines into requests to package client, and snapshots into events.
//
// A session joins four parts:
//
//	inbox   the lines that wait to be carried out
//	outbox  the events for the bot
//	tables  the open tables; sends what happens there, and tells the idle rule of turns
//	queue   the place in the lobby's queue; takes a seat at a table when an opponent was found
//
// Tables show snapshots, and a slow session may miss some. The session sends what [client.Changes] finds between two
// snapshots, so that every move is sent once and in order.
//
// # Goroutines and channels
//
//	session   the goroutine that calls Serve; owns everything but the rest of this list
//	readLines parses the input; ends at the end of the input, or after the session when its last read returns
//	job       takes a place in the queue, gives it up, or follows a code; the session waits for it at its end
//	outbox    writes the output; ends when everything is written or a write fails
//
// readLines waits for the session and reads no line ahead. The outbox has room for maxUnsent lines. If it stays full
// for Limits.Stall, the session ends, since the bot is too slow. A session that waits for a slow bot holds up no other,
// since tables never wait for a session.
package bot
