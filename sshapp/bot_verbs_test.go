package sshapp

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// verbs is a bot that says lines and looks at what it is told.
type verbs struct{ *talk }

// next skips presence and notices, and takes the next event with its kind; of an error that is "error CODE".
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

// gets takes the next event, which has to be of a kind.
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

func (h *testServer) bot(name string, key byte) verbs {
	h.t.Helper()
	v := verbs{newTalk(h.t, h.dial(name, newKey(h.t, key)), "bot")}
	v.gets("welcome")
	return v
}

// Every verb of the bot protocol, and every error code that a bot brings about by itself, over SSH. The others are in
// bot_trouble_test.go.
func TestEveryVerbOfTheBotProtocol(t *testing.T) {
	h := startServer(t)
	alice, bob, carol := h.bot("alice", 1), h.bot("bob", 2), h.bot("carol", 3)
	for _, row := range [][2]string{
		{`{"do":"ping","n":7}`, "pong"},
		{`nonsense`, "error bad_json"},
		{strings.Repeat("x", 5000), "error line_too_long"},
		{`{"do":"dance"}`, "error unknown_do"},
		{`{"do":"seek","variant":"chess"}`, "error bad_variant"},
		{`{"do":"computer","level":"brilliant"}`, "error bad_level"},
		{`{"do":"seek","variant":"notakto/9"}`, "seeking"},
		{`{"do":"seek","variant":"notakto/9"}`, "error already_seeking"},
		{`{"do":"cancel"}`, "cancelled"},
		{`{"do":"join","code":"0000"}`, "error no_such_table"},
		{`{"do":"state","match":"zzz"}`, "error no_such_match"},
	} {
		alice.says(row[0], row[1])
	}
	code := alice.says(`{"do":"create","variant":"notakto/2"}`, "table").Code
	join := fmt.Sprintf(`{"do":"join","code":%q}`, code)
	alice.says(join, "error own_table")
	begun := bob.says(join, "match")
	carol.says(join, "error table_full")
	first, second := alice, bob
	if begun.Seat == 1 {
		first, second = bob, alice
	}
	alice.gets("match")
	playEveryRefusal(h, begun.Match, first, second, carol)
}

func playEveryRefusal(h *testServer, id string, first, second, carol verbs) {
	h.t.Helper()
	about := func(do, more string) string { return fmt.Sprintf(`{"do":%q,"match":%q%s}`, do, id, more) }
	move := func(m string) string { return about("move", fmt.Sprintf(`,"move":%q`, m)) }
	if seat := carol.says(about("watch", ""), "match").Seat; seat != 0 {
		h.t.Errorf("a spectator has seat %d", seat)
	}
	carol.says(move("A5"), "error not_seated")
	second.says(move("A5"), "error not_your_turn")
	first.says(move("five"), "error bad_move")
	first.says(move("Z5"), "error no_such_board")
	first.says(move("A0"), "error no_such_cell")
	for i, m := range []string{"A5", "A1", "A9"} {
		mover, other := first, second
		if i%2 == 1 {
			mover, other = second, first
		}
		mover.says(move(strings.ToLower(m)), "move")
		other.gets("move")
		carol.gets("move")
		if i == 0 {
			second.says(move("A5"), "error cell_taken")
		}
	}
	second.says(move("A2"), "error board_dead")
	second.says(about("state", ""), "match")
	second.says(about("resign", ""), "end")
	first.gets("end")
	carol.gets("end")
	first.says(move("B5"), "error match_over")
	first.types(about("rematch", ""))
	second.types(about("rematch", ""))
	if again := first.gets("match"); again.Seat != 2 || second.gets("match").Seat != 1 {
		h.t.Error("the seats are not swapped")
	} else {
		first.says(fmt.Sprintf(`{"do":"leave","match":%q}`, again.Match), "end")
	}
	for range 8 {
		carol.says(`{"do":"computer","variant":"notakto/1","level":"random","seat":1}`, "match")
	}
	carol.says(`{"do":"computer","level":"perfect"}`, "error too_many")
}
