package main

import (
	"fmt"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"notakto/internal/testkit"
	"notakto/match/store"
	"notakto/sshapp/cli"
)

// A server answers at its status address until the end. The metrics count what was played and name no player. Their
// number of series does not grow with the number of players.
func TestServeHasAStatus(t *testing.T) {
	t.Parallel()
	s := start(t, []string{"NOTAKTO_STATUS_LISTEN=127.0.0.1:0"}, "--listen=127.0.0.1:0", "--data", t.TempDir(),
		"--computer-pause=0s", "--status-pprof=true")
	get := func(path string) string {
		t.Helper()
		code, text := asks(t, http.MethodGet, "http://"+s.statusAddress+path)
		testkit.Equal(t, code, http.StatusOK, path, text)
		return text
	}
	began := time.Now()
	for range 10 {
		for range 40 {
			silent, err := net.Dial("tcp", s.statusAddress)
			testkit.OK(t, err)
			defer silent.Close()
		}
		testkit.Equal(t, get("/readyz"), "ok\n")
	}
	// 400 silent clients used to make a health check wait for 25 seconds.
	if took := time.Since(began); took > 10*statusHeaderRead {
		t.Errorf("ten answers took %v", took)
	}
	testkit.Equal(t, get("/readyz?verbose"), "[+]store ok\n[+]draining no\n")
	testkit.Contains(t, get("/version"), `{"version":"9.8.7",`, fmt.Sprintf(`"data":%d`, store.Schema))
	get("/debug/pprof/heap")
	refused(t, cli.ExitFailure, nil, []string{"--listen=127.0.0.1:0", "--data", t.TempDir(), "--status-listen",
		s.statusAddress}, "--status-listen")

	await := func(line string) (page string) {
		t.Helper()
		for begun := time.Now(); ; <-time.After(10 * time.Millisecond) {
			if page = get("/metrics"); strings.Contains(page, line) {
				return page
			}
			if time.Since(begun) > 20*time.Second {
				t.Fatalf("no %q in\n%s", line, page)
			}
		}
	}
	before := ""
	for number := range 5 {
		bot, match, _ := logIn(t, s, "robby", 1+number).playComputer(t)
		bot.say(t, `{"do":"move","match":"`+match+`","move":"A5"}`+"\n")
		bot.event(t, "move")
		bot.event(t, "move") // of the computer
		bot.say(t, `{"do":"resign","match":"`+match+`"}`+"\n")
		bot.event(t, "end")
		if number == 0 {
			before = await(`state="finished"`) // a state of matches has a series once a match is in it
		}
	}
	// A match ends for its player before it is counted.
	after := await(`notakto_matches_ended_total{opponent="computer",reason="resign",variant="notakto/2"} 5`)
	testkit.Contains(t, after,
		`notakto_matches_started_total{opponent="computer",origin="computer",variant="notakto/2"} 5`,
		`notakto_moves_total{by="bot"} 5`, `notakto_moves_total{by="computer"} 5`,
		`notakto_moves_total{by="person"} 0`, `notakto_ssh_logins_total{method="publickey"} 5`,
		`notakto_sessions_started_total{front_end="bot"} 5`, `notakto_build_info{goversion="go1`,
		"notakto_journal_writable 1", "notakto_ready 1", "notakto_panics_total 0")
	testkit.Equal(t, strings.Count(after, "\n"), strings.Count(before, "\n"), after)
	for _, secret := range []string{"SHA256", "127.0.0.1", "robby", "guest:"} {
		if strings.Contains(after, secret) {
			t.Errorf("it tells of %q", secret)
		}
	}
	s.signal(t, syscall.SIGTERM)
	s.stopped(t, 5*time.Second)
	testkit.Equal(t, strings.Contains(s.said(), "status-exposed"), false, s.said())
}
