// Package bot is the front end for programs. A bot sends and receives one JSON object a line, over any reader and
// writer. The page docs/bot.md teaches the protocol, version 1.
//
// Package sshapp calls [Serve] for each bot. Package bot turns lines into requests to package client, and snapshots
// into events. Package manager decides about the game.
//
// A session has five parts:
//
//	inbox       the lines that are not done yet
//	outbox      the events for the bot
//	tables      the open tables and their events
//	queue       the place in the lobby's queue
//	challenges  the challenges to the bot, and its own
//
// A slow session may miss snapshots of a table. Therefore the session sends what [client.Changes] finds between two
// snapshots. A slow bot still receives every move that stands, once and in order.
//
// # Goroutines and channels
//
//	session    the goroutine that calls Serve, the owner of all other data
//	readLines  parses the input until it ends, or until a Read returns after the end of the session
//	job        takes or gives up a place in the queue, or the seat that a code stands for; Serve waits for job
//	outbox     writes the output, and ends when all is written or a Write fails
//
// readLines reads the next line when the session has received the last. The outbox has room for maxUnsent lines. If it
// stays full for Limits.Stall, the session ends, since the bot is too slow. A slow bot holds up only its own session,
// since no table waits for a session.
package bot
