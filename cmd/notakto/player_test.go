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

	"notakto/internal/testkit"
)

// terminalPlayer is a player with a terminal, connected to the built program.
type terminalPlayer struct {
	client *ssh.Client
	shown  io.Reader
	link   *pausable
}

// join connects a player with a new key, and trusts only the host key whose fingerprint is in the log.
func join(t *testing.T, s *server) *terminalPlayer {
	t.Helper()
	return joinAt(t, s, "")
}

func joinAt(t *testing.T, s *server, command string) *terminalPlayer {
	t.Helper()
	_, key, err := ed25519.GenerateKey(nil)
	testkit.OK(t, err)
	signer, err := ssh.NewSignerFromKey(key)
	testkit.OK(t, err)
	conn, err := net.Dial("tcp", s.address)
	testkit.OK(t, err)
	p := &terminalPlayer{link: &pausable{Conn: conn}}
	transport, channels, requests, err := ssh.NewClientConn(p.link, s.address, &ssh.ClientConfig{
		User:    "tester",
		Auth:    []ssh.AuthMethod{ssh.PublicKeys(signer)},
		Timeout: 20 * time.Second,
		HostKeyCallback: func(_ string, _ net.Addr, key ssh.PublicKey) error {
			testkit.Equal(t, ssh.FingerprintSHA256(key), s.fingerprint)
			return nil
		},
	})
	testkit.OK(t, err)
	p.client = ssh.NewClient(transport, channels, requests)
	t.Cleanup(func() {
		_ = conn.Close()
		_ = p.client.Close()
	})
	p.open(t, command)
	return p
}

// open begins the game, with a command unless it is empty, and waits for the full screen.
func (p *terminalPlayer) open(t *testing.T, command string) {
	t.Helper()
	session, err := p.client.NewSession()
	testkit.OK(t, err)
	testkit.OK(t, session.RequestPty("xterm-256color", 24, 80, nil))
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
	testkit.OK(t, begin())
	p.until(t, "h")
}

// until reads the screen until it sets (h) or resets (l) the mode of the alternate screen, perhaps along with others.
func (p *terminalPlayer) until(t *testing.T, final string) {
	t.Helper()
	want := regexp.MustCompile(`\x1b\[\?([0-9]+;)*1049(;[0-9]+)*` + final)
	var read strings.Builder
	for buffer := make([]byte, 4096); !want.MatchString(read.String()); {
		n, err := p.shown.Read(buffer)
		read.Write(buffer[:n])
		if err != nil {
			t.Fatalf("the screen ends without %v: %v; its last bytes are %q", want, err,
				read.String()[max(0, read.Len()-300):])
		}
	}
}

// pausable is a connection that can stop reading, like that of a laptop with a closed lid.
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
