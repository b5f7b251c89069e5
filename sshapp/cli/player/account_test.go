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
	"notakto/match/store"
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

func TestAccountsOnTheCommandLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := testServer(t)
		ann, bob := by(s, "ann", "ann"), by(s, "bob", "bob")
		id := string(ann.Player.ID)
		for _, test := range []struct {
			line, out, err string
			status         cli.ExitCode
		}{
			{"me", "You are ann. Your account is " + id +
				".\nThe name is that of your login. To claim it: ssh host name ann\nKey " + id +
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
			says(ann, test.line).expect(t, test.status, test.out, test.err)
		}
		root := by(s, "root", "player-root")
		root.Renamed = true
		says(root, "name").prints(t, "You are player-root. Your user name cannot be your name here: "+
			"it is reserved, too long, or has characters that no name may have.\n")
		says(root, "me").prints(t, "\nYour user name cannot be your name here: it is reserved, ")
		ann = by(s, "ann", "other")
		says(ann, "name").prints(t, "You are Ann Lee. You have claimed this name.\n")
		says(bob, "name Ann Lee").fails(t, 1, "another player has claimed")
		says(by(s, "bob", "Ann Lee"), "me").prints(t, "\nAnother player has claimed this name, ")
		says(bob, "name !").fails(t, 1, "that name is not allowed")
		says(by(s, "cyd", "cyd"), "name cyd").prints(t, "The name cyd is yours.\n")

		code := regexp.MustCompile(`key link ([A-Z0-9]{8})\n`).FindStringSubmatch(says(ann, "key add").out)
		if code == nil {
			t.Fatal("no code")
		}
		play(t, bob, rules.TicTacToe()) // a key that joins another account would lose its seats
		says(bob, "key link "+code[1]).fails(t, 1, "matches in progress")
		says(by(s, "phone", "x"), "key link "+strings.ToLower(code[1])).prints(t, "from your next login on")
		phone := by(s, "phone", "x")
		if phone.Player.ID != ann.Player.ID || phone.Player.Name != "Ann Lee" {
			t.Errorf("the phone is %+v", phone.Player)
		}
		says(phone, "me").prints(t, ", linked on ")
		says(phone, "me delete Ann Lee").prints(t, "will be deleted on ")
		says(ann, "me").prints(t, "To keep it: ssh host me undo\n")
		says(ann, "me undo").prints(t, "Your account is kept.\n")
	})
}

func TestGuestsHaveNoAccount(t *testing.T) {
	s := testServer(t)
	s.Player = match.Player{ID: "guest:12ab", Name: "gail", Guest: true}
	s.History = testkit.Store(t).History()
	s.Caller = account.Caller{Account: s.Player.ID}
	says(s, "me").prints(t, "You are gail, a guest. ")
	for _, line := range []string{
		"me export", "me delete gail", "me delete", "me undo", "name gail", "key", "key list --json", "key add",
		"key link CCCCCCCC", "key remove x", "history", "profile --json", "moves", "move x a1", "results", "blocked",
	} {
		says(s, line).fails(t, 1, "a guest has no account: make a key")
	}
	for _, line := range []string{"challenge bob", "accept ann"} {
		says(s, line).fails(t, 1, "challenges need a key")
	}
	says(onScreen(s), "play --rated").fails(t, 1, "guests cannot")
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

// An export has all that is stored of an account.
func TestExport(t *testing.T) {
	data := testkit.Store(t)
	s := by(serverOf(t, data), "ann", "ann")
	s.History, s.Progress = data.History(), data.Progress()
	says(s, "name ann").prints(t, "ann")
	testkit.OK(t, s.Accounts.SetPreferences(t.Context(), s.Caller, account.Preferences{Theme: "dark"}))
	id := play(t, s, rules.TicTacToe())
	at := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
	right := progress.Answer{Day: 150, Index: 1, Move: rules.Move{Cell: 5}, Right: true, At: at}
	_, err := s.Progress.Answer(t.Context(), s.Player, right)
	testkit.OK(t, err)
	testkit.OK(t, s.Progress.FinishRun(t.Context(), s.Player, progress.Run{Day: 150, Solved: 7, At: at}))
	testkit.OK(t, s.Progress.CompleteStep(t.Context(), s.Player, 2, 3))
	for _, game := range journaltest.Pair(match.PeoplePool, "pair", "ann", "bob", true) {
		for i, e := range game.Events {
			if e.Player.Name == "ann" {
				game.Events[i].Player.ID = s.Player.ID
			}
		}
		_, err := data.Append(t.Context(), game.Events...)
		testkit.OK(t, err)
	}
	const want = `{"format":"notakto-account/1","id":"ANN","name":"ann","guest":false,"claimed":"TIME",` +
		`"keys":[{"id":"ANN","linked":null,"used":true}],"preferences":{"theme":"dark"},"deleted":null,` +
		`"matches":["MATCH","pair"],"events":[` +
		`{"at":"TIME","kind":"name","account":"ANN","key":"ANN","name":"ann","looks":["ann"]},` +
		`{"at":"TIME","kind":"preferences","account":"ANN","key":"ANN","preferences":{"theme":"dark"}}],` +
		`"ratings":[{"bots":false,"rating":{"value":1662,"deviation":290,"provisional":true},` +
		`"pairs":{"won":1,"split":0,"lost":0},"results":[` +
		`{"match":"pair-2","opponent":{"id":"bobbobbobbobbobb","name":"bob"},"result":"won","counts":true,` +
		`"change":162,"rating":1662,"deviation":290,"ended":"TIME"}]}],"finished":[` +
		`{"match":"pair-2","variant":"notakto/4","clock":"6+0","rated":true,"opponent":` +
		`{"id":"bobbobbobbobbobb","name":"bob"},"result":"won","reason":"resign","plies":1,"ended":"TIME"},` +
		`{"match":"pair","variant":"notakto/4","clock":"6+0","rated":true,"opponent":` +
		`{"id":"bobbobbobbobbobb","name":"bob"},"result":"won","reason":"resign","plies":1,"ended":"TIME"}],` +
		`"progress":{"answers":[{"day":150,"puzzle":2,"move":"A5","right":true,"at":"TIME"}],` +
		`"runs":[{"day":150,"solved":7,"at":"TIME"}],"slips":[],"lessons":[0,3,0,0,0,0],"visited":false}}` + "\n"
	got := says(s, "me export")
	text := regexp.MustCompile(`"20[^"]*Z"`).ReplaceAllString(got.out, `"TIME"`)
	testkit.Equal(t, strings.NewReplacer(string(s.Player.ID), "ANN", string(id), "MATCH").Replace(text), want)
	for range 10 {
		got = says(s, "me export")
	}
	got.fails(t, 1, "too often")
}

// Otherwise the export of a player with many matches takes much memory. The history is asked for the next page after
// the last one is written.
func TestAnExportIsWrittenPageByPage(t *testing.T) {
	const matches = 2*history.MaxPage + 50
	data, s := testkit.Store(t), testServer(t)
	s.History = data.History()
	for i := range matches {
		end := match.Event{Kind: match.Resigned, Seat: rules.First}
		finish(t, data, match.ID(fmt.Sprint("match", i)), s.Player, end)
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

// finish stores a match of p and ben with last events.
func finish(t *testing.T, data *store.Store, id match.ID, p match.Player, last ...match.Event) {
	t.Helper()
	events := append([]match.Event{
		{Kind: match.Opened, Terms: match.Terms{Variant: rules.DefaultVariant()}, Origin: match.QueueOrigin},
		{Kind: match.Seated, Seat: rules.First, Player: p},
		{Kind: match.Seated, Seat: rules.Second, Player: match.Player{ID: "ben", Name: "ben"}},
	}, last...)
	for i := range events {
		events[i].Match, events[i].Seq = id, uint64(i+1)
	}
	_, err := data.Append(t.Context(), events...)
	testkit.OK(t, err)
}

type writerFunc func(p []byte) (int, error)

func (w writerFunc) Write(p []byte) (int, error) { return w(p) }
