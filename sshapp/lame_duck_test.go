package sshapp

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"notakto/match"
	"notakto/sshapp/admin"
	"notakto/sshapp/limit"
)

// turnedAway returns why a client cannot begin a session.
func (h *testServer) turnedAway(user string, key gossh.Signer) string {
	h.t.Helper()
	_, _, err := h.dial(user, key).OpenChannel("session", nil)
	if err == nil {
		h.t.Fatal("the session begins")
	}
	return err.Error()
}

// A server that lets its matches end sends home all players without one, lets no other in, and is over when the last
// one has gone. A player in a match may come back to it, and an administrator may always come in.
func TestALameDuckLetsMatchesEnd(t *testing.T) {
	besideOthers(t)
	h := startServer(t, withAdmins(t), func(o *options) { o.Settings.MaxSessions = 100 })
	h.LameDuck().leave = time.Second
	alice, bob := h.bot("alice", 1), h.bot("bob", 2)
	alice.says(`{"do":"seek"}`, "seeking")
	bob.types(`{"do":"seek"}`)
	id := alice.gets("match").Match
	idler := h.sit("ida", newKey(t, 3))
	idler.sees("Play someone")
	waiting := h.bot("walt", 4)
	waiting.says(`{"do":"seek","variant":"notakto/9"}`, "seeking")

	out, complaint, status := h.as(newKey(t, adminKey), "admin drain --within 1h --json")
	var state admin.DrainStatus
	if err := json.Unmarshal([]byte(out), &state); err != nil || status != 0 || !state.Draining || state.Until == nil ||
		state.Sessions != 5 {
		t.Fatalf("%d: %s%s: %v", status, out, complaint, err)
	}
	idler.sees("No new matches: the server stops once those in progress")
	if err := h.manager.Ready(); !errors.Is(err, match.ErrDraining) {
		t.Errorf("ready is %v", err)
	}
	if got := h.turnedAway("carol", newKey(t, 5)); !strings.Contains(got, limit.ErrServerDraining.Error()) {
		t.Errorf("another player reads %s", got)
	}
	if _, complaint, status := h.as(newKey(t, adminKey), "admin drain"); status != 1 ||
		!strings.Contains(complaint, "draining already") {
		t.Errorf("a second time: %d: %s", status, complaint)
	}
	for line, want := range map[string]int{"x": 2, "cancel now": 2, "--within -1s": 2, "status": 0} {
		if _, complaint, status := h.as(newKey(t, adminKey), "admin drain "+line); status != want {
			t.Errorf("%s: %d: %s", line, status, complaint)
		}
	}
	_ = idler.leaves()
	idler.restored()
	idler.sees("the server is about to stop")
	received := ""
	for line := range waiting.said {
		received += line
	}
	for _, want := range []string{"no new matches: the server is about to stop; you wait", `"cancelled"`,
		`"the server is about to stop; please come back later"`} {
		if !strings.Contains(received, want) {
			t.Errorf("who waited is told %s, without %s", received, want)
		}
	}
	// both are at their match still; alice comes back to it by another session, and a new match is refused
	again := h.bot("alice", 1)
	if kind, _ := alice.says(`{"do":"computer","level":"club"}`, "error draining"), id; kind.Code != "draining" {
		t.Errorf("another match: %+v", kind)
	}
	again.says(`{"do":"watch","match":"`+id+`"}`, "match")
	alice.says(`{"do":"resign","match":"`+id+`"}`, "end")
	for name, bot := range map[string]verbs{"alice": alice, "again": again, "bob": bob} {
		received := ""
		for line := range bot.said {
			received += line
		}
		if (name == "alice") == strings.Contains(received, `"event":"end"`) ||
			!strings.Contains(received, "the server is about to stop") {
			t.Errorf("%s is told %s", name, received)
		}
	}
	select {
	case <-h.LameDuck().Over():
	case <-time.After(testTimeout):
		t.Error("it is not over")
	}
	if err := h.LameDuck().Cancel(); !errors.Is(err, errNotDraining) {
		t.Errorf("cancelled when it is over: %v", err)
	}
	if book := h.log.String(); !strings.Contains(book, "event=lame-duck-begin within_ms=3600000") ||
		!strings.Contains(book, "event=lame-duck-end sessions=0") || !strings.Contains(book, "reason=shutdown") {
		t.Errorf("the log says\n%s", book)
	}
}

// What was announced can be taken back; and when the time is over, the sessions that are left do not matter.
func TestALameDuckIsCancelledOrEndsInTime(t *testing.T) {
	h := startServer(t, withAdmins(t))
	person := h.sit("ann", newKey(t, 1))
	person.sees("Play someone")
	if _, complaint, status := h.as(newKey(t, adminKey), "admin drain cancel"); status != 1 {
		t.Errorf("without one: %d: %s", status, complaint)
	}
	if _, complaint, status := h.as(newKey(t, moderatorKey), "admin drain"); status != 1 ||
		!strings.Contains(complaint, "for administrators") {
		t.Errorf("a moderator's: %d: %s", status, complaint)
	}
	h.as(newKey(t, adminKey), "admin drain")
	person.sees("No new matches: the server stops")
	out, complaint, status := h.as(newKey(t, adminKey), "admin drain cancel")
	if status != 0 || out != "The server is not draining; 2 sessions.\n" {
		t.Errorf("cancelled: %d: %s%s", status, out, complaint)
	}
	person.sees("The server goes on")
	h.bot("carol", 5).says(`{"do":"computer","level":"club","seat":1}`, "match")
	if err := h.LameDuck().Begin(10 * time.Millisecond); err != nil {
		t.Error(err)
	}
	<-h.LameDuck().Over()
	if n := h.admission.Sessions(); n != 2 {
		t.Errorf("%d sessions are left", n)
	}
}
