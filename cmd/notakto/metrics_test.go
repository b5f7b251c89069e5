package main

import (
	"crypto/ed25519"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"notakto/internal/botclient"
	"notakto/internal/testkit"
	"notakto/sshapp/bot/botproto"
)

// botPlays has a bot with a new key play one move against the computer and resign.
func botPlays(t *testing.T, s *server) {
	t.Helper()
	_, key, err := ed25519.GenerateKey(nil)
	testkit.OK(t, err)
	signer, err := ssh.NewSignerFromKey(key)
	testkit.OK(t, err)
	conn, err := net.Dial("tcp", s.address)
	testkit.OK(t, err)
	client, err := botclient.Login(t.Context(), conn, "robby", signer)
	testkit.OK(t, err)
	bot, err := botclient.Open(client, nil)
	testkit.OK(t, err)
	defer bot.Close()
	send := func(r botproto.Request) {
		testkit.OK(t, bot.Send(r))
	}
	send(botproto.Request{Do: botproto.DoComputer, Variant: "notakto/2", Level: "random", Seat: 1})
	begun, err := botclient.Expect[botproto.Match](bot)
	testkit.OK(t, err)
	send(botproto.Request{Do: botproto.DoMove, Match: begun.Match, Move: "A5"})
	for range 2 { // the bot's move and the computer's
		if _, err := botclient.Expect[botproto.Move](bot); err != nil {
			t.Fatal(err)
		}
	}
	send(botproto.Request{Do: botproto.DoResign, Match: begun.Match})
	if _, err := botclient.Expect[botproto.End](bot); err != nil {
		t.Fatal(err)
	}
}

// The metrics count what was played and name no player. Their number of series does not grow with the number of
// players.
func TestMetricsOfAServer(t *testing.T) {
	t.Parallel()
	s := start(t, nil, "--listen=127.0.0.1:0", "--data", t.TempDir(), "--status-listen=127.0.0.1:0",
		"--computer-pause=0s",
		"--status-pprof=true", "--max-login-rate=1000")
	scrape := func() string {
		code, text := asks(t, http.MethodGet, "http://"+s.status+"/metrics")
		if code != http.StatusOK {
			t.Fatalf("%d: %s", code, text)
		}
		return text
	}
	botPlays(t, s)
	// A state of matches has a series once a match is in it.
	settled := func() bool { return strings.Contains(scrape(), `state="finished"`) }
	for begun := time.Now(); !settled(); {
		if time.Since(begun) > 20*time.Second {
			t.Fatal("the match does not end")
		}
	}
	before := scrape()
	for range 20 {
		botPlays(t, s)
	}
	after := scrape()
	testkit.Contains(t, after,
		`notakto_matches_ended_total{opponent="computer",reason="resign",variant="notakto/2"} 21`,
		`notakto_matches_started_total{opponent="computer",origin="computer",variant="notakto/2"} 21`,
		`notakto_moves_total{by="bot"} 21`, `notakto_moves_total{by="computer"} 21`,
		`notakto_moves_total{by="person"} 0`, `notakto_ssh_logins_total{method="publickey"} 21`,
		`notakto_sessions_started_total{front_end="bot"} 21`, `notakto_build_info{goversion="go1`,
		"notakto_journal_writable 1", "notakto_ready 1", "notakto_panics_total 0")
	if a, b := strings.Count(before, "\n"), strings.Count(after, "\n"); a != b {
		t.Errorf("%d lines became %d", a, b)
	}
	for _, secret := range []string{"SHA256", "127.0.0.1", "robby", "guest:"} {
		if strings.Contains(after, secret) {
			t.Errorf("it tells of %q", secret)
		}
	}
	if code, _ := asks(t, http.MethodGet, "http://"+s.status+"/debug/pprof/heap"); code != http.StatusOK {
		t.Errorf("a profile is answered by %d", code)
	}
	s.signal(t, syscall.SIGTERM)
	s.stopped(t, 5*time.Second)
}
