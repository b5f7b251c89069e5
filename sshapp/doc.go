// Package sshapp is the SSH server. It accepts connections, admits sessions, routes each to its front end, and stops.
// It decides nothing about the game. cmd/notakto makes a [Server] and serves its listeners with it.
//
// A client passes these types, in this order:
//
//  1. limitListener accepts a connection while there is room, and onConnect makes a connection of it. Limits and
//     deadlines hold before and after the login (listener.go, connection.go, login.go, liveness.go, package limit).
//  2. The connection admits a session channel by connection, address and player. The channel holds what the client
//     asked for, its input, and why the session ends (channel.go, requested.go, input.go, lifetime.go).
//  3. channel.serve runs the session. It refuses a banned player, logs the session, waits for room (waitroom.go), and
//     serves the front end that the client asked for, the full screen or a command (session.go).
//
// Beside them, sessions holds the sessions of this server, schedule decides whether matches and sessions begin, and
// orders passes administrators' commands to all servers that share a database (administration.go). Each refusal of a
// client is counted by reason in [limit.Rejections].
//
// A connection has one goroutine beside the three of x/crypto. It logs the client in, opens channels and answers
// requests. A session has one goroutine for its front end. The full screen adds one for its keys and one for the
// program's commands. A command adds one that reads the input ahead. All end with the channel or the connection.
package sshapp
