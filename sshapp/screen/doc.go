// Package screen runs the full-screen program of a session. Package sshapp calls [Run] for each session that has a
// terminal.
//
// A runner wires the parts of one session around Bubble Tea's loop. A goroutine reads keys (package keys) and sends
// them to the programModel. The programModel passes each message to tui.Root and draws the changed screen. Only the
// screenWriter writes to the terminal, in a goroutine that runs while there is a frame to write. A slow client thus
// never blocks the loop, and gets the newest frame next. Bubble Tea runs commands in goroutines of its own.
package screen
