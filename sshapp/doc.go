// Package sshapp is the SSH server: it accepts connections, admits sessions, routes each to its front end, and stops.
// It decides nothing about the game. cmd/notakto makes a [Server] and serves its listeners with it.
//
// A client passes these types, in this order:
//
//  1. limitListener accepts while there is room, and onConnect makes a connection, with deadlines and limits before
//     and after the login (listener.go, connection.go, login.go, liveness.go, package limit);
//  2. a session channel is admitted by connection, address and player, and becomes a channel (channel.go, requested.go,
//     inbox.go, input.go, lifetime.go);
//  3. channel.serve runs the session: it keeps out a player that is banned, logs the session, waits for room, and
//     routes to the front end that the client has asked for, the full screen or a command (session.go, bans.go,
//     waitroom.go).
//
// Beside them, sessions knows which sessions there are, schedule decides whether matches and sessions begin, and orders
// passes commands of administrators on to all servers that share a database. A client that is refused at any stage is
// counted, by reason, in [limit.Rejections].
//
// A connection has a goroutine that logs the client in, opens its channels and answers its requests, beside the three
// of x/crypto. A session has one for its front end. The full screen adds one for its keys and one for the program's
// commands; a command adds one that reads the input ahead. All end with the channel or the connection.
package sshapp
