package player_test

import (
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
	"notakto/match/journaltest"
	"notakto/rules"
	"notakto/sshapp/cli"
	"notakto/sshapp/cli/player"
)

// by is a server for who logs in with a key now.
func by(s *player.Server, key, login string) *player.Server {
	as := *s
	id := s.Accounts.Key("SHA256:" + key)
	as.Player = s.Accounts.Player(id, login)
	as.Caller = account.Caller{Account: as.Player.ID, Key: id}
	return &as
}

// says runs a command line at a server.
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
				".\nThe name is that of your login. To claim it: ssh HOST name ann\nKey " + id + ", which you use now\n", "", 0},
			{"name", "You are ann, the name of your login.\n", "", 0},
			{"name Ann Lee", "The name Ann Lee is yours from your next login on.\n", "", 0},
			{"name Ann Lee", "The name Ann Lee is yours.\n", "", 0},
			{"name Anna", "", "once in 30 days", 1},
			{"me undo", "", "not going to be deleted", 1},
			{"me delete", "", "type your name behind the command", 1},
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
		says(ann, "name").expect(t, "name", 0, "You are Ann Lee, a name that you have claimed.\n", "")
		says(by(s, "bob", "bob"), "name Ann Lee").expect(t, "name", 1, "", "another player has claimed")
		says(by(s, "bob", "Ann Lee"), "me").expect(t, "me", 0, "\nAnother player has claimed this name, ", "")
		says(by(s, "bob", "bob"), "name !").expect(t, "name", 1, "", "cannot be a name")

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

// What is stored is exported whole.
func TestExport(t *testing.T) {
	s := testServer(t)
	ann := by(s, "ann", "ann")
	says(ann, "name ann").expect(t, "name", 0, "ann", "")
	if err := s.Accounts.SetPreferences(t.Context(), ann.Caller, account.Preferences{Theme: "dark"}); err != nil {
		t.Fatal(err)
	}
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

// A key that is linked to another account would lose its seats.
func TestAKeyWithMatchesIsNotLinked(t *testing.T) {
	s := testServer(t)
	bob := by(s, "bob", "bob")
	play(t, bob, rules.TicTacToe())
	says(bob, "key link CCCCCCCC").expect(t, "key link", 1, "", "matches in progress")
}

// On a terminal the name is asked for, and a line that is not the name deletes nothing, nor one that has not ended: the
// connection of its player was lost, or the session was ended.
func TestDeletingAsksForTheName(t *testing.T) {
	s := testServer(t)
	ann := by(s, "ann", "ann")
	for typed, status := range map[string]cli.ExitCode{"\r": 1, "yes\r": 1, "": 1, "ann": 1, "ann\r": 0} {
		got := ask(player.Env{Server: ann, Echo: true}, typed, "me", "delete")
		if got.status != status || !strings.Contains(got.out, "Type your name, ann,") {
			t.Errorf("%q: status %d, %s%s", typed, got.status, got.out, got.err)
		}
		if deleted := !s.Accounts.Info(ann.Player.ID).DeletedAt.IsZero(); deleted != (status == 0) {
			t.Errorf("%q: to be deleted: %v", typed, deleted)
		}
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

// An export has each rated pair of the account, the newest first, and the rating that they come to.
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
