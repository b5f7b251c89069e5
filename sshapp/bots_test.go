package sshapp

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/journaltest"
	"notakto/rules"
)

// botEvent is any event of the protocol about a match.
type botEvent struct {
	Event   string
	Code    string
	Match   string
	Message string
	Seat    rules.Side
	Ply     int
	Move    string
	Turn    rules.Side
	Winner  rules.Side
	Reason  string
	State   string
	Players []struct{ Name string }
}

// pair returns two bots at a new match, the first mover first.
func (s *testServer) pair() (first, second verbs, id string) {
	s.t.Helper()
	alice, bob := s.bot("alice", 1), s.bot("bob", 2)
	code := alice.says(`{"do":"create","variant":"notakto/2"}`, "table").Code
	begun := bob.says(fmt.Sprintf(`{"do":"join","code":%q}`, code), "match")
	alice.gets("match")
	if begun.Seat == 1 {
		return bob, alice, begun.Match
	}
	return alice, bob, begun.Match
}

func moveOf(id, move string) string {
	return fmt.Sprintf(`{"do":"move","match":%q,"move":%q}`, id, move)
}

var errDisk = errors.New("the disk is full")

// A bot is told only that an error is internal. The log has the cause, but not each time, or it would fill the disk.
// The match goes on.
func TestBotsGetInternalErrors(t *testing.T) {
	journal := journaltest.NewFaulty(0)
	h := startServer(t, func(o *options) { o.Journal = journal })
	first, second, id := h.pair()
	journal.Fail(errDisk)
	e := first.says(moveOf(id, "A5"), "error internal")
	testkit.Equal(t, strings.Contains(e.Message, errDisk.Error()), false, e.Message)
	journal.Fail(fmt.Errorf("%w: %w", match.ErrUnavailable, errDisk))
	for range 200 {
		second.says(fmt.Sprintf(`{"do":"resign","match":%q}`, id), "error internal")
	}
	if lines := strings.Count(h.log.String(), "\n"); lines > 40 {
		t.Errorf("the log has %d lines", lines)
	}
	journal.Fail(nil)
	testkit.Equal(t, first.says(moveOf(id, "A5"), "move").Ply, 1)
	testkit.Contains(t, h.log.String(), errDisk.Error(), string(h.player(1, "").ID))
}

// verbs is a bot that sends lines and compares the events that it gets.
type verbs struct{ *talk }

// next skips presence and notices, and returns the next event with its kind. The kind of an error is "error CODE".
func (v verbs) next() (kind string, e botEvent) {
	v.t.Helper()
	for {
		line := v.expects()
		e = botEvent{}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			v.t.Fatalf("told %q: %v", line, err)
		}
		switch e.Event {
		case "presence", "notice":
		case "error":
			return "error " + e.Code, e
		default:
			return e.Event, e
		}
	}
}

// gets takes the next event and compares its kind.
func (v verbs) gets(kind string) botEvent {
	v.t.Helper()
	got, e := v.next()
	if got != kind {
		v.t.Fatalf("told %q of %+v, want %q", got, e, kind)
	}
	return e
}

func (v verbs) says(line, kind string) botEvent {
	v.t.Helper()
	v.types(line)
	return v.gets(kind)
}

func (s *testServer) bot(name string, key byte) verbs {
	s.t.Helper()
	v := verbs{newTalk(s.t, s.dial(name, newKey(s.t, key)), "bot")}
	v.gets("welcome")
	return v
}
