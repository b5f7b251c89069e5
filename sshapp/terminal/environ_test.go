package terminal

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
	var env Environ
	for i := range 10_000 {
		env, _ = env.With(variable(fmt.Sprint("X", i), "y"))
		env, _ = env.With(variable("LANG", fmt.Sprint("C", i)))
		env, _ = env.With(variable("LC_ALL", strings.Repeat("x", maxEnvValue+1)))
	}
	if !slices.Equal(env, Environ{"LANG=C9999"}) {
		t.Errorf("kept %q", env)
	}
}

func TestEnvironUTF8(t *testing.T) {
	for _, c := range []struct {
		env  Environ
		want bool
	}{
		{nil, true},
		{Environ{"LANG=en_GB.UTF-8"}, true},
		{Environ{"LANG=de_DE.utf8"}, true},
		{Environ{"LANG=C"}, false},
		{Environ{"LANG=C.UTF-8"}, true},
		{Environ{"LANG=en_GB.UTF-8", "LC_ALL=C"}, false},
		{Environ{"LANG=C", "LC_CTYPE=en_GB.UTF-8"}, true},
		{Environ{"LANG=en_US.ISO-8859-1"}, false},
	} {
		if got := c.env.UTF8(); got != c.want {
			t.Errorf("%q: %v", c.env, got)
		}
	}
}
