//go:build linux

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"notakto/internal/testkit"
)

// The libraries apply NO_COLOR only to colors, and query the terminal for its background with an escape code.
func TestEscapeCodesOnATerminal(t *testing.T) {
	for _, line := range []string{
		"NO_COLOR=1 help", "NO_COLOR=yes bogus", "TERM=dumb help", "TERM= --data /proc/self --listen 127.0.0.1:0",
	} {
		words := strings.Fields(line)
		if text := onTerminal(t, words[:1], words[1:]...); strings.ContainsRune(text, '\x1b') || text == "" {
			t.Errorf("%s writes %q", line, text)
		}
	}
	testkit.Contains(t, onTerminal(t, nil, "help"), "\x1b[")
	if text := onTerminal(t, nil, "bogus"); strings.Count(text, "\n") != 1 || !strings.HasPrefix(text, "notakto: ") {
		t.Errorf("an error on a terminal is %q", text)
	}
}

// onTerminal runs the program with a new terminal as standard output and error, and returns the output.
func onTerminal(t *testing.T, env []string, args ...string) string {
	t.Helper()
	master, slave := terminal(t)
	cmd := program(t, env, args...)
	cmd.Stdout, cmd.Stderr = slave, slave
	testkit.OK(t, cmd.Start())
	testkit.OK(t, slave.Close())
	var shown bytes.Buffer
	// A read returns EIO when the program has ended.
	if _, err := shown.ReadFrom(master); err != nil && !errors.Is(err, syscall.EIO) {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	return strings.ReplaceAll(shown.String(), "\r\n", "\n")
}

func terminal(t *testing.T) (master, slave *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	testkit.OK(t, err)
	t.Cleanup(func() { _ = master.Close() })
	testkit.OK(t, unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0))
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	testkit.OK(t, err)
	slave, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	testkit.OK(t, err)
	return master, slave
}

func TestTheLogOnATerminal(t *testing.T) {
	for _, test := range []struct {
		term, noColor string
		color         bool
	}{{"xterm-256color", "", true}, {"xterm-256color", "yes", false}, {"dumb", "", false}, {"", "", false}} {
		t.Setenv("TERM", test.term)
		t.Setenv("NO_COLOR", test.noColor)
		master, slave := terminal(t)
		logger, _, flush := newLogger(slave, defaults().log)
		logger.Info("ready", "address", "here")
		flush()
		shown := make([]byte, 1000)
		n, err := master.Read(shown)
		testkit.OK(t, err)
		if text := string(shown[:n]); strings.Contains(text, "\x1b[") != test.color ||
			!strings.Contains(text, "ready") {
			t.Errorf("with TERM=%s and NO_COLOR=%s the log is %q", test.term, test.noColor, text)
		}
		testkit.OK(t, slave.Close())
	}
}
