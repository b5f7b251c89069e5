// Package screen runs the full-screen program of a session: Bubble Tea's loop around the screens of package tui, with
// the key reader before it and the writer of frames behind it. Package sshapp calls [Run] for each session that has a
// terminal.
//
// A runner wires the parts of one session. The programModel passes each message to tui.Root and draws what it changed.
// The screenWriter is the only one who writes to the terminal.
//
// Run owns one goroutine beside its own, the key reader (package keys), and a second one while the screenWriter draws.
// Bubble Tea runs commands in goroutines of its own. The program has no renderer: after every message, or, after
// several, once the frame before is on its way, the screens are drawn into a grid of cells, and package render writes
// what differs.
package screen
