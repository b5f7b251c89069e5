// Package terminal reads what a client says of its terminal and its environment, and writes to one that may have
// stopped reading. The package sshapp uses it for each session.
//
// [ReadPTY], [ReadWindow] and [Environ] read requests of a channel; what a client claims is cut to sane bounds there.
// [Describe] returns the [Terminal] of a session. Nothing is asked of the terminal itself: many print the question.
// [StallWriter] hangs up on a client that takes nothing. The package starts no goroutine; a StallWriter has a timer.
package terminal
