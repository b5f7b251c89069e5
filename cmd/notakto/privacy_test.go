package main

import (
	"bufio"
	"bytes"
	"crypto/ed25519"
	"encoding/json"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"notakto/internal/testkit"
)

// The code of a guest's seat is the only way to resume it. A code in the log would give the seat away.
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
	plain.until(t, "return code")
	plain.leave(t, s)
	lobby := guest(t, s, "", true)
	lobby.until(t, "Notakto")
	lobby.say(t, "3")
	lobby.until(t, "New challenge — Notakto")
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
	testkit.Equal(t, strings.Count(log, `"session began"`), 11, log)
}

// visitor is a session of a player without a key.
type visitor struct {
	client *ssh.Client
	in     io.Writer
	out    *bufio.Reader
}

// leave returns when the server has ended the session and the seat is free.
func (v *visitor) leave(t *testing.T, s *server) {
	t.Helper()
	testkit.OK(t, v.client.Close())
	s.line(t, "session ended")
}

func guest(t *testing.T, s *server, command string, terminal bool) *visitor {
	t.Helper()
	accept := func(string, net.Addr, ssh.PublicKey) error { return nil }
	silent := ssh.KeyboardInteractive(func(string, string, []string, []bool) ([]string, error) { return nil, nil })
	config := &ssh.ClientConfig{User: "visitor", Auth: []ssh.AuthMethod{silent}, HostKeyCallback: accept}
	client, err := ssh.Dial("tcp", s.address, config)
	testkit.OK(t, err)
	t.Cleanup(func() { _ = client.Close() })
	session, err := client.NewSession()
	testkit.OK(t, err)
	if terminal {
		testkit.OK(t, session.RequestPty("xterm-256color", 24, 80, nil))
	}
	in, err := session.StdinPipe()
	testkit.OK(t, err)
	out, err := session.StdoutPipe()
	testkit.OK(t, err)
	begin := session.Shell
	if command != "" {
		begin = func() error { return session.Start(command) }
	}
	testkit.OK(t, begin())
	return &visitor{client: client, in: in, out: bufio.NewReader(out)}
}

func (v *visitor) say(t *testing.T, text string) {
	t.Helper()
	if _, err := io.WriteString(v.in, text); err != nil {
		t.Fatal(err)
	}
}

// until reads up to want, and the rest of its line if the session has lines. The result is the last line.
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
		testkit.OK(t, err)
		line += rest
	}
	return line
}

// keyed is a player with a key of its own, without a terminal.
type keyed struct {
	client      *ssh.Client
	fingerprint string
}

func newKeyed(t *testing.T, s *server, user string, key ssh.Signer) keyed {
	t.Helper()
	client, err := ssh.Dial("tcp", s.address, &ssh.ClientConfig{
		User: user, Auth: []ssh.AuthMethod{ssh.PublicKeys(key)}, HostKeyCallback: ssh.InsecureIgnoreHostKey(),
		Timeout: 20 * time.Second,
	})
	testkit.OK(t, err)
	t.Cleanup(func() { _ = client.Close() })
	return keyed{client, ssh.FingerprintSHA256(key.PublicKey())}
}

func newSigner(t *testing.T, number byte) ssh.Signer {
	t.Helper()
	key, err := ssh.NewSignerFromKey(ed25519.NewKeyFromSeed(bytes.Repeat([]byte{number}, ed25519.SeedSize)))
	testkit.OK(t, err)
	return key
}

// says runs a command and returns its output.
func (k keyed) says(t *testing.T, command string) string {
	t.Helper()
	return k.types(t, command, "")
}

// types runs a command, types lines, and returns the output.
func (k keyed) types(t *testing.T, command, lines string) string {
	t.Helper()
	session, err := k.client.NewSession()
	testkit.OK(t, err)
	session.Stdin = strings.NewReader(lines)
	out, _ := session.CombinedOutput(command) // a failing command is fine here
	return string(out)
}

func (k keyed) bot(t *testing.T) (lines *bufio.Scanner, say io.Writer) {
	t.Helper()
	session, err := k.client.NewSession()
	testkit.OK(t, err)
	in, err := session.StdinPipe()
	testkit.OK(t, err)
	out, err := session.StdoutPipe()
	testkit.OK(t, err)
	testkit.OK(t, session.Start("bot"))
	return bufio.NewScanner(out), in
}

// People publish their public keys. With a fingerprint, a reader of the log could find out the player.
func TestNoFingerprintOfAPlayerLeavesTheServer(t *testing.T) {
	data := t.TempDir()
	args := []string{"--listen=127.0.0.1:0", "--data=" + data, "--log-level=info", "--drain=1s"}
	s := start(t, nil, args...)
	ann, bob := newKeyed(t, s, "ann", newSigner(t, 1)), newKeyed(t, s, "bob", newSigner(t, 2))
	var printed strings.Builder
	annReads, annSays := ann.bot(t)
	bobReads, bobSays := bob.bot(t)
	await := func(lines *bufio.Scanner, kind string) (event struct {
		Code, Match, Message string
		Seat                 int
	}) {
		t.Helper()
		for lines.Scan() {
			printed.WriteString(lines.Text() + "\n")
			if strings.HasPrefix(lines.Text(), `{"event":"`+kind+`"`) {
				testkit.OK(t, json.Unmarshal(lines.Bytes(), &event))
				return event
			}
		}
		t.Fatalf("no %s:\n%s", kind, printed.String())
		return event
	}
	say := func(to io.Writer, line string) {
		t.Helper()
		if _, err := io.WriteString(to, line+"\n"); err != nil {
			t.Fatal(err)
		}
	}
	say(annSays, `{"do":"create","variant":"notakto/1"}`)
	say(bobSays, `{"do":"join","code":"`+await(annReads, "table").Code+`"}`)
	begun := await(bobReads, "match")
	for _, command := range []string{"matches --json", "matches", "watch " + begun.Match} {
		printed.WriteString(ann.says(t, command))
	}
	first := map[int]io.Writer{1: bobSays, 2: annSays}[begun.Seat]
	say(first, `{"do":"move","match":"`+begun.Match+`","move":"A5"}`)
	await(bobReads, "move")
	say(bobSays, `{"do":"resign","match":"`+begun.Match+`"}`)
	await(annReads, "end")
	for range 2 {
		for _, command := range []string{
			"analyse --match " + begun.Match, "analyse --json --match " + begun.Match, "card " + begun.Match,
			"cast " + begun.Match, "plain",
			"show --json " + begun.Match, "history --json", "profile --json", "me --json", "me export",
		} {
			printed.WriteString(ann.says(t, command))
		}
		s.signal(t, syscall.SIGTERM)
		s.stopped(t, 5*time.Second)
		printed.WriteString(strings.ReplaceAll(s.said.String(), s.fingerprint, "")) // the log may have the host key's
		s = start(t, nil, args...)
		ann = newKeyed(t, s, "ann", newSigner(t, 1))
	}
	testkit.Contains(t, printed.String(), `"name":"ann"`, "bob")
	if strings.Contains(printed.String(), "SHA256:") {
		t.Errorf("a fingerprint was printed:\n%s", printed.String())
	}
	lacksFingerprints(t, "what was printed", printed.String(), ann, bob)
	err := filepath.WalkDir(data, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		lacksFingerprints(t, path, string(text), ann, bob)
		return err
	})
	testkit.OK(t, err)
}

func lacksFingerprints(t *testing.T, where, text string, players ...keyed) {
	t.Helper()
	for _, p := range players {
		if strings.Contains(text, strings.TrimPrefix(p.fingerprint, "SHA256:")) {
			t.Errorf("%s has the fingerprint %s", where, p.fingerprint)
		}
	}
}
