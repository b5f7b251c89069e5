package sshapp

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	gossh "golang.org/x/crypto/ssh"
)

func variable(name, value string) []byte {
	return gossh.Marshal(struct{ Name, Value string }{name, value})
}

// The library kept every variable that a client sent: 390 MB in a second.
func TestEnvironKeepsFewVariables(t *testing.T) {
	var env environ
	for i := range 10_000 {
		env, _ = env.with(variable(fmt.Sprint("X", i), "y"))
		env, _ = env.with(variable("LANG", fmt.Sprint("C", i)))
		env, _ = env.with(variable("LC_ALL", strings.Repeat("x", maxEnvValue+1)))
	}
	if !slices.Equal(env, environ{"LANG=C9999"}) {
		t.Errorf("kept %q", env)
	}
}

func TestEnvironUTF8(t *testing.T) {
	for _, c := range []struct {
		env  environ
		want bool
	}{
		{nil, true},
		{environ{"LANG=en_GB.UTF-8"}, true},
		{environ{"LANG=de_DE.utf8"}, true},
		{environ{"LANG=C"}, false},
		{environ{"LANG=C.UTF-8"}, true},
		{environ{"LANG=en_GB.UTF-8", "LC_ALL=C"}, false},
		{environ{"LANG=C", "LC_CTYPE=en_GB.UTF-8"}, true},
		{environ{"LANG=en_US.ISO-8859-1"}, false},
	} {
		if got := c.env.utf8(); got != c.want {
			t.Errorf("%q: %v", c.env, got)
		}
	}
}
