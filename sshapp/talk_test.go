package sshapp

import (
	"bufio"
	"io"
	"testing"
	"time"

	gossh "golang.org/x/crypto/ssh"
)

// talk is a session without a terminal, line by line.
type talk struct {
	t    testing.TB
	in   io.Writer
	said chan string // every line, then it is closed
}

// manyLines is more than a session says while its client does not read.
const manyLines = 256

func newTalk(t testing.TB, client *gossh.Client, command string) *talk {
	t.Helper()
	session, err := client.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	k := &talk{t: t, said: make(chan string, manyLines)}
	if k.in, err = session.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := session.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := session.Start(command); err != nil {
		t.Fatal(err)
	}
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
