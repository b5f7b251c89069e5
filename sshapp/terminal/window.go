package terminal

import (
	"charm.land/ssh"
	gossh "golang.org/x/crypto/ssh"
)

// A client may claim any size. Nothing is ever allocated by the size claimed, but it is used in arithmetic, so it is
// bounded all the same.
const (
	maxColumns = 1000
	maxRows    = 500
)

// The size of a terminal that does not know its own.
const (
	defaultColumns = 80
	defaultRows    = 24
)

// maxTerm is the longest terminal name that is looked at.
const maxTerm = 64

// ReadPTY reads the payload of a pty-req (RFC 4254, section 6.2). The terminal's modes are not used.
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

// clampWindow bounds a size. Zero means unknown.
func clampWindow(columns, rows uint32) ssh.Window {
	if columns == 0 {
		columns = defaultColumns
	}
	if rows == 0 {
		rows = defaultRows
	}
	return ssh.Window{Width: int(min(columns, maxColumns)), Height: int(min(rows, maxRows))}
}

// cleanTerm is a terminal's name if it looks like one, and that of a terminal that can do nothing if not.
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
