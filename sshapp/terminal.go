package sshapp

import (
	"charm.land/ssh"
	"github.com/charmbracelet/colorprofile"
)

// terminal is what a client's terminal can show, by what the client says of it. Nothing is asked of the terminal
// itself: many print the question.
type terminal struct {
	name    string
	profile colorprofile.Profile
	utf8    bool
	window  size
}

func terminalOf(sess ssh.Session) terminal {
	pty, _, _ := sess.Pty()
	env := environ(sess.Environ())
	described := []string{"TERM=" + pty.Term, "COLORTERM=" + env.get("COLORTERM")}
	if env.get("NO_COLOR") != "" { // any value counts (no-color.org)
		described = append(described, "NO_COLOR=1")
	}
	return terminal{
		name:    pty.Term,
		profile: colorprofile.Env(described),
		utf8:    env.utf8() && pty.Term != "dumb",
		window:  size{pty.Window.Width, pty.Window.Height},
	}
}
