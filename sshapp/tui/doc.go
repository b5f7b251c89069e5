// Package tui is the full-screen game: a Bubble Tea program that draws with package draw into a grid of cells that the
// caller owns.
//
// Package screen makes a [Root] for each session with [New], hands it keys and messages, and renders it after each.
// Root is the router. It holds the screen that is shown, a question over it (dialog), the player's other matches
// (ownMatches) and the status line. Each screen has a file; what all of them share is env. A screen says what keys do
// in one list of actions, from which Root makes the footer, the help and what a key or a click does. Where a key leads
// is a navigation: a function that brings up a screen by Root's methods and returns a command for Bubble Tea to run.
//
// The screens hold no truth. They show the snapshots that a [client.Table] hands out, and they send requests, each in a
// command with a deadline of its own. Nothing is shown as done before it has been recorded and has come back.
//
// The package starts no goroutine: each command runs in one of Bubble Tea's. Every mailbox is read by one waiting
// command at a time, which ends when the mailbox is closed. [Root.Close] closes them all.
package tui
