package main

import (
	"bufio"
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"

	"golang.org/x/crypto/ssh"

	"notakto/internal/botclient"
	"notakto/internal/testkit"
)

// visitor is a client that has logged in to the built program.
type visitor struct {
	*ssh.Client
	link *pausable
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

func newSigner(t *testing.T, number int) ssh.Signer {
	t.Helper()
	key, err := ssh.NewSignerFromKey(ed25519.NewKeyFromSeed(fmt.Appendf(nil, "%032d", number)))
	testkit.OK(t, err)
	return key
}

// logIn returns a client with the key of a number, 0 for a guest.
func logIn(t *testing.T, s *server, user string, number int) *visitor {
	t.Helper()
	var key ssh.Signer
	if number > 0 {
		key = newSigner(t, number)
	}
	conn, err := net.Dial("tcp", s.address)
	testkit.OK(t, err)
	v := &visitor{link: &pausable{Conn: conn}}
	v.Client, err = botclient.Login(t.Context(), v.link, user, key)
	testkit.OK(t, err)
	t.Cleanup(func() {
		_ = conn.Close()
		_ = v.Close()
	})
	return v
}

// says runs a command and returns its output.
func (v *visitor) says(t *testing.T, command string) string {
	t.Helper()
	return v.types(t, command, "")
}

// types runs a command, types lines, and returns the output.
func (v *visitor) types(t *testing.T, command, lines string) string {
	t.Helper()
	session, err := v.NewSession()
	testkit.OK(t, err)
	session.Stdin = strings.NewReader(lines)
	out, _ := session.CombinedOutput(command) // a failing command is fine here
	return string(out)
}

// session is a command that runs, or the game.
type session struct {
	*visitor
	in   io.Writer
	out  *bufio.Reader
	said strings.Builder // what it has printed so far
}

// open begins a command, the game for "", on a terminal or without one.
func (v *visitor) open(t *testing.T, command string, terminal bool) *session {
	t.Helper()
	term := ""
	if terminal {
		term = "xterm-256color"
	}
	channel, err := botclient.Start(v.Client, term, command)
	testkit.OK(t, err)
	return &session{visitor: v, in: channel, out: bufio.NewReader(channel)}
}

func (s *session) say(t *testing.T, text string) {
	t.Helper()
	_, err := io.WriteString(s.in, text)
	testkit.OK(t, err)
}

// until reads up to want.
func (s *session) until(t *testing.T, want string) {
	t.Helper()
	for begin := s.said.Len(); !strings.HasSuffix(s.said.String()[begin:], want); {
		b, err := s.out.ReadByte()
		if err != nil {
			t.Fatalf("the session ends without %q: %v; it said %q", want, err, s.said.String()[begin:])
		}
		s.said.WriteByte(b)
	}
}

// event reads up to the next event of a kind.
func (s *session) event(t *testing.T, kind string) (e struct {
	Code, Match string
	Seat        int
}) {
	t.Helper()
	const begin = `{"event":"`
	s.until(t, begin+kind+`"`)
	rest, err := s.out.ReadString('\n')
	testkit.OK(t, err)
	s.said.WriteString(rest)
	testkit.OK(t, json.Unmarshal([]byte(begin+kind+`"`+rest), &e))
	return e
}

// playComputer begins a match against the computer as a bot.
func (v *visitor) playComputer(t *testing.T) (bot *session, match, code string) {
	t.Helper()
	bot = v.open(t, "bot", false)
	bot.say(t, `{"do":"computer","variant":"notakto/2","level":"random","seat":1}`+"\n")
	begun := bot.event(t, "match")
	return bot, begun.Match, begun.Code
}

// resigns plays a match against the computer, resigns, and returns the match's ID.
func (v *visitor) resigns(t *testing.T) string {
	t.Helper()
	bot, match, _ := v.playComputer(t)
	bot.say(t, `{"do":"resign","match":"`+match+`"}`+"\n")
	bot.event(t, "end")
	return match
}

// join begins the game as a new player on a terminal, with a command unless it is empty, and waits for the full
// screen.
func join(t *testing.T, s *server, command string) *session {
	t.Helper()
	s.joined++
	p := logIn(t, s, "tester", 1000+s.joined).open(t, command, true)
	p.screen(t, 'h')
	return p
}

// screen reads until the mode of the alternate screen is set (h) or reset (l), perhaps along with others.
func (s *session) screen(t *testing.T, final byte) {
	t.Helper()
	for {
		s.until(t, "1049")
		modes, err := s.out.ReadString(final)
		testkit.OK(t, err)
		if strings.Trim(modes, "0123456789;") == string(final) {
			return
		}
	}
}
