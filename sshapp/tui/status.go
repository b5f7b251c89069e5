package tui

import "time"

// Notice is a message from the server to the player. It stays until the next key, or until another one comes.
type Notice string

// Announcement is a message to the player from those who look after the server. It is shown before all others for
// five seconds, and stays until the next key after that. What it has replaced is shown again then.
type Announcement string

// readWithin is how long an announcement is shown at least, whatever the player types.
const readWithin = 5 * time.Second

// status is a line from the server, or of what has ended.
type status struct {
	text  string
	until time.Time // when a key may clear it; zero for at any time
	next  string    // what is shown then
}

// isUnread reports whether the player has not had the time to read the line.
func (s status) isUnread() bool { return time.Now().Before(s.until) }
