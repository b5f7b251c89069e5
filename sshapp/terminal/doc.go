// Package terminal reads what a client says of its terminal and its environment, and writes to a client that may have
// stopped reading. The package sshapp uses it for each session.
//
// [ReadPTY], [ReadWindow] and [Environ] read requests of a channel and cut what a client claims to sane bounds.
// [Describe] returns the [Terminal] of a session. [StallWriter] notices a client that takes nothing, so that its
// connection can be closed. The package starts no goroutine; a StallWriter has a timer.
package terminal
