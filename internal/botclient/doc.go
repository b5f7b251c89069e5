// Package botclient is a client of the bot protocol over SSH, for tools and tests that play on a real server.
// Function [Login] logs in on a connection, and [Open] starts a bot's session, a [Client]. Method [Client.Send]
// sends a request. Functions [Expect] and [Await] wait for an event of a type and turn an error event into an error.
//
// One goroutine of a Client parses the server's lines into a channel of events. If a tool stops receiving events, the
// channel fills and the flow control of SSH stops the server, as with a slow bot.
//
// Tools that run another command or the full screen use Login and [Start]. A tool that must violate the SSH protocol
// uses internal/wire.
package botclient
