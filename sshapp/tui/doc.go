// Package tui is the full-screen game: a Bubble Tea program whose root routes between screens, one file a screen.
//
// The screens hold no truth. They show the snapshots that a [match.Seat] or a [match.Spectator] hands out, and they
// send requests, each in a command with a deadline of its own; nothing is shown as done before it has been recorded and
// has come back. Every mailbox is read by one waiting command at a time, which ends when the mailbox is closed, and
// [Root.Close] closes them all.
//
// A screen is drawn with package draw, into a grid of cells that the caller owns.
package tui
