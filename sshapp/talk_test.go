package sshapp

import (
	"bufio"
	"bytes"
	"io"
	"testing"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"notakto/internal/testkit"
)

// talk is a session without a terminal, line by line.
type talk struct {
	t testing.TB
	*gossh.Session
	in    io.Writer
	errs  bytes.Buffer // its standard error, to be read after Wait
	said  chan string  // every line, closed at the end
	ended error        // of rest
}

// manyLines is more than a session writes while its client does not read.
const manyLines = 256

func newTalk(t testing.TB, client *gossh.Client, command string) *talk {
	t.Helper()
	session, err := client.NewSession()
	testkit.OK(t, err)
	k := &talk{t: t, Session: session, said: make(chan string, manyLines)}
	session.Stderr = &k.errs
	k.in, err = session.StdinPipe()
	testkit.OK(t, err)
	out, err := session.StdoutPipe()
	testkit.OK(t, err)
	testkit.OK(t, session.Start(command))
	go func() {
		defer close(k.said)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			select {
			case k.said <- lines.Text():
			case <-t.Context().Done(): // the test has ended
			}
		}
	}()
	return k
}

func (t *talk) types(line string) {
	t.t.Helper()
	if _, err := io.WriteString(t.in, line+"\n"); err != nil {
		t.t.Fatalf("type %q: %v", line, err)
	}
}

// expects waits for the next line.
func (t *talk) expects() string {
	t.t.Helper()
	select {
	case line, open := <-t.said:
		if !open {
			t.t.Fatal("the session has ended")
		}
		return line
	case <-time.After(testTimeout):
		t.t.Fatal("waited in vain for another line")
		return ""
	}
}

// rest returns all lines until the end of the session, and then waits for the end.
func (t *talk) rest() (said string) {
	for line := range t.said {
		said += line + "\n"
	}
	t.ended = t.Wait()
	return said
}
