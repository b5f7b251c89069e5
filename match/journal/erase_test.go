package journal

import (
	"bytes"
	"context"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"notakto/match"
	"notakto/match/account"
	"notakto/match/journal/natsd"
	"notakto/rules"
)

// playAs is as play, with accounts as the players.
func playAs(ctx context.Context, t *testing.T, s *Store, id match.ID, ends bool, players ...match.Player) {
	t.Helper()
	for _, e := range shortMatch(id, ends) {
		if e.Kind == match.Seated {
			e.Player = players[e.Seat-rules.First]
		}
		if _, err := s.Append(ctx, e); err != nil {
			t.Fatal(err)
		}
	}
	if ends {
		if err := s.Archive(ctx, id); err != nil {
			t.Fatal(err)
		}
	}
}

// filesWith returns the files of a directory in which one of some texts stands.
func filesWith(t *testing.T, dir string, texts ...string) (found []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		for _, text := range texts {
			if bytes.Contains(content, []byte(text)) {
				found = append(found, path+" has "+text)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// What a player decided, and the name, stayed in the streams for good, whose messages cannot be deleted.
func TestErasedAccountsAreNowhere(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cfg := natsd.Config{Dir: dir, Sync: natsd.Interval}
	s := open(t, cfg)
	accounts := accountsOf(s)
	ann, other, bob := callerOf(s, annsKey), callerOf(s, "SHA256:another"), callerOf(s, "SHA256:bob")
	for caller, name := range map[account.Caller]string{ann: "annette", bob: "bobby"} {
		if err := accounts.Claim(t.Context(), caller, name); err != nil {
			t.Fatal(err)
		}
	}
	bobby := match.Player{ID: bob.Account, Name: "bobby"}
	playAs(t.Context(), t, s, "finished", true, match.Player{ID: ann.Account, Name: "annette"}, bobby)
	playAs(t.Context(), t, s, "linked", true, match.Player{ID: other.Account, Name: "annie"}, bobby)
	playAs(t.Context(), t, s, "live", false, bobby, match.Player{ID: ann.Account, Name: "annette"})
	playAs(t.Context(), t, s, "theirs", true, bobby, match.Player{ID: "m4bqgyhmfwwal2qg", Name: "carol"})
	playAs(t.Context(), t, s, "old", true, match.Player{ID: annsKey, Name: "annette"}, bobby)
	code, err := accounts.MakeCode(t.Context(), ann)
	if err == nil {
		err = accounts.Link(t.Context(), other, code)
	}
	if err != nil {
		t.Fatal(err)
	}
	ban(t, s, account.Subject{Account: ann.Account}, "spam of @Annette")
	ban(t, s, account.Subject{Key: other.Key}, "spam")
	ban(t, s, account.Subject{Account: bob.Account}, "spam of bobby")
	keep(t, s, "ban add", `{"actor":"`+string(ann.Account)+`","object":"account `+string(other.Account)+`"}`)
	keep(t, s, "kick", `{"actor":"`+string(bob.Account)+`","object":"@annette"}`)
	before := map[match.ID][]match.Event{"finished": nil, "linked": nil, "live": nil, "theirs": nil, "old": nil}
	for id := range before {
		if before[id], err = s.Load(t.Context(), id, 0); err != nil {
			t.Fatal(err)
		}
	}
	choose := func(d *account.Directory, _ map[match.PlayerID]bool) (account.Erasure, error) {
		return d.Erase(ann.Account), nil
	}
	var older bytes.Buffer
	if _, err := Backup(t.Context(), s, &older, "1.2.3", nil); err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	if _, err := Erase(t.Context(), dir, choose, log); err == nil || !strings.Contains(err.Error(), "runs") {
		t.Errorf("while the server runs: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	erased, err := Erase(t.Context(), dir, choose, log)
	if err != nil || len(erased) != 2 {
		t.Fatalf("erased %v, %v", erased, err)
	}
	traces := []string{annsKey, string(ann.Account), string(other.Account), "annette", "annie", "Annette"}
	if found := filesWith(t, dir, traces...); len(found) > 0 {
		t.Error(strings.Join(found, "\n"))
	}
	if again, err := Erase(t.Context(), dir, choose, log); err != nil || len(again) > 0 {
		t.Errorf("erased again %v, %v", again, err)
	}

	s = open(t, cfg)
	accounts = accountsOf(s)
	for id, events := range before {
		for i, e := range events {
			if instead, ok := erased[e.Player.ID]; ok {
				events[i].Player = accounts.Shown(match.Player{ID: instead})
			}
		}
		got, err := s.Load(t.Context(), id, 0)
		for i := range got {
			got[i].Player = accounts.Shown(got[i].Player)
		}
		if err != nil || !reflect.DeepEqual(got, events) {
			t.Errorf("%s is %v, %v\nwant %v", id, got, err, events)
		}
	}
	if p, err := accounts.Find("bobby"); err != nil || p.ID != bob.Account {
		t.Errorf("bob is found as %v, %v", p, err)
	}
	if err := accounts.Claim(t.Context(), bob, "annette"); err == nil {
		t.Error("bob has two names within a month")
	}
	if bans := accounts.Bans(); len(bans) != 3 || bans[0].Account != erased[ann.Account] ||
		bans[2].Account != bob.Account {
		t.Errorf("the bans are %+v", bans)
	}
	actor := `{"actor":"` + string(erased[ann.Account]) + `","object":"account ` + string(erased[other.Account]) + `"} `
	if got := kept(t, s, time.Time{}, 9); !strings.HasPrefix(got, actor+`{"actor":"`+string(bob.Account)+`","object":"@`) {
		t.Errorf("the audit has %s", got)
	}
	if owner := accounts.Owner("annette"); owner != "" {
		t.Errorf("the name is still that of %s", owner)
	}
	for _, instead := range erased {
		if p := accounts.Shown(match.Player{ID: instead, Name: "x"}); p.ID == instead || p.Name != account.GivenName(p.ID) {
			t.Errorf("an erased account is shown as %v", p)
		}
	}
	if _, err := s.Append(t.Context(), shortMatch("live", true)[4]); err != nil {
		t.Error(err)
	}
	var b bytes.Buffer
	if _, err := Backup(t.Context(), s, &b, "1.2.3", nil); err != nil {
		t.Fatal(err)
	}
	for name, backup := range map[string]*bytes.Buffer{"afterwards": &b, "before": &older} {
		restored := t.TempDir()
		notes, err := os.ReadFile(filepath.Join(dir, erasedFile))
		if err == nil && name == "before" {
			err = os.WriteFile(filepath.Join(restored, erasedFile), notes, 0o600)
		}
		if err == nil {
			_, err = Restore(t.Context(), bytes.NewReader(backup.Bytes()), restored, log)
		}
		if err != nil {
			t.Fatal(err)
		}
		if found := filesWith(t, restored, traces...); len(found) > 0 {
			t.Errorf("from a backup taken %s: %s", name, strings.Join(found, "\n"))
		}
		again, err := open(t, natsd.Config{Dir: restored}).Load(t.Context(), "finished", 0)
		if err != nil || again[1].Player != accounts.Shown(match.Player{ID: erased[ann.Account]}) {
			t.Errorf("from a backup taken %s: %v, %v", name, again, err)
		}
	}
}
