// Package botproto is the one definition of the messages of the bot protocol, version 1: the requests that a client
// sends and the events that the server sends, each a JSON object on a line of its own. docs/bot.md teaches the
// protocol.
//
// The server reads a line with [ParseRequest], which is strict, and writes one with [Encode]. A client writes a
// [Request] with [Request.Encode] and reads an event with [ParseEvent]. Both sides use the same types, so that they
// cannot differ. The package starts no goroutine.
package botproto
