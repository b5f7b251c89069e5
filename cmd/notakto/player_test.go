package main

import (
	"crypto/ed25519"
	"io"
	"net"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"
)

// terminalPlayer is a person with a terminal, connected to the built program.
type terminalPlayer struct {
	client *ssh.Client
	shown  io.Reader
	link   *pausable
}

// join starts the game with its own key, and trusts only the host key whose fingerprint is in the log.
func join(t *testing.T, s *server) *terminalPlayer {
	t.Helper()
	return joinAt(t, s, "")
}

// joinAt is join with a command, or with none.
func joinAt(t *testing.T, s *server, command string) *terminalPlayer {
	t.Helper()
	_, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := ssh.NewSignerFromKey(key)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := net.Dial("tcp", s.address)
	if err != nil {
		t.Fatal(err)
	}
	p := &terminalPlayer{link: &pausable{Conn: conn}}
	transport, channels, requests, err := ssh.NewClientConn(p.link, s.address, &ssh.ClientConfig{
		User:    "tester",
		Auth:    []ssh.AuthMethod{ssh.PublicKeys(signer)},
		Timeout: 20 * time.Second,
		HostKeyCallback: func(_ string, _ net.Addr, key ssh.PublicKey) error {
			if got := ssh.FingerprintSHA256(key); got != s.fingerprint {
				t.Errorf("the server has key %s, its log says %s", got, s.fingerprint)
			}
			return nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	p.client = ssh.NewClient(transport, channels, requests)
	t.Cleanup(func() {
		_ = conn.Close()
		_ = p.client.Close()
	})
	p.open(t, command)
	return p
}

// open begins the game, by a command if there is one, and waits for the full screen.
func (p *terminalPlayer) open(t *testing.T, command string) {
	t.Helper()
	session, err := p.client.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	if err := session.RequestPty("xterm-256color", 24, 80, nil); err != nil {
		t.Fatal(err)
	}
	if p.shown, err = session.StdoutPipe(); err != nil {
		t.Fatal(err)
	}
	if _, err := session.StdinPipe(); err != nil { // an end of input would end the game
		t.Fatal(err)
	}
	begin := session.Shell
	if command != "" {
		begin = func() error { return session.Start(command) }
	}
	if err := begin(); err != nil {
		t.Fatal(err)
	}
	p.until(t, "h")
}

// until reads the screen up to the alternate screen's mode being set (h) or reset (l), perhaps together with others.
func (p *terminalPlayer) until(t *testing.T, final string) {
	t.Helper()
	want := regexp.MustCompile(`\x1b\[\?([0-9]+;)*1049(;[0-9]+)*` + final)
	var read strings.Builder
	for buffer := make([]byte, 4096); !want.MatchString(read.String()); {
		n, err := p.shown.Read(buffer)
		read.Write(buffer[:n])
		if err != nil {
			t.Fatalf("the screen ends without %v: %v; its last bytes are %q", want, err, read.String()[max(0, read.Len()-300):])
		}
	}
}

// pausable is a connection whose owner can stop reading, as a laptop does whose lid was closed.
type pausable struct {
	net.Conn
	reading sync.Mutex
}

func (p *pausable) Read(b []byte) (int, error) {
	n, err := p.Conn.Read(b)
	p.reading.Lock()
	defer p.reading.Unlock()
	return n, err
}
