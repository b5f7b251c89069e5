// Package botproto defines the messages of the bot protocol, version 1, for servers and clients alike. A [Request] goes
// from the client to the server, an [Event] from the server to the client. Messages are JSON objects, one a line. The
// page docs/bot.md teaches the protocol.
//
// A server reads a line with [ParseRequest] and writes one with [Encode]. A client writes with [Request.Encode] and
// reads with [ParseEvent]. ParseRequest is strict, and ParseEvent ignores unknown fields. The server and the client
// cannot differ, because they use one set of types. The package starts no goroutine.
package botproto
