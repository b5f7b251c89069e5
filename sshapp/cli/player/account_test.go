package player_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/account"
	"notakto/match/history"
	"notakto/match/journaltest"
	"notakto/match/progress"
	"notakto/rules"
	"notakto/sshapp/cli"
	"notakto/sshapp/cli/player"
)

// by returns s for a client that logs in with key.
func by(s *player.Server, key, login string) *player.Server {
	as := *s
	id := s.Accounts.Key("SHA256:" + key)
	as.Player = s.Accounts.Player(id, login)
	as.Caller = account.Caller{Account: as.Player.ID, Key: id}
	return &as
}

// says runs a command line on a server.
func says(s *player.Server, line string) answer {
	return ask(player.Env{Server: s}, "", strings.Fields(line)...)
}

func TestAccountsOnTheCommandLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := testServer(t)
		ann := by(s, "ann", "ann")
		id := string(ann.Player.ID)
		for _, test := range []struct {
			line, out, err string
			status         cli.ExitCode
		}{
			{"me", "You are ann. Your account is " + id +
				".\nThe name is that of your login. To claim it: ssh HOST name ann\nKey " + id +
				", which you use now\n", "", 0},
			{"name", "You are ann, the name of your login.\n", "", 0},
			{"name Ann Lee", "The name Ann Lee is yours from your next login on.\n", "", 0},
			{"name Ann Lee", "The name Ann Lee is yours.\n", "", 0},
			{"name Anna", "", "once in 30 days", 1},
			{"me undo", "", "not going to be deleted", 1},
			{"me delete", "", "to confirm, add your name", 1},
			{"me delete ann", "", "not the name of the account", 1},
			{"me nonsense", "", `there is no command "nonsense"`, 2},
			{"key", id + ", which you use now\n", "", 0},
			{"key list --json", `[{"id":"` + id + `","linked":null,"used":true}]` + "\n", "", 0},
			{"key remove " + id, "", "the only key", 1},
			{"key remove zzz", "", "no such key", 1},
			{"key remove", "", "the identifier of a key", 2},
			{"key link", "", "the code that key add prints", 2},
			{"key link CCCCCCCC", "", "this code is wrong, used or older", 1},
			{"key lnk CCCCCCCC", "", "did you mean link?", 2},
		} {
			says(ann, test.line).expect(t, test.line, test.status, test.out, test.err)
		}
		root := by(s, "root", "player-root")
		root.Renamed = true
		says(root, "name").expect(t, "name", 0, "You are player-root: your user name cannot be shown as it is.\n", "")
		says(root, "me").expect(t, "me", 0,
			"\nYour user name cannot be shown as it is. To claim a name: ssh HOST name NEW\n", "")
		ann = by(s, "ann", "other")
		says(ann, "name").expect(t, "name", 0, "You are Ann Lee. You have claimed this name.\n", "")
		says(by(s, "bob", "bob"), "name Ann Lee").expect(t, "name", 1, "", "another player has claimed")
		says(by(s, "bob", "Ann Lee"), "me").expect(t, "me", 0, "\nAnother player has claimed this name, ", "")
		says(by(s, "bob", "bob"), "name !").expect(t, "name", 1, "", "that name is not allowed")

		says(by(s, "cyd", "cyd"), "name cyd").expect(t, "name", 0, "The name cyd is yours.\n", "")

		code := regexp.MustCompile(`key link ([A-Z0-9]{8})\n`).FindStringSubmatch(says(ann, "key add").out)
		if code == nil {
			t.Fatal("no code")
		}
		says(by(s, "phone", "x"), "key link "+strings.ToLower(code[1])).expect(t, "key link", 0,
			"from your next login on", "")
		phone := by(s, "phone", "x")
		if phone.Player.ID != ann.Player.ID || phone.Player.Name != "Ann Lee" {
			t.Errorf("the phone is %+v", phone.Player)
		}
		says(phone, "me").expect(t, "me", 0, ", linked on ", "")
		says(phone, "me delete Ann Lee").expect(t, "me delete", 0, "will be deleted on ", "")
		says(ann, "me").expect(t, "me", 0, "To keep it: ssh HOST me undo\n", "")
		says(ann, "me undo").expect(t, "me undo", 0, "Your account is kept.\n", "")
	})
}

func TestExport(t *testing.T) {
	s := testServer(t)
	ann := by(s, "ann", "ann")
	says(ann, "name ann").expect(t, "name", 0, "ann", "")
	testkit.OK(t, s.Accounts.SetPreferences(t.Context(), ann.Caller, account.Preferences{Theme: "dark"}))
	id := play(t, ann, rules.TicTacToe())
	got := says(ann, "me export")
	got.expect(t, "me export", 0, `{"format":"notakto-account/1","id":"`+string(ann.Player.ID)+
		`","name":"ann","guest":false,"claimed":"`, "")
	var all struct {
		Keys        []struct{ ID string }
		Preferences account.Preferences
		Deleted     *time.Time
		Matches     []match.ID
		Events      []struct {
			At   time.Time
			Kind string
			Name string
		}
	}
	if err := json.Unmarshal([]byte(got.out), &all); err != nil || strings.Count(got.out, "\n") != 1 {
		t.Fatalf("%s: %v", got.out, err)
	}
	if len(all.Keys) != 1 || all.Preferences.Theme != "dark" || all.Deleted != nil || len(all.Matches) != 1 ||
		all.Matches[0] != id ||
		len(all.Events) != 2 || all.Events[0].Kind != "name" || all.Events[0].Name != "ann" ||
		time.Since(all.Events[0].At) > time.Minute {
		t.Errorf("exported: %s", got.out)
	}
	for range 10 {
		got = says(ann, "me export")
	}
	got.expect(t, "me export", 1, "", "too often")
}

func TestGuestsHaveNoAccount(t *testing.T) {
	s := testServer(t)
	s.Player = match.Player{ID: "guest:12ab", Name: "gail", Guest: true}
	s.History = testkit.Store(t).History()
	s.Caller = account.Caller{Account: s.Player.ID}
	says(s, "me").expect(t, "me", 0, "You are gail, a guest. ", "")
	for _, line := range []string{
		"me export", "me delete gail", "me delete", "me undo", "name gail", "key", "key list --json", "key add",
		"key link CCCCCCCC", "key remove x", "history", "profile --json",
	} {
		says(s, line).expect(t, line, 1, "", "a guest has no account: make a key")
	}
}

// A key that joins another account would lose its seats.
func TestAKeyWithMatchesIsNotLinked(t *testing.T) {
	s := testServer(t)
	bob := by(s, "bob", "bob")
	play(t, bob, rules.TicTacToe())
	says(bob, "key link CCCCCCCC").expect(t, "key link", 1, "", "matches in progress")
}

// On a terminal the command asks for the name. A wrong name deletes no account. The same goes for a line without an
// end, as after a lost connection.
func TestDeletingAsksForTheName(t *testing.T) {
	s := testServer(t)
	ann := by(s, "ann", "ann")
	for typed, status := range map[string]cli.ExitCode{"\r": 1, "yes\r": 1, "": 1, "ann": 1, "ann\r": 0} {
		got := ask(player.Env{Server: ann, Echo: true}, typed, "me", "delete")
		if got.status != status || !strings.Contains(got.out, "Type your name, ann,") {
			t.Errorf("%q: status %d, %s%s", typed, got.status, got.out, got.err)
		}
		testkit.Equal(t, !s.Accounts.Info(ann.Player.ID).DeletedAt.IsZero(), status == 0, typed)
		_ = s.Accounts.Undo(t.Context(), ann.Caller)
	}
}

func TestExportHasTheFinishedMatches(t *testing.T) {
	s := withHistory(t)
	s.Player.ID, _ = playersOf(t, s)
	s.Caller = account.Caller{Account: s.Player.ID, Key: "key"}
	got := ask(player.Env{Server: s}, "", "me", "export")
	if want := `"finished":[{"match":"` + finishedMatch + `",`; got.status != 0 || !strings.Contains(got.out, want) {
		t.Errorf("me export prints %+v, without %s", got, want)
	}
}

// Otherwise the export of a player with many matches takes much memory. The history is asked for the next page after
// the last one is written.
func TestAnExportIsWrittenPageByPage(t *testing.T) {
	const matches = 2*history.MaxPage + 50
	data, s := testkit.Store(t), testServer(t)
	s.History = data.History()
	for i := range matches {
		id := match.ID(fmt.Sprint("match", i))
		events := []match.Event{
			{Kind: match.Opened, Terms: match.Terms{Variant: rules.DefaultVariant()}, Origin: match.QueueOrigin},
			{Kind: match.Seated, Seat: rules.First, Player: s.Player},
			{Kind: match.Seated, Seat: rules.Second, Player: match.Player{ID: "ben", Name: "ben"}},
			{Kind: match.Moved, Seat: rules.First, Move: rules.Move{Cell: 5}},
			{Kind: match.Resigned, Seat: rules.First},
		}
		for k := range events {
			events[k].Match, events[k].Seq = id, uint64(k+1)
		}
		if _, err := data.Append(t.Context(), events...); err != nil {
			t.Fatal(err)
		}
	}
	var b bytes.Buffer
	testkit.OK(t, s.WriteExport(t.Context(), &b, account.Info{}, nil))
	var all struct{ Finished []struct{ Match match.ID } }
	if err := json.Unmarshal(b.Bytes(), &all); err != nil || len(all.Finished) != matches ||
		all.Finished[0].Match != match.ID(fmt.Sprint("match", matches-1)) || all.Finished[matches-1].Match != "match0" {
		t.Errorf("%d matches are exported, %v: %.200s", len(all.Finished), err, b.String())
	}
	b.Reset()
	err := s.WriteExport(t.Context(), writerFunc(func(p []byte) (int, error) {
		if bytes.Contains(p, []byte(`"plies":`)) {
			_ = data.Close() // later pages cannot be read
		}
		return b.Write(p)
	}), account.Info{}, nil)
	if n := strings.Count(b.String(), `"plies":`); n != history.MaxPage || err == nil {
		t.Errorf("%d matches are written before the second page is read, %v", n, err)
	}
}

type writerFunc func(p []byte) (int, error)

func (w writerFunc) Write(p []byte) (int, error) { return w(p) }

func TestExportHasTheProgress(t *testing.T) {
	s, data := testServer(t), testkit.Store(t)
	s.Progress, s.Caller = data.Progress(), account.Caller{Account: s.Player.ID, Key: "key"}
	at := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
	right := progress.Answer{Day: 150, Index: 1, Move: rules.Move{Cell: 5}, Right: true, At: at}
	_, err := s.Progress.Answer(t.Context(), s.Player, right)
	if err == nil {
		err = s.Progress.FinishRun(t.Context(), s.Player, progress.Run{Day: 150, Solved: 7, At: at})
	}
	if err == nil {
		err = s.Progress.CompleteStep(t.Context(), s.Player, 2, 3)
	}
	testkit.OK(t, err)
	got := ask(player.Env{Server: s}, "", "me", "export")
	want := `"progress":{"answers":[{"day":150,"puzzle":2,"move":"A5","right":true,"at":"2026-11-27T12:00:00Z"}],` +
		`"runs":[{"day":150,"solved":7,"at":"2026-11-27T12:00:00Z"}],"slips":[],"lessons":[0,3,0,0,0,0],` +
		`"visited":false}`
	if got.status != 0 || !strings.Contains(got.out, want) {
		t.Errorf("me export prints %+v, without %s", got, want)
	}
}

// An export has the rated pairs of the account, the newest first, and the resulting rating.
func TestExportHasTheRatings(t *testing.T) {
	s := rated(t)
	s.Caller = account.Caller{Account: s.Player.ID, Key: "key"}
	got := ask(player.Env{Server: s}, "", "me", "export")
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
	profile := ask(player.Env{Server: s}, "", "profile", "--json").out
	rated := all.Ratings[0]
	same := fmt.Sprintf(`"rating":{"value":%d,"deviation":%d,"provisional":%v}`,
		rated.Rating.Value, rated.Rating.Deviation, rated.Rating.Provisional)
	if !strings.Contains(profile, same) || rated.Bots ||
		len(rated.Results) != rated.Pairs.Won+rated.Pairs.Split+rated.Pairs.Lost {
		t.Errorf("the rating is %+v, and that of the profile %s", rated, profile)
	}
	sum, counts := 0, map[string]int{}
	for _, r := range rated.Results {
		sum += r.Change
		counts[r.Result]++
		if !r.Counts || r.Ended == nil || r.Opponent.ID != journaltest.SeasonPlayer(r.Opponent.Name).ID {
			t.Errorf("a pair is %+v", r)
		}
	}
	newest := rated.Results[0]
	if newest.Match != "ivy-bob-d-2" || newest.Opponent.Name != "bob" || newest.Rating != rated.Rating.Value ||
		newest.Deviation != rated.Rating.Deviation || sum != rated.Rating.Value-1500 ||
		counts["won"] != rated.Pairs.Won || counts["split"] != rated.Pairs.Split || counts["lost"] != rated.Pairs.Lost {
		t.Errorf("the newest is %+v, all changes are %d, and the results %v", newest, sum, counts)
	}
}
