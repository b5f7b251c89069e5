package terminal

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	gossh "golang.org/x/crypto/ssh"

	"notakto/internal/testkit"
)

func TestClampWindow(t *testing.T) {
	for size, want := range map[[2]uint32]string{
		{0, 0}: fmt.Sprint(defaultColumns, defaultRows), {132, 43}: "132 43",
		{math.MaxUint32, math.MaxUint32}: fmt.Sprint(maxColumns, maxRows), {1, 1}: "1 1",
		{0, math.MaxInt32}: fmt.Sprint(defaultColumns, maxRows), {maxColumns + 1, 1}: fmt.Sprint(maxColumns, 1),
	} {
		window := clampWindow(size[0], size[1])
		testkit.Equal(t, fmt.Sprint(window.Width, window.Height), want, size)
	}
}

func TestCleanTerm(t *testing.T) {
	for term, want := range map[string]string{
		"xterm-256color":           "xterm-256color",
		"":                         "dumb",
		"\x1b]0;owned\x07":         "dumb",
		"a b":                      "dumb",
		"xterm\n":                  "dumb",
		strings.Repeat("x", 1<<20): "dumb",
	} {
		testkit.Equal(t, cleanTerm(term), want, term)
	}
}

func TestReadPTYRefusesWhatIsCutShort(t *testing.T) {
	whole := gossh.Marshal(struct {
		Term                         string
		Columns, Rows, Width, Height uint32
		Modes                        string
	}{Term: "xterm", Columns: 80, Rows: 24})
	pty, ok := ReadPTY(whole)
	if !ok || pty.Term != "xterm" || pty.Window.Width != 80 || pty.Window.Height != 24 {
		t.Fatalf("got %+v, %v", pty, ok)
	}
	for end := range whole {
		if _, ok := ReadPTY(whole[:end]); ok {
			t.Errorf("%d of %d bytes were taken for a request", end, len(whole))
		}
	}
}

func FuzzRequests(f *testing.F) {
	f.Add([]byte(
		"\x00\x00\x00\x05xterm\x00\x00\x00\x50\x00\x00\x00\x18\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, payload []byte) {
		if pty, ok := ReadPTY(payload); ok && (pty.Window.Width > maxColumns || pty.Window.Height > maxRows ||
			len(pty.Term) > maxTerm) {
			t.Errorf("%+v", pty)
		}
		if window, ok := ReadWindow(payload); ok && (window.Width < 1 || window.Height < 1) {
			t.Errorf("%+v", window)
		}
		if env, ok := Environ(nil).With(payload); ok != (len(env) == 1) {
			t.Errorf("%q, %v", env, ok)
		}
	})
}

func variable(name, value string) []byte {
	return gossh.Marshal(struct{ Name, Value string }{name, value})
}

// The SSH library keeps every variable that a client sends, 390 MB in a second.
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
		{nil, true}, {Environ{"LANG=de_DE.utf8"}, true}, {Environ{"LANG=C.UTF-8"}, true}, {Environ{"LANG=C"}, false},
		{Environ{"LANG=en_GB.UTF-8", "LC_ALL=C"}, false},
		{Environ{"LANG=C", "LC_CTYPE=en_GB.UTF-8"}, true},
		{Environ{"LANG=en_US.ISO-8859-1"}, false},
	} {
		testkit.Equal(t, c.env.UTF8(), c.want, c.env)
	}
}
