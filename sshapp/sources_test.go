package sshapp

import (
	"fmt"
	"strings"
	"testing"

	"notakto/match"
	"notakto/match/limit"
	"notakto/rules"
	"notakto/sshapp/names"
)

func TestAddressesKnowWhoIsHere(t *testing.T) {
	h := startServer(t)
	here := func() string {
		return networkOf(h.sources, h.player(1, "").ID)
	}
	client := h.dial("alice", newKey(t, 1))
	first := newPerson(t, client, "xterm-256color", 80, 24)
	first.sees("Play someone")
	second := newPerson(t, client, "xterm-256color", 80, 24)
	second.sees("Play someone")
	_ = first.session.Close()
	eventually(t, "the first to go", func() bool { return h.inside() == 1 })
	if at := here(); at != "127.0.0.1/32" {
		t.Errorf("alice is at %q", at)
	}
	_ = client.Close()
	eventually(t, "the last to go", func() bool { return h.inside() == 0 })
	if at := here(); at != "" {
		t.Errorf("alice is still at %q", at)
	}
}

// A guest is a new player at every login, and could try twenty more codes each time. Now it is one, as a neighbour.
func TestLoggingInAnewGivesNoMoreWrongCodes(t *testing.T) {
	h := startServer(t)
	shown := ""
	for range 45 { // an address has forty
		client := h.dial("guest", nil)
		session, err := client.NewSession()
		if err != nil {
			t.Fatal(err)
		}
		session.Stdin = strings.NewReader(strings.Repeat(`{"do":"join","code":"CCCC"}`+"\n", 2))
		out, _ := session.Output("bot")
		shown = string(out)
		_ = client.Close()
	}
	if !strings.Contains(shown, "rate_limited") {
		t.Errorf("the 45th guest is told %s", shown)
	}
}

// A guest who took a player's name looked like that player.
func TestTwoOfOneNameAreDisambiguatedAtTheTable(t *testing.T) {
	h := startServer(t)
	alice, double := h.sit("alice", newKey(t, 1)), h.sit("aIice", newKey(t, 2))
	alice.seeks()
	double.seeks()
	marked := string(names.MarkSign)
	alice.sees("(you)", marked)
	double.sees("(you)", marked)
}

// A claimed name is shown for its account alone, whatever user name that logs in with. The log has plain names.
func TestAClaimedNameIsShown(t *testing.T) {
	h := startServer(t)
	if out, stderr, status := h.run("name alice"); status != 0 {
		t.Fatalf("%s%s", out, stderr)
	}
	first, second := h.bot("whatever", 1), h.bot("Alice", 2)
	first.says(`{"do":"seek"}`, "seeking")
	second.says(`{"do":"seek"}`, "seeking")
	id := second.gets("match").Match
	out, _, _ := h.run("matches --json")
	for _, want := range []string{`"name":"alice"`, `"name":"Alice#` + string(h.player(2, "").ID[:4]) + `"`} {
		if !strings.Contains(out, want) {
			t.Errorf("without %s: %s", want, out)
		}
	}
	state := <-h.dumpScreen(match.ID(id)).Snapshots()
	for _, side := range rules.Sides() {
		want := map[match.PlayerID]string{h.player(1, "").ID: "alice", h.player(2, "").ID: "Alice"}[state.Recorded(side).ID]
		if got := state.Recorded(side).Name; got != want {
			t.Errorf("recorded as %q, want %q", got, want)
		}
	}
}

// A player who came back to a guest's seat went on without an address, so that no limit of an address held.
func TestWhoGoesOnAsAGuestIsStillThere(t *testing.T) {
	h := startServer(t)
	come := func() (verbs, func()) {
		client := h.dial("guest", nil)
		v := verbs{newTalk(t, client, "bot")}
		v.gets("welcome")
		return v, func() { _ = client.Close() }
	}
	first, leave := come()
	first.types(`{"do":"computer","level":"random","variant":"notakto/9","seat":1}`)
	seat := first.gets("match")
	id := h.admission.Players()[0]
	leave()
	eventually(t, "the guest to go", func() bool { return networkOf(h.sources, id) == "" })
	second, leave := come()
	second.types(fmt.Sprintf(`{"do":"join","code":%q}`, seat.Code))
	second.gets("welcome")
	second.gets("match")
	if at := networkOf(h.sources, id); at != "127.0.0.1/32" {
		t.Errorf("who has come back is at %q", at)
	}
	if !h.sources.AnyOf(h.admission.Players()[0], h.manager.IsPlaying) {
		t.Error("who has come back to a match is not taken for a player of one")
	}
	for range 20 {
		second.types(`{"do":"join","code":"CCCC"}`)
		second.gets("error no_such_table")
	}
	second.types(`{"do":"join","code":"CCCC"}`)
	second.gets("error rate_limited")
	third, _ := come()
	for range 20 { // an address has forty
		third.types(`{"do":"join","code":"CCCC"}`)
		third.gets("error no_such_table")
	}
	third.types(`{"do":"join","code":"CCCC"}`)
	third.gets("error rate_limited")
	leave()
	eventually(t, "the second to go", func() bool { return h.inside() == 1 })
	if at := networkOf(h.sources, id); at != "" {
		t.Errorf("who has gone is at %q", at)
	}
}

// networkOf is the smallest network of a player, "" if that is not known.
func networkOf(a *limit.SourceTracker, p match.PlayerID) string {
	if all := a.Networks(p); len(all) > 0 {
		return all[0]
	}
	return ""
}
