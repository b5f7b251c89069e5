// Package screen runs the full-screen program of a session: Bubble Tea's loop around the screens of package tui, with
// the key reader before it and the writer of frames behind it.
//
// [Run] is a session's, and owns one goroutine beside its own, the key reader (package keys), and a second one while
// the writer draws. The program has no renderer: after every message, or, after several, once the frame before is on
// its way, the screens are drawn into a grid of cells, and package render writes what differs.
package screen
