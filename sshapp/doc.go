// Package sshapp implements the SSH server, from the accepted connection to the drain. cmd/notakto makes a [Server]
// and serves its listeners with it. Decisions about the game belong to the packages match and rules.
//
// A client has a connection and one or more channels on it. A limitListener accepts connections while there is room.
// A connection (connection.go, login.go, liveness.go, byte_budget.go) limits the bytes, requests and time of its
// client. Package limit holds the limits by address, network and player.
//
// A channel carries at most one session. A channel (channel.go, session_request.go, input.go, lifetime.go) keeps the
// client's requests, the input, and the reason for the end. Its method serve (session.go, waitroom.go) refuses a banned
// player, waits for room and runs the front end.
//
// The type sessions lists the sessions of this server, and schedule decides whether matches and sessions may begin.
// Administrators' commands to all servers that share a database pass through orders (administration.go).
// [limit.Rejections] counts each refusal of a client by its reason. server.go starts and stops all of these.
//
// A connection has one goroutine beside the three of x/crypto. The connection's goroutine answers the requests of a
// channel, and each further open channel has a goroutine for its requests. A session has a goroutine for its front
// end. The full screen adds one for its keys, one for its frames, and one for each command of Bubble Tea. A session
// in line, or with another front end, adds one for readAhead, and package bot adds its own.
//
// A question to measure or check the connection has a goroutine in roundTrip.send. keepAlive and measureRoundTrip
// wait for the answer in a further goroutine. On a busy connection, each channel has one that watches for extended
// data. At the end of a session with a terminal, one may discard the rest of a paste. Every goroutine ends with its
// channel or connection.
package sshapp
