package account

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
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

// The key of a deleted account may have a newer account. If the log kept no trace of the deleted one, the key would
// lead to it again.
func TestAKeyKeepsItsAccountWhenThatBeforeIsErased(t *testing.T) {
	secret := Event{Kind: SecretMade, Secret: []byte("secret")}
	key := follow(t, encoded(t, secret)...).Key("SHA256:ann")
	first := match.PlayerID(key)
	entries := encoded(t, secret,
		Event{Kind: NameClaimed, Account: first, Key: key, Name: "annette", Looks: []string{"annette"}},
		Event{Kind: DeletionRequested, Account: first, Key: key, ShownID: "iiiiiiiiiiiiiiii"},
		Event{Kind: NameClaimed, Account: "bbbbbbbbbbbbbbbb", Key: "bbbbbbbbbbbbbbbb", Name: "bob", Looks: []string{"bob"}},
	)
	d := follow(t, entries...)
	second := d.Account(key)
	if all := d.Deleted(); second == first || len(all) != 1 || all[0] != first {
		t.Fatalf("the key has %s, and before %s; deleted: %v", second, first, all)
	}
	erasure := d.NewErasure(first)
	if len(erasure) != 1 || erasure[first] == "" {
		t.Errorf("erases %v", erasure)
	}
	for _, used := range []bool{true, false} {
		var left [][]byte
		for _, body := range entries {
			body, _, err := erasure.EraseEntry(d, body, func(id match.PlayerID) bool { return used && id == second })
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
	if one := d.ErasureHash(first); one == d.ErasureHash(second) || strings.Contains(one, string(first)) {
		t.Errorf("its hash is %s", one)
	}
}

// erases checks which accounts the erasure of account has.
func (n node) erases(account match.PlayerID, want ...match.PlayerID) {
	n.t.Helper()
	erasure := n.NewErasure(account)
	for _, id := range want {
		if erasure[id] == "" {
			n.t.Errorf("the erasure lacks %s", id)
		}
	}
	if len(erasure) != len(want) {
		n.t.Errorf("erases %v, want %v", erasure, want)
	}
}

// An erased account takes along the accounts of its keys from before a link, unless they are in use.
func TestTheEarlierAccountsOfAKeyAreErasedToo(t *testing.T) {
	t.Run("all of them", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			n := newNode(t, new(Memory))
			first := n.caller("key")
			n.must(n.Claim(t.Context(), first, "first"))
			n.must(n.Delete(t.Context(), first, "first", "first"))
			pass(UndoPeriod)
			second := n.caller("key")
			n.link("ann", "key")
			ann := n.caller("ann").Account
			n.erases(ann, ann, first.Account, second.Account)
		})
	})
	t.Run("not one with another key", func(t *testing.T) {
		n := newNode(t, new(Memory))
		first := n.caller("key")
		n.link("key", "rest")
		n.must(n.RemoveKey(t.Context(), n.caller("rest"), first.Key))
		second := n.caller("key")
		n.link("ann", "key")
		ann := n.caller("ann").Account
		n.erases(ann, ann, second.Account)
	})
	t.Run("not one that a key returned to", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			n := newNode(t, new(Memory))
			n.link("ann", "key")
			ann := n.caller("ann")
			n.must(n.Delete(t.Context(), ann, "ann", "ann"))
			pass(UndoPeriod)
			n.must(n.Claim(t.Context(), n.caller("key"), "key"))
			n.erases(ann.Account, ann.Account)
		})
	})
}

// The first key of an account may have been removed from it, and have a newer account by then.
func TestARemovedKeyKeepsItsAccountWhenThatBeforeIsErased(t *testing.T) {
	for _, isDeleted := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			log := new(Memory)
			n := newNode(t, log)
			before := n.caller("key").Account
			n.link("key", "rest")
			n.must(n.RemoveKey(t.Context(), n.caller("rest"), n.caller("key").Key))
			newer := n.caller("key")
			n.must(n.Claim(t.Context(), newer, "newer"))
			if isDeleted {
				n.must(n.Delete(t.Context(), n.caller("rest"), "rest", "rest"))
				pass(UndoPeriod)
			}
			erasure, left := n.NewErasure(before), new(Memory)
			for _, body := range encoded(t, log.events...) {
				body, _, err := erasure.EraseEntry(n.Directory, body, func(match.PlayerID) bool { return false })
				n.must(err)
				e, err := Decode(body)
				n.must(err)
				e.Seq = uint64(len(left.events)) + 1
				_, err = left.Append(t.Context(), e)
				n.must(err)
			}
			after := newNode(t, left)
			if got := after.Account(newer.Key); got != newer.Account || newer.Account == before {
				t.Errorf("deleted %t: the key has the account %s, and had %s", isDeleted, got, newer.Account)
			}
			if got := after.caller("rest").Account; got == before {
				t.Error("the other key has the erased account")
			}
		})
	}
}

func TestErasedTextKeepsLongerNames(t *testing.T) {
	secret := Event{Kind: SecretMade, Secret: []byte("secret")}
	claim := func(id match.PlayerID, name string) Event {
		return Event{Kind: NameClaimed, Account: id, Key: KeyID(id), Name: name, Looks: []string{name}}
	}
	d := follow(t, encoded(t, secret, claim("bbbbbbbbbbbbbbbb", "Bob"), claim("cccccccccccccccc", "Tom & Co"))...)
	e := Erasure{"bbbbbbbbbbbbbbbb": "2222222222222222", "cccccccccccccccc": "3333333333333333"}
	for text, want := range map[string]string{
		"@bob":               "@player-2222",
		"@Bobby, @bob_2":     "@Bobby, @bob_2",
		"@Bobé @BOB, @Bob9":  "@Bobé @player-2222, @Bob9",
		"@Bob@bob. @Bob's":   "@player-2222@player-2222. @player-2222's",
		"@tom & co, Tom & C": "@player-3333, Tom & C",
	} {
		record, _ := json.Marshal(text)
		erased := ""
		if err := json.Unmarshal(e.EraseText(d, record), &erased); err != nil || erased != want {
			t.Errorf("%s becomes %s, want %s: %v", text, erased, want, err)
		}
	}
}
