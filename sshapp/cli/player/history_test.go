package player_test

import (
	"encoding/json"
	"strings"
	"testing"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/journaltest"
	"notakto/sshapp/cli"
	"notakto/sshapp/cli/player"
)

const finishedMatch = "c6zl3rq7s7"

// withHistory returns a server with a match that ann won because bob resigned.
func withHistory(t *testing.T) *player.Server {
	t.Helper()
	j := journaltest.Archive(t, testkit.Store(t), map[match.ID]string{finishedMatch: "notakto/3: A5 B5 C1"})
	s := serverOf(t, j)
	s.History, s.Player = j.History(), match.Player{ID: "bm3mpizj2awdvyki", Name: "ann"}
	return s
}

// playersOf returns the players of journaltest's archive.
func playersOf(t *testing.T, s *player.Server) (first, second match.PlayerID) {
	t.Helper()
	got := ask(player.Env{Server: s}, "", "show", finishedMatch, "--json")
	var record struct {
		Players [2]struct{ ID match.PlayerID }
	}
	if err := json.Unmarshal([]byte(got.out), &record); err != nil {
		t.Fatal(got, err)
	}
	return record.Players[0].ID, record.Players[1].ID
}

func TestHistory(t *testing.T) {
	s := withHistory(t)
	first, second := playersOf(t, s)
	at := func(words ...string) answer { return ask(player.Env{Server: s}, "", words...) }
	at("history").expect(t, "history", 0, "ann has not finished a match yet.", "")
	s.Player.ID = first
	at("history").expect(t, "history", 0, "won  3 boards  3 moves  resigned  against bob  "+finishedMatch, "")
	got := at("history", "--json", "--limit", "1")
	want := `[{"match":"` + finishedMatch + `","variant":"notakto/3","clock":"none","rated":false,"opponent":{"id":"` +
		string(second) +
		`","name":"bob"},"result":"won","reason":"resign","plies":3,"ended":"`
	if got.status != 0 || !strings.HasPrefix(got.out, want) || !strings.HasSuffix(got.out, "Z\"}]\n") {
		t.Errorf("history --json prints %+v, want %s", got, want)
	}
	at("history", "stranger").expect(t, "of a stranger", 1, "", "no account has this name")
	for _, limit := range []string{"0", "-1", "201"} {
		at("history", "--limit="+limit).expect(t, limit, 2, "", "whole number from 1 to 200")
	}
	s.History = nil
	at("history").expect(t, "without a history", 1, "", "keeps no history")
}

// A match of a private table is between its two players. Another player must not find it in their histories.
func TestAPrivateMatchIsListedForItsPlayersOnly(t *testing.T) {
	j := testkit.Store(t)
	s := serverOf(t, j)
	s.History = j.History()
	ann, bob := match.Player{ID: "annannannannanna", Name: "ann"}, match.Player{ID: "bobbobbobbobbobb", Name: "bob"}
	id, code, err := s.Manager.OpenPrivate(t.Context(), ann, match.DefaultTerms())
	testkit.OK(t, err)
	_, _, err = s.Manager.Join(t.Context(), bob, code)
	testkit.OK(t, err)
	seat, err := s.Manager.Sit(t.Context(), id, bob.ID)
	testkit.OK(t, err)
	testkit.OK(t, seat.Resign(t.Context()))
	for _, p := range []match.Player{ann, bob, {ID: "eveeveeveeveevee", Name: "eve"}} {
		s.Player = p
		for _, of := range []match.Player{ann, bob} {
			got := ask(player.Env{Server: s}, "", "history", string(of.ID))
			testkit.Equal(t, got.status, cli.ExitOK, got.err)
			isListed := strings.Contains(got.out, string(id))
			testkit.Equal(t, isListed, p == of, p.Name, "reads the history of", of.Name)
		}
	}
}

// The local program reads the history of a data directory.
func TestLocalHistory(t *testing.T) {
	dir := t.TempDir()
	locally("history", "ann", "--data", dir).expect(t, "of an empty directory", 1, "", "no database")
	s := testkit.OpenStore(t, dir)
	journaltest.Archive(t, s, map[match.ID]string{finishedMatch: "notakto/3: A5 B5 C1"})
	locally("history", "ann", "--data", dir).expect(t, "while a server has it open", 1, "", "stop it first")
	testkit.OK(t, s.Close())
	for _, name := range []string{"ann", "annannannannanna"} {
		locally("history", name, "--data", dir).expect(t, name, 0, "against bob", "")
		locally("profile", name, "--data", dir, "--json").expect(t, name, 0, `"matches":1,"won":1`, "")
	}
	locally("profile", "--data", dir).expect(t, "of no one", 1, "", "name of a player")
	locally("profile", "eve", "--data", dir).expect(t, "of a stranger", 1, "", "there is no finished match of a player")
}
