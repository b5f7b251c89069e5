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
)

// The libraries applied NO_COLOR to colours only, and queried the terminal for its background with an escape code.
func TestEscapeCodesOnATerminal(t *testing.T) {
	for _, args := range [][]string{
		{"help"}, {"bogus"}, {"version"}, {"--data", "/proc/self", "--listen", "127.0.0.1:0"},
	} {
		for _, env := range []string{"NO_COLOR=1", "NO_COLOR=yes", "TERM=dumb", "TERM="} {
			if text := onTerminal(t, []string{env}, args...); strings.ContainsRune(text, '\x1b') || text == "" {
				t.Errorf("%s: notakto %q writes %q", env, args, text)
			}
		}
	}
	if text := onTerminal(t, nil, "help"); !strings.Contains(text, "\x1b[") {
		t.Errorf("help has no colour where it could: %q", text)
	}
	if text := onTerminal(t, nil, "bogus"); strings.Count(text, "\n") != 1 || !strings.HasPrefix(text, "notakto: ") {
		t.Errorf("an error on a terminal is %q", text)
	}
}

// onTerminal runs the program with standard output and error on a new terminal, and returns what the terminal was sent.
func onTerminal(t *testing.T, env []string, args ...string) string {
	t.Helper()
	master, slave := terminal(t)
	cmd := program(t, env, args...)
	cmd.Stdout, cmd.Stderr = slave, slave
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if err := slave.Close(); err != nil {
		t.Fatal(err)
	}
	var shown bytes.Buffer
	// EIO: the program, the last to hold it, has ended
	if _, err := shown.ReadFrom(master); err != nil && !errors.Is(err, syscall.EIO) {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	return strings.ReplaceAll(shown.String(), "\r\n", "\n")
}

func terminal(t *testing.T) (master, slave *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = master.Close() })
	if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	slave, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
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
		if err != nil {
			t.Fatal(err)
		}
		if text := string(shown[:n]); strings.Contains(text, "\x1b[") != test.color || !strings.Contains(text, "ready") {
			t.Errorf("with TERM=%s and NO_COLOR=%s the log is %q", test.term, test.noColor, text)
		}
		if err := slave.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
