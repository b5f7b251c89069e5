package main

import (
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

// The code of a guest's seat is the only way to resume it. A code in the log would give the seat away. With
// --log-addresses the log has no address of a client either.
func TestTheLogHoldsNoCodes(t *testing.T) {
	s := start(t, nil, "--listen=127.0.0.1:0", "--log-level=debug", "--drain=1s", "--log-addresses=prefix")
	conn, err := net.Dial("tcp", s.address)
	testkit.OK(t, err)
	_, err = io.WriteString(conn, "GET / HTTP/1.0\r\n\r\n")
	testkit.OK(t, err)
	testkit.OK(t, conn.Close())
	guest := func(command string, terminal bool) *session {
		t.Helper()
		return logIn(t, s, "visitor", 0).open(t, command, terminal)
	}
	leave := func(p *session) { // waits until the server has ended the session and the seat is free
		t.Helper()
		testkit.OK(t, p.Close())
		s.line(t, "session ended")
	}
	first, _, code := logIn(t, s, "visitor", 0).playComputer(t)
	leave(first)
	joined := guest("join "+code, true)
	joined.until(t, "Your turn — Notakto")
	leave(joined)
	plain := guest("plain", false)
	plain.say(t, "join "+strings.ToLower(code)+"\n")
	plain.until(t, "return code")
	leave(plain)
	lobby := guest("", true)
	lobby.until(t, "Notakto")
	lobby.say(t, "3")
	lobby.until(t, "New challenge — Notakto")
	lobby.say(t, "\x1b[B"+code+"\r")
	lobby.until(t, "Your turn — Notakto")
	leave(lobby)
	other := guest("bot", false)
	other.say(t, `{"do":"`+code+`"}`+"\n"+`{"do":"join","code":"`+code+`"}`+"\n")
	other.event(t, "match")
	guest("join "+code, true).until(t, "in use")
	for _, line := range []string{"jion " + code, "watch " + code, code, "join --code=" + code, "join '" + code} {
		logIn(t, s, "visitor", 0).says(t, line)
	}
	s.signal(t, syscall.SIGTERM)
	s.stopped(t, 5*time.Second)
	log := s.said()
	if code == "" || strings.Contains(strings.ToUpper(log), code) {
		t.Errorf("the log holds the code %s:\n%s", code, log)
	}
	testkit.Equal(t, strings.Count(log, `"session began"`), 11, log)
	if strings.Count(log, "127.0.0.0/24") < 12 {
		t.Errorf("the log lacks the networks of the sessions:\n%s", log)
	}
	for line := range strings.Lines(log) {
		if strings.Contains(line, "127.0.0.1") && !strings.Contains(line, `"event":"ready"`) {
			t.Errorf("the log has an address: %s", line)
		}
	}
}

// People publish their public keys. With a fingerprint, a reader of the log could find out the player.
func TestNoFingerprintOfAPlayerLeavesTheServer(t *testing.T) {
	data := t.TempDir()
	args := []string{"--listen=127.0.0.1:0", "--data=" + data, "--log-level=info", "--drain=1s"}
	s := start(t, nil, args...)
	lacksFingerprints := func(where, text string) {
		t.Helper()
		for number := 1; number <= 2; number++ {
			fingerprint := ssh.FingerprintSHA256(newSigner(t, number).PublicKey())
			if strings.Contains(text, strings.TrimPrefix(fingerprint, "SHA256:")) {
				t.Errorf("%s has the fingerprint %s", where, fingerprint)
			}
		}
	}
	visitor := logIn(t, s, "ann", 1)
	ann, bob := visitor.open(t, "bot", false), logIn(t, s, "bob", 2).open(t, "bot", false)
	ann.say(t, `{"do":"create","variant":"notakto/1"}`+"\n")
	bob.say(t, `{"do":"join","code":"`+ann.event(t, "table").Code+`"}`+"\n")
	begun := bob.event(t, "match")
	var printed strings.Builder
	for _, command := range []string{"matches --json", "matches", "watch " + begun.Match} {
		printed.WriteString(visitor.says(t, command))
	}
	first := map[int]*session{1: bob, 2: ann}[begun.Seat]
	first.say(t, `{"do":"move","match":"`+begun.Match+`","move":"A5"}`+"\n")
	bob.event(t, "move")
	bob.say(t, `{"do":"resign","match":"`+begun.Match+`"}`+"\n")
	ann.event(t, "end")
	printed.WriteString(ann.said.String() + bob.said.String())
	for range 2 {
		for _, command := range []string{
			"analyse --match " + begun.Match, "analyse --json --match " + begun.Match, "card " + begun.Match,
			"cast " + begun.Match, "plain",
			"show --json " + begun.Match, "history --json", "profile --json", "me --json", "me export",
		} {
			printed.WriteString(visitor.says(t, command))
		}
		s.signal(t, syscall.SIGTERM)
		s.stopped(t, 5*time.Second)
		printed.WriteString(strings.ReplaceAll(s.said(), s.fingerprint, "")) // the log may have the host key's
		s = start(t, nil, args...)
		visitor = logIn(t, s, "ann", 1)
	}
	testkit.Contains(t, printed.String(), `"name":"ann"`, "bob")
	if strings.Contains(printed.String(), "SHA256:") {
		t.Errorf("a fingerprint was printed:\n%s", printed.String())
	}
	lacksFingerprints("what was printed", printed.String())
	err := filepath.WalkDir(data, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		lacksFingerprints(path, string(text))
		return err
	})
	testkit.OK(t, err)
}

// A player under a name that another player has claimed since appears with a mark, in the history as at the table.
func TestAClaimedNameIsNoOtherPlayersInTheHistory(t *testing.T) {
	s := start(t, nil, "--listen=127.0.0.1:0", "--linger=100ms", "--drain=1s")
	bob := logIn(t, s, "bob", 2)
	logIn(t, s, "ann", 1).says(t, "name ann")
	seeks, bot := logIn(t, s, "ann", 3).open(t, "bot", false), bob.open(t, "bot", false)
	for _, p := range []*session{seeks, bot} {
		p.say(t, `{"do":"seek","variant":"notakto/1"}`+"\n")
	}
	bot.say(t, `{"do":"resign","match":"`+bot.event(t, "match").Match+`"}`+"\n")
	bot.event(t, "end")
	testkit.Contains(t, bob.says(t, "history"), "against ann#")
}
