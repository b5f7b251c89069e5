package terminal

import (
	"charm.land/ssh"
	"github.com/charmbracelet/colorprofile"
)

// Terminal is what a client's terminal can show, by what the client says of it. Nothing is asked of the terminal
// itself: many print the question.
type Terminal struct {
	Name    string
	Profile colorprofile.Profile
	UTF8    bool
	Window  ssh.Window
}

// Describe is the terminal of a session.
func Describe(sess ssh.Session) Terminal {
	pty, _, _ := sess.Pty()
	env := Environ(sess.Environ())
	described := []string{"TERM=" + pty.Term, "COLORTERM=" + env.get("COLORTERM")}
	if env.get("NO_COLOR") != "" { // any value counts (no-color.org)
		described = append(described, "NO_COLOR=1")
	}
	return Terminal{
		Name:    pty.Term,
		Profile: colorprofile.Env(described),
		UTF8:    env.UTF8() && pty.Term != "dumb",
		Window:  pty.Window,
	}
}
