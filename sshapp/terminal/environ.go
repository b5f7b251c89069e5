package terminal

import (
	"slices"
	"strings"

	gossh "golang.org/x/crypto/ssh"
)

// maxEnvValue is the longest value of an environment variable that is kept.
const maxEnvValue = 64

// Environ is what a client said of its environment: a few names, each at most once. Everything else is forgotten at
// once.
type Environ []string

func isAllowedEnv(name string) bool {
	switch name {
	case "LANG", "LC_ALL", "LC_CTYPE", "COLORTERM", "COLORFGBG", "NO_COLOR", "TERM_PROGRAM":
		return true
	}
	return false
}

// With is e and the variable in an env request (RFC 4254, section 6.4), or e and false if it is not wanted.
func (e Environ) With(payload []byte) (Environ, bool) {
	var variable struct{ Name, Value string }
	if gossh.Unmarshal(payload, &variable) != nil || !isAllowedEnv(variable.Name) || len(variable.Value) > maxEnvValue {
		return e, false
	}
	rest := slices.DeleteFunc(e, func(entry string) bool { return strings.HasPrefix(entry, variable.Name+"=") })
	return append(rest, variable.Name+"="+variable.Value), true
}

// get is the value of a variable, or "".
func (e Environ) get(name string) string {
	for _, entry := range e {
		if value, found := strings.CutPrefix(entry, name+"="); found {
			return value
		}
	}
	return ""
}

// UTF8 reports whether the client's locale takes more than ASCII. A client that says nothing is taken to be a current
// one.
func (e Environ) UTF8() bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if value := strings.ToLower(e.get(name)); value != "" {
			return strings.Contains(value, "utf-8") || strings.Contains(value, "utf8")
		}
	}
	return true
}
