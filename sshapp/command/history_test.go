package command_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"notakto/match"
	"notakto/match/account"
	"notakto/match/history"
	"notakto/match/journaltest"
	"notakto/sshapp/command"
)

const finishedMatch = "c6zl3rq7s7"

// withHistory is a server with a match that ann has won against bob, who resigned.
func withHistory(t *testing.T, path string) *command.Server {
	t.Helper()
	j := journaltest.Archive(t, map[match.ID]string{finishedMatch: "notakto/3: A5 B5 C1"})
	h := serverOf(t, j)
	store, err := history.Start(history.Config{Path: path}, j)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	<-store.Current()
	h.History, h.Player = store, match.Player{ID: "bm3mpizj2awdvyki", Name: "ann"}
	return h
}

// The players of journaltest's archive.
func playersOf(t *testing.T, h *command.Server) (first, second match.PlayerID) {
	t.Helper()
	got := ask(command.Env{Server: h}, "", "show", finishedMatch, "--json")
	var record struct {
		Players [2]struct{ ID match.PlayerID }
	}
	if err := json.Unmarshal([]byte(got.out), &record); err != nil {
		t.Fatal(got, err)
	}
	return record.Players[0].ID, record.Players[1].ID
}

func TestHistory(t *testing.T) {
	h := withHistory(t, "")
	first, second := playersOf(t, h)
	at := func(words ...string) answer { return ask(command.Env{Server: h}, "", words...) }
	at("history").expect(t, "history", 0, "No match of ann's has been finished yet.", "")
	h.Player.ID = first
	at("history").expect(t, "history", 0, "won   3 boards       3 moves    resigned  against bob  "+finishedMatch, "")
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
	h.History = nil
	at("history").expect(t, "without a history", 1, "", "keeps no history")
}

func TestExportHasTheFinishedMatches(t *testing.T) {
	h := withHistory(t, "")
	h.Player.ID, _ = playersOf(t, h)
	h.Caller = account.Caller{Account: h.Player.ID, Key: "key"}
	got := ask(command.Env{Server: h}, "", "me", "export")
	if want := `"finished":[{"match":"` + finishedMatch + `",`; got.status != 0 || !strings.Contains(got.out, want) {
		t.Errorf("me export prints %+v, without %s", got, want)
	}
}

func TestProfile(t *testing.T) {
	h := withHistory(t, "")
	h.Player.ID, _ = playersOf(t, h)
	at := func(words ...string) answer { return ask(command.Env{Server: h}, "", words...) }
	at("profile").expect(t, "profile", 0, "1 match: 1 won.\nWinning positions kept: ", "")
	_, other := playersOf(t, h)
	at("profile", string(other)).expect(t, "of the opponent", 0, "You against ", "")
	got := at("profile", "--json")
	want := `{"id":"` + string(h.Player.ID) +
		`","name":"ann","rating":null,"rank":null,"players":0,"pairs":{"won":0,"split":0,"lost":0},` +
		`"matches":1,"won":1,"kept":`
	if got.status != 0 || !strings.HasPrefix(got.out, want) {
		t.Errorf("profile --json prints %+v, want %s", got, want)
	}
}

func TestShow(t *testing.T) {
	h := withHistory(t, "")
	at := func(words ...string) answer { return ask(command.Env{Server: h}, "", words...) }
	at("show", finishedMatch).expect(t, "show", 0, "  3  C1   ann", "")
	at("show", finishedMatch).expect(t, "show", 0, "ann beat bob on 3 boards. bob resigned.", "")
	at("show", finishedMatch, "--json").expect(t, "show --json", 0, `"variant":"notakto/3","clock":"none","players":[`, "")
	at("show", "nowhere").expect(t, "of no match", 1, "", "no match")
	at("show").expect(t, "without a match", 2, "", "takes the name of a match")
}

// The history of a data directory is read without a server, and while one has it open.
func TestLocalHistory(t *testing.T) {
	dir := t.TempDir()
	locally("history", "ann", "--data", dir).expect(t, "of an empty directory", 1, "", "there is no history")
	h := withHistory(t, filepath.Join(dir, history.FileName))
	first, _ := playersOf(t, h)
	for _, name := range []string{"ann", string(first)} {
		locally("history", name, "--data", dir).expect(t, name, 0, "against bob", "")
		locally("profile", name, "--data", dir, "--json").expect(t, name, 0, `"matches":1,"won":1`, "")
	}
	locally("profile", "--data", dir).expect(t, "of no one", 1, "", "name of a player")
	locally("profile", "eve", "--data", dir).expect(t, "of a stranger", 1, "", "no finished match has a player")
}

// rated is a server with the pairs of a season, whose history is at a path.
func rated(t *testing.T, path string) *command.Server {
	t.Helper()
	j := journaltest.Season(t)
	h := serverOf(t, j)
	store, err := history.Start(history.Config{Path: path}, j)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	<-store.Current()
	h.History, h.Player = store, journaltest.SeasonPlayer("ivy")
	return h
}

func TestLadder(t *testing.T) {
	dir := t.TempDir()
	h := rated(t, filepath.Join(dir, history.FileName))
	at := func(words ...string) answer { return ask(command.Env{Server: h}, "", words...) }
	for _, got := range []answer{at("ladder", "--json"), locally("ladder", "--json", "--data", dir)} {
		var all []struct {
			Rank              int
			ID                match.PlayerID
			Name              string
			Rating, Deviation int
			Pairs             int
		}
		if err := json.Unmarshal([]byte(got.out), &all); err != nil || len(all) != 10 {
			t.Fatalf("ladder --json prints %+v, %v", got, err)
		}
		for i, p := range all {
			if want := journaltest.SeasonPlayer(journaltest.SeasonNames()[i]); p.ID != want.ID || p.Name != want.Name ||
				p.Rank != i+1 || p.Pairs != 36 || p.Rating < 1000 || p.Deviation > 75 {
				t.Errorf("line %d is %+v, want %s", i, p, want.Name)
			}
		}
		if want := `[{"rank":1,"id":"halhalhalhalhalh","name":"hal","rating":`; !strings.HasPrefix(got.out, want) {
			t.Errorf("it begins with %s", got.out)
		}
	}
	got := at("ladder", "--limit", "3")
	if got.status != 0 || strings.Count(got.out, "\n") != 3 || !strings.Contains(got.out, "   2  ivy  ") {
		t.Errorf("ladder prints %+v", got)
	}
	at("ladder", "--bots").expect(t, "of programs", 0, "No player is on the ladder yet.", "")
	at("ladder", "--limit=0").expect(t, "a limit", 2, "", "whole number from 1 to 200")
	at("profile").expect(t, "profile", 0, "2nd of 10. Rated pairs: ", "")
	at("profile", "--json").expect(t, "profile --json", 0,
		`"provisional":false},"rank":2,"players":10,"pairs":{"won":`, "")
	at("history", "--json", "--limit=1").expect(t, "history --json", 0, `"rated":true`, "")
	locally("ladder", "--data", t.TempDir()).expect(t, "of an empty directory", 1, "", "there is no history")
	h.History = nil
	at("ladder").expect(t, "without a history", 1, "", "keeps no history")
}

// An export has each rated pair of the account, the newest first, and the rating that they come to.
func TestExportHasTheRatings(t *testing.T) {
	h := rated(t, "")
	h.Caller = account.Caller{Account: h.Player.ID, Key: "key"}
	got := ask(command.Env{Server: h}, "", "me", "export")
	var all struct {
		Ratings []struct {
			Bots   bool
			Rating struct {
				Value, Deviation int
				Provisional      bool
			}
			Pairs   struct{ Won, Split, Lost int }
			Results []struct {
				Match    match.ID
				Opponent struct {
					ID   match.PlayerID
					Name string
				}
				Result                    string
				Counts                    bool
				Change, Rating, Deviation int
				Ended                     *time.Time
			}
		}
	}
	if err := json.Unmarshal([]byte(got.out), &all); err != nil || len(all.Ratings) != 1 {
		t.Fatalf("me export prints %+v, %v", got, err)
	}
	profile := ask(command.Env{Server: h}, "", "profile", "--json").out
	of := all.Ratings[0]
	same := fmt.Sprintf(`"rating":{"value":%d,"deviation":%d,"provisional":%v}`,
		of.Rating.Value, of.Rating.Deviation, of.Rating.Provisional)
	if !strings.Contains(profile, same) || of.Bots || len(of.Results) != of.Pairs.Won+of.Pairs.Split+of.Pairs.Lost {
		t.Errorf("the rating is %+v, and that of the profile %s", of, profile)
	}
	sum, counts := 0, map[string]int{}
	for _, r := range of.Results {
		sum += r.Change
		counts[r.Result]++
		if !r.Counts || r.Ended == nil || r.Opponent.ID != journaltest.SeasonPlayer(r.Opponent.Name).ID {
			t.Errorf("a pair is %+v", r)
		}
	}
	newest := of.Results[0]
	if newest.Match != "ivy-bob-d-2" || newest.Opponent.Name != "bob" || newest.Rating != of.Rating.Value ||
		newest.Deviation != of.Rating.Deviation || sum != of.Rating.Value-1500 ||
		counts["won"] != of.Pairs.Won || counts["split"] != of.Pairs.Split || counts["lost"] != of.Pairs.Lost {
		t.Errorf("the newest is %+v, all changes are %d, and the results %v", newest, sum, counts)
	}
}
