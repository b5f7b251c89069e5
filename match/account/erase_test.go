package account

import (
	"strings"
	"testing"
	"time"

	"notakto/match"
)

// follow returns the directory of a log a month later.
func follow(t *testing.T, entries ...[]byte) *Directory {
	t.Helper()
	began := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	d := newDirectory(func() time.Time { return began.Add(30 * 24 * time.Hour) })
	for i, body := range entries {
		e, err := Decode(body)
		if err != nil {
			t.Fatal(err)
		}
		e.Seq, e.At = uint64(i+1), began
		d.apply(e)
	}
	return d
}

func encoded(t *testing.T, events ...Event) (all [][]byte) {
	t.Helper()
	for _, e := range events {
		body, err := Encode(e)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, body)
	}
	return all
}

// The key of a deleted account may have another one. Without anything left of the first, it would fall back to that.
func TestAKeyKeepsItsAccountWhenThatBeforeIsErased(t *testing.T) {
	secret := Event{Kind: SecretMade, Secret: []byte("secret")}
	key := follow(t, encoded(t, secret)...).Key("SHA256:ann")
	first := match.PlayerID(key)
	entries := encoded(t, secret,
		Event{Kind: NameClaimed, Account: first, Key: key, Name: "annette", Looks: []string{"annette"}},
		Event{Kind: DeletionAsked, Account: first, Key: key, Instead: "iiiiiiiiiiiiiiii"},
		Event{Kind: NameClaimed, Account: "bbbbbbbbbbbbbbbb", Key: "bbbbbbbbbbbbbbbb", Name: "bob", Looks: []string{"bob"}},
	)
	d := follow(t, entries...)
	second := d.Account(key)
	if all := d.Deleted(); second == first || len(all) != 1 || all[0] != first {
		t.Fatalf("the key has %s, and before %s; deleted: %v", second, first, all)
	}
	erasure := d.Erase(first)
	if len(erasure) != 1 || erasure[first] == "" {
		t.Errorf("erases %v", erasure)
	}
	for _, used := range []bool{true, false} {
		var left [][]byte
		for _, body := range entries {
			body, _, err := erasure.Entry(d, body, func(id match.PlayerID) bool { return used && id == second })
			if err != nil {
				t.Fatal(err)
			}
			if text := string(body); strings.Contains(text, "annette") || !used && strings.Contains(text, string(first)) {
				t.Errorf("left is %s", text)
			}
			left = append(left, body)
		}
		after := follow(t, left...)
		if got := after.Account(key); used != (got == second) || after.ClaimedBy([]string{"annette"}) != "" ||
			after.ClaimedBy([]string{"bob"}) == "" {
			t.Errorf("the key has the account %s, and had %s", got, second)
		}
		if p := after.Shown(match.Player{ID: erasure[first]}); !used && p.ID != "iiiiiiiiiiiiiiii" {
			t.Errorf("the erased account is shown as %v", p)
		}
		if all := after.Deleted(); !used && len(all) > 0 {
			t.Errorf("accounts to erase: %v", all)
		}
	}
	if one := d.Trace(first); one == d.Trace(second) || strings.Contains(one, string(first)) {
		t.Errorf("its trace is %s", one)
	}
}
