package sshapp

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"notakto/match/journaltest"
	"notakto/sshapp/limit"
)

// pair is two bots at a new match of theirs, who moves first before who moves second, and the match.
func (h *testServer) pair() (first, second verbs, id string) {
	h.t.Helper()
	alice, bob := h.bot("alice", 1), h.bot("bob", 2)
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

// A server that is about to stop begins nothing new, gives back who waits, and lets matches go on.
func TestBotsAreNotifiedOfADrain(t *testing.T) {
	h := startServer(t)
	first, second, id := h.pair()
	carol := h.bot("carol", 3)
	carol.says(`{"do":"seek"}`, "seeking")
	h.manager.Drain()
	carol.gets("cancelled")
	for _, request := range []string{
		`{"do":"create"}`, `{"do":"seek"}`, `{"do":"computer","level":"random"}`, `{"do":"seek","variant":"tictactoe"}`,
	} {
		carol.says(request, "error draining")
	}
	first.says(moveOf(id, "A5"), "move")
	second.gets("move")
	second.says(fmt.Sprintf(`{"do":"resign","match":%q}`, id), "end")
	first.gets("end")
	first.says(fmt.Sprintf(`{"do":"rematch","match":%q}`, id), "error draining")
}

// What bots say too fast waits, and is done.
func TestBotsThatSayTooMuch(t *testing.T) {
	const pace, lines = 8 << 10, 130
	h := startServer(t, func(o *options) { o.MaxInputRate = pace })
	alice, began := h.bot("alice", 1), time.Now()
	alice.types(strings.TrimSuffix(strings.Repeat(`{"do":"ping"}`+"\n", lines), "\n"))
	for range lines {
		alice.gets("pong")
	}
	const price = lines*linePrice - limit.BudgetBurst*pace
	if took := time.Since(began); took < price*time.Second/pace {
		t.Errorf("%d lines were done within %v", lines, took)
	}
}

// A bot that tries codes is stopped, and plays on.
func TestBotsThatGuessCodes(t *testing.T) {
	const free, slow = 20, 200 // wrong codes: at once, and if each takes the server seconds
	alice := startServer(t).bot("alice", 1)
	for tried := range slow {
		alice.types(fmt.Sprintf(`{"do":"join","code":"%04d"}`, tried))
		switch kind, e := alice.next(); {
		case kind == "error rate_limited" && tried >= free:
			alice.says(`{"do":"computer","level":"random","seat":1}`, "match")
			return
		case kind != "error no_such_table":
			t.Fatalf("wrong code %d is answered by %+v", tried, e)
		}
	}
	t.Errorf("%d codes could be tried", slow)
}

var errDisk = errors.New("the disk is full")

// What fails inside is no bot's business: it is told that it failed, the log why, and the match goes on from where it
// was.
func TestBotsGetInternalErrors(t *testing.T) {
	journal := journaltest.NewFaulty(0)
	h := startServer(t, func(o *options) { o.Journal = journal })
	first, second, id := h.pair()
	journal.Fail(errDisk)
	for range 2 {
		if e := first.says(moveOf(id, "A5"), "error internal"); strings.Contains(e.Message, errDisk.Error()) {
			t.Errorf("the bot is told %q", e.Message)
		}
	}
	second.says(fmt.Sprintf(`{"do":"resign","match":%q}`, id), "error internal")
	first.says(`{"do":"ping"}`, "pong")
	if state := first.says(fmt.Sprintf(`{"do":"state","match":%q}`, id), "match"); len(state.Moves) != 0 || state.Over {
		t.Errorf("the match stands at %+v", state)
	}
	journal.Fail(nil)
	for i, bot := range []verbs{first, second} {
		if e := bot.says(moveOf(id, []string{"A5", "A1"}[i]), "move"); e.Ply != i+1 {
			t.Errorf("the move is %+v", e)
		}
		if other := []verbs{second, first}[i].gets("move"); other.Ply != i+1 {
			t.Errorf("the other sees %+v", other)
		}
	}
	if log := h.log.String(); !strings.Contains(log, errDisk.Error()) ||
		!strings.Contains(log, string(h.player(1, "").ID)) {
		t.Errorf("the log is\n%s", log)
	}
}
