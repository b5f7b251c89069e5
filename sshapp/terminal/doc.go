// Package terminal reads a client's description of its terminal and environment, and writes to a client that may have
// stopped reading. Package sshapp uses it for each session.
//
// [ReadPTY], [ReadWindow] and [Environ] read requests of a channel and clamp the client's claims to sane bounds.
// [Describe] returns the [Terminal] of a session. A [StallWriter] notices a client that stops reading, for the server
// to close its connection. The package starts no goroutine, but a StallWriter has a timer.
package terminal
