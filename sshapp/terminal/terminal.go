package terminal

import (
	"slices"
	"strings"

	"charm.land/ssh"
	"github.com/charmbracelet/colorprofile"
	gossh "golang.org/x/crypto/ssh"
)

// Terminal is the client's description of its terminal. The server does not query the terminal, because many
// terminals print the query.
type Terminal struct {
	Name    string
	Profile colorprofile.Profile
	UTF8    bool
	Window  ssh.Window
}

// Describe returns the terminal of a client that has sent a pty-req and its environment.
func Describe(pty ssh.Pty, env Environ) Terminal {
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

// The largest window that a client may claim. Windows are used in arithmetic but allocate no memory.
const (
	maxColumns = 1000
	maxRows    = 500
)

// The size of a terminal that does not know its own.
const (
	defaultColumns = 80
	defaultRows    = 24
)

const maxTerm = 64 // bytes of a terminal's name

// ReadPTY reads the payload of a pty-req (RFC 4254, section 6.2). ReadPTY ignores the terminal's modes.
func ReadPTY(payload []byte) (ssh.Pty, bool) {
	var request struct {
		Term                         string
		Columns, Rows, Width, Height uint32
		Modes                        string
	}
	if gossh.Unmarshal(payload, &request) != nil {
		return ssh.Pty{}, false
	}
	return ssh.Pty{Term: cleanTerm(request.Term), Window: clampWindow(request.Columns, request.Rows)}, true
}

// ReadWindow reads the payload of a window-change (RFC 4254, section 6.7).
func ReadWindow(payload []byte) (ssh.Window, bool) {
	var request struct{ Columns, Rows, Width, Height uint32 }
	if gossh.Unmarshal(payload, &request) != nil {
		return ssh.Window{}, false
	}
	return clampWindow(request.Columns, request.Rows), true
}

// clampWindow limits a size to the bounds. Zero means an unknown size.
func clampWindow(columns, rows uint32) ssh.Window {
	if columns == 0 {
		columns = defaultColumns
	}
	if rows == 0 {
		rows = defaultRows
	}
	return ssh.Window{Width: int(min(columns, maxColumns)), Height: int(min(rows, maxRows))}
}

// cleanTerm returns the name of a terminal, or "dumb" for a text that cannot be a name.
func cleanTerm(term string) string {
	if term == "" || len(term) > maxTerm {
		return "dumb"
	}
	for _, c := range []byte(term) {
		if c <= ' ' || c > '~' {
			return "dumb"
		}
	}
	return term
}

const maxEnvValue = 64 // bytes

// Environ holds the allowed variables of a client's environment, each at most once.
type Environ []string

func isAllowedEnv(name string) bool {
	switch name {
	case "LANG", "LC_ALL", "LC_CTYPE", "COLORTERM", "COLORFGBG", "NO_COLOR", "TERM_PROGRAM":
		return true
	}
	return false
}

// With returns e with the variable of an env request (RFC 4254, section 6.4), or e and false if the variable is not
// kept.
func (e Environ) With(payload []byte) (Environ, bool) {
	var variable struct{ Name, Value string }
	if gossh.Unmarshal(payload, &variable) != nil || !isAllowedEnv(variable.Name) || len(variable.Value) > maxEnvValue {
		return e, false
	}
	rest := slices.DeleteFunc(e, func(entry string) bool { return strings.HasPrefix(entry, variable.Name+"=") })
	return append(rest, variable.Name+"="+variable.Value), true
}

func (e Environ) get(name string) string {
	for _, entry := range e {
		if value, found := strings.CutPrefix(entry, name+"="); found {
			return value
		}
	}
	return ""
}

// UTF8 reports whether the client's locale has the encoding UTF-8. A client without a locale counts as one with
// UTF-8.
func (e Environ) UTF8() bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if value := strings.ToLower(e.get(name)); value != "" {
			return strings.Contains(value, "utf-8") || strings.Contains(value, "utf8")
		}
	}
	return true
}
