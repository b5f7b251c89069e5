// Package bot is the front end for programs: version 1 of the bot protocol, JSON objects one a line, over any reader
// and writer. docs/bot.md teaches the protocol. The command layer calls [Serve] for each connection of a bot. The
// package decides nothing about the game: it turns lines into requests to package client, and what the tables show into
// events.
//
// A session joins four parts:
//
//	inbox   the lines that are not done
//	outbox  what the bot is sent
//	tables  the open tables; sends what happens there, and tells the idle rule of turns
//	queue   the place in the lobby's queue; sits down at a table when an opponent was found
//
// Tables show snapshots, of which a slow session may miss some. The session sends what [client.Changes] finds between
// two of them, so that every move is sent once and in order.
//
// # Goroutines and channels
//
//	session   the caller's of Serve; owns everything but what follows
//	readLines parses the input; ends with it, or when a read returns after the session has ended
//	job       takes a place in the queue, gives it up, or follows a code; the session waits for it at its end
//	outbox    writes the output; ends when everything is written or a write fails, at the latest when a write returns
//
// readLines waits for the session and reads no line ahead. The outbox has room for maxUnsent lines; when it stays full
// for Limits.Stall, the bot is given up as too slow. A session that waits for a slow bot holds up no other: tables
// never wait for a session.
package bot
