// Package sshapp is the SSH server: it accepts connections, admits sessions, routes each to its front end, and stops.
// It decides nothing about the game. cmd/notakto makes a [Server] and serves its listeners with it.
//
// A client passes these types, in this order:
//
//  1. limitListener accepts while there is room, and onConnect makes a connection, with deadlines and limits before and
//     after the login (listener.go, connection.go, liveness.go, package limit);
//  2. a session channel becomes a channel: our own implementation of ssh.Session, which no request can block. It is
//     admitted by connection, address and player (channel.go, requested.go, inbox.go, input.go, lifetime.go);
//  3. the chain of middleware keeps out who is banned, logs the session, and has it wait while the server is full
//     (session.go, bans.go, waitroom.go);
//  4. the front end that its request asks for runs: the full screen or a command (session.go).
//
// Beside them, sessions knows who is there, schedule decides whether matches and sessions begin, and orders passes on
// what administrators have all servers that share a database do. A client that is refused at any stage is counted, by
// reason, in [limit.Rejections].
//
// The SSH library starts several goroutines for a connection and one for each of its channels. A channel starts one for
// its front end, which may start another to read the input while a command runs or a person waits in line. A connection
// that has sent much is watched by one for each channel. All end with the channel.
package sshapp
