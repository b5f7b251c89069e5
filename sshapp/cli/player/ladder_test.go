package player_test

import (
	"encoding/json"
	"strings"
	"testing"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/journaltest"
	"notakto/sshapp/cli/player"
)

// rated returns a server with the rated pairs of a season.
func rated(t *testing.T) *player.Server {
	t.Helper()
	j := journaltest.Season(t, testkit.Store(t))
	s := serverOf(t, j)
	s.History, s.Player = j.History(), journaltest.SeasonPlayer("ivy")
	return s
}

func TestLadder(t *testing.T) {
	s := rated(t)
	at := func(words ...string) answer { return ask(player.Env{Server: s}, "", words...) }
	asJSON := at("ladder", "--json")
	var all []struct {
		Rank              int
		ID                match.PlayerID
		Name              string
		Rating, Deviation int
		Pairs             int
	}
	if err := json.Unmarshal([]byte(asJSON.out), &all); err != nil || len(all) != 10 {
		t.Fatalf("ladder --json prints %+v, %v", asJSON, err)
	}
	for i, p := range all {
		if want := journaltest.SeasonPlayer(journaltest.SeasonNames()[i]); p.ID != want.ID || p.Name != want.Name ||
			p.Rank != i+1 || p.Pairs != 36 || p.Rating < 1000 || p.Deviation > 75 {
			t.Errorf("line %d is %+v, want %s", i, p, want.Name)
		}
	}
	if want := `[{"rank":1,"id":"halhalhalhalhalh","name":"hal","rating":`; !strings.HasPrefix(asJSON.out, want) {
		t.Errorf("it begins with %s", asJSON.out)
	}
	got := at("ladder", "--limit", "3")
	if got.status != 0 || strings.Count(got.out, "\n") != 3 || !strings.Contains(got.out, "   2  ivy  ") {
		t.Errorf("ladder prints %+v", got)
	}
	at("ladder", "--bots").expect(t, "of programs", 0, "The ladder is empty.", "")
	at("ladder", "--limit=0").expect(t, "a limit", 2, "", "whole number from 1 to 200")
	at("profile").expect(t, "profile", 0, "2nd of 10. Rated pairs: ", "")
	at("profile", "--json").expect(t, "profile --json", 0,
		`"provisional":false},"rank":2,"players":10,"pairs":{"won":`, "")
	at("history", "--json", "--limit=1").expect(t, "history --json", 0, `"rated":true`, "")
	locally("ladder", "--data", t.TempDir()).expect(t, "of an empty directory", 1, "", "no database")
	s.History = nil
	at("ladder").expect(t, "without a history", 1, "", "keeps no history")
}
