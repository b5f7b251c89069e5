// Package screen runs the full-screen program of a session: Bubble Tea's loop around the screens of package tui, with
// the key reader before it and the writer of frames behind it. Package sshapp calls [Run] for each session that has a
// terminal.
//
// A runner wires the parts of one session. The programModel passes each message to tui.Root and draws the changed
// screen. Only the screenWriter writes to the terminal.
//
// Run starts one goroutine for the key reader (package keys), and one for the screenWriter while it draws. Bubble Tea
// runs commands in goroutines of its own.
package screen
