package main

import (
	"bufio"
	"encoding/json"
	"io"
	"net"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"
)

// The code of a guest's seat is the guest's only way to resume it, so it must not be in the log.
func TestTheLogHoldsNoCodes(t *testing.T) {
	s := start(t, nil, "--listen=127.0.0.1:0", "--log-level=debug", "--drain=1s")
	first := guest(t, s, "bot", false)
	first.say(t, `{"do":"computer","variant":"notakto/3","level":"random","seat":1}`+"\n")
	var match struct{ Code string }
	if err := json.Unmarshal([]byte(first.until(t, `"event":"match"`)), &match); err != nil || match.Code == "" {
		t.Fatalf("the guest has the code %q (%v)", match.Code, err)
	}
	code := match.Code
	first.leave(t, s)
	joined := guest(t, s, "join "+code, true)
	joined.until(t, "Your turn — Notakto")
	joined.leave(t, s)
	plain := guest(t, s, "plain", false)
	plain.say(t, "join "+strings.ToLower(code)+"\n")
	plain.until(t, "way back")
	plain.leave(t, s)
	lobby := guest(t, s, "", true)
	lobby.until(t, "Notakto")
	lobby.say(t, "3")
	lobby.until(t, "Private table — Notakto")
	lobby.say(t, "\x1b[B"+code+"\r")
	lobby.until(t, "Your turn — Notakto")
	lobby.leave(t, s)
	other := guest(t, s, "bot", false)
	other.say(t, `{"do":"`+code+`"}`+"\n"+`{"do":"join","code":"`+code+`"}`+"\n")
	other.until(t, `"event":"match"`)
	guest(t, s, "join "+code, true).until(t, "in use")
	for _, line := range []string{"jion " + code, "watch " + code, code, "join --code=" + code, "join '" + code} {
		if _, err := io.Copy(io.Discard, guest(t, s, line, false).out); err != nil {
			t.Error(err)
		}
	}
	s.signal(t, syscall.SIGTERM)
	s.stopped(t, 5*time.Second)
	log := s.said.String()
	if strings.Contains(strings.ToUpper(log), code) {
		t.Errorf("the log holds the code %s:\n%s", code, log)
	}
	if n := strings.Count(log, `"session began"`); n != 11 {
		t.Errorf("the log tells of %d sessions:\n%s", n, log)
	}
}

// visitor is a session of a player without a key.
type visitor struct {
	client *ssh.Client
	in     io.Writer
	out    *bufio.Reader
}

// leave returns when the server has ended the session, so that the seat is free.
func (v *visitor) leave(t *testing.T, s *server) {
	t.Helper()
	if err := v.client.Close(); err != nil {
		t.Error(err)
	}
	s.line(t, "session ended")
}

// guest begins a session by a command, or by none.
func guest(t *testing.T, s *server, command string, terminal bool) *visitor {
	t.Helper()
	accept := func(string, net.Addr, ssh.PublicKey) error { return nil }
	silent := ssh.KeyboardInteractive(func(string, string, []string, []bool) ([]string, error) { return nil, nil })
	config := &ssh.ClientConfig{User: "visitor", Auth: []ssh.AuthMethod{silent}, HostKeyCallback: accept}
	client, err := ssh.Dial("tcp", s.address, config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	session, err := client.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	if terminal {
		if err := session.RequestPty("xterm-256color", 24, 80, nil); err != nil {
			t.Fatal(err)
		}
	}
	in, err := session.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := session.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	begin := session.Shell
	if command != "" {
		begin = func() error { return session.Start(command) }
	}
	if err := begin(); err != nil {
		t.Fatal(err)
	}
	return &visitor{client: client, in: in, out: bufio.NewReader(out)}
}

func (v *visitor) say(t *testing.T, text string) {
	t.Helper()
	if _, err := io.WriteString(v.in, text); err != nil {
		t.Fatal(err)
	}
}

// until reads up to a text, and the rest of its line if the session has lines. It returns the last line.
func (v *visitor) until(t *testing.T, want string) (line string) {
	t.Helper()
	var read strings.Builder
	for !strings.HasSuffix(read.String(), want) {
		b, err := v.out.ReadByte()
		if err != nil {
			t.Fatalf("the session ends without %q: %v; it said %q", want, err, read.String())
		}
		read.WriteByte(b)
	}
	line = read.String()[strings.LastIndexByte(read.String(), '\n')+1:]
	if strings.HasPrefix(line, "{") {
		rest, err := v.out.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		line += rest
	}
	return line
}
