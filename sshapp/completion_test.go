package sshapp

import (
	"io"
	"os"
	"strings"
	"testing"

	"notakto/internal/testkit"
)

// A hidden command for shell completion once complained on the standard error of the process, and thus in the log.
func TestACommandForShellsWritesNothingToTheLog(t *testing.T) {
	h := startServer(t)
	received, theirs, err := os.Pipe()
	testkit.OK(t, err)
	before := os.Stderr
	os.Stderr = theirs
	defer func() { os.Stderr = before }()
	for _, command := range []string{
		"__complete 'x\x1b[2J\nINFO session began' y", "__complete play '--zz\x1b[31m\nforged' x",
		"__completeNoDesc play '--zz' x",
		"--zz __complete play '--zz' x", "help __complete '--zz' x",
	} {
		if _, shown, status := h.run(command); status != 2 || strings.Contains(shown, "\x1b") {
			t.Errorf("%q: %d, %q", command, status, shown)
		}
	}
	_ = theirs.Close()
	if got, _ := io.ReadAll(received); len(got) > 0 {
		t.Errorf("the server's standard error has %q", got)
	}
}
