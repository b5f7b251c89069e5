package account

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"notakto/match"
)

// without returns a node with the log of n after the erasure of account, and the account in its place. used is an
// account with data in the store, or "".
func (n node) without(log *Memory, account, used match.PlayerID) (after node, instead match.PlayerID) {
	n.t.Helper()
	erasure, left := n.NewErasure(account), new(Memory)
	for i, e := range log.events {
		body, err := Encode(e)
		n.must(err)
		body, _, err = erasure.EraseEntry(n.Directory, body, func(id match.PlayerID) bool { return id == used })
		n.must(err)
		erased, err := Decode(body)
		n.must(err)
		erased.Seq, erased.At = uint64(i)+1, e.At
		left.events = append(left.events, erased)
	}
	return newNode(n.t, left), erasure[account]
}

// The key of a deleted account may have a newer account. If the log kept no trace of the deleted one, the key would
// lead to it again.
func TestAKeyKeepsItsAccountWhenThatBeforeIsErased(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := new(Memory)
		n := newNode(t, log)
		first := n.caller("ann")
		n.must(n.Claim(t.Context(), first, "annette"))
		n.must(n.Claim(t.Context(), n.caller("bob"), "bob"))
		n.must(n.Delete(t.Context(), first, "annette", "annette"))
		pass(UndoPeriod)
		shown := n.Shown(match.Player{ID: first.Account})
		second := n.caller("ann").Account
		if all := n.Deleted(); second == first.Account || len(all) != 1 || all[0] != first.Account {
			t.Fatalf("the key has %s, and before %s; deleted: %v", second, first.Account, all)
		}
		for _, used := range []match.PlayerID{second, ""} {
			after, instead := n.without(log, first.Account, used)
			got, left := after.Account(first.Key), fmt.Sprint(after.config.Log.(*Memory).events)
			if (used == second) != (got == second) || after.ClaimedBy([]string{"annette"}) != "" ||
				after.ClaimedBy([]string{"bob"}) == "" || strings.Contains(left, "annette") {
				t.Errorf("the key has the account %s, and had %s; left is %s", got, second, left)
			}
			if used != "" {
				continue
			}
			p, all := after.Shown(match.Player{ID: instead}), after.Deleted()
			if p.ID != shown.ID || len(all) > 0 || strings.Contains(left, string(first.Account)) {
				t.Errorf("the erased account is shown as %v; accounts to erase: %v; left is %s", p, all, left)
			}
		}
		if one := n.ErasureHash(first.Account); one == n.ErasureHash(second) ||
			strings.Contains(one, string(first.Account)) {
			t.Errorf("its hash is %s", one)
		}
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
			after, _ := n.without(log, before, "")
			got, rest := after.Account(newer.Key), after.caller("rest").Account
			if got != newer.Account || newer.Account == before || rest == before {
				t.Errorf("deleted %t: one key has %s, the other %s", isDeleted, got, rest)
			}
		})
	}
}

// An erased account takes along the accounts of its keys from before a link, unless they are in use.
func TestTheEarlierAccountsOfAKeyAreErasedToo(t *testing.T) {
	erases := func(n node, want ...match.PlayerID) {
		erasure := n.NewErasure(want[0])
		for _, id := range want {
			if erasure[id] == "" || len(erasure) != len(want) {
				n.t.Errorf("erases %v, want %v", erasure, want)
			}
		}
	}
	synctest.Test(t, func(t *testing.T) {
		n := newNode(t, new(Memory))
		first := n.caller("key")
		n.must(n.Claim(t.Context(), first, "first"))
		n.must(n.Delete(t.Context(), first, "first", "first"))
		pass(UndoPeriod)
		second := n.caller("key")
		n.link("ann", "key")
		erases(n, n.caller("ann").Account, first.Account, second.Account)

		n = newNode(t, new(Memory)) // not one with another key
		first = n.caller("key")
		n.link("key", "rest")
		n.must(n.RemoveKey(t.Context(), n.caller("rest"), first.Key))
		second = n.caller("key")
		n.link("ann", "key")
		erases(n, n.caller("ann").Account, second.Account)

		n = newNode(t, new(Memory)) // not one that a key returned to
		n.link("ann", "key")
		ann := n.caller("ann")
		n.must(n.Delete(t.Context(), ann, "ann", "ann"))
		pass(UndoPeriod)
		n.must(n.Claim(t.Context(), n.caller("key"), "key"))
		erases(n, ann.Account)
	})
}

func TestErasedTextKeepsLongerNames(t *testing.T) {
	n, erasure := newNode(t, new(Memory)), Erasure{}
	for name, instead := range map[string]match.PlayerID{"Bob": "2222222222222222", "Tom & Co": "3333333333333333"} {
		n.must(n.Claim(t.Context(), n.caller(name), name))
		erasure[n.caller(name).Account] = instead
	}
	for text, want := range map[string]string{
		"@bob":               "@player-2222",
		"@Bobby, @bob_2":     "@Bobby, @bob_2",
		"@Bobé @BOB, @Bob9":  "@Bobé @player-2222, @Bob9",
		"@Bob@bob. @Bob's":   "@player-2222@player-2222. @player-2222's",
		"@tom & co, Tom & C": "@player-3333, Tom & C",
	} {
		record, _ := json.Marshal(text)
		erased := ""
		if err := json.Unmarshal(erasure.EraseText(n.Directory, record), &erased); err != nil || erased != want {
			t.Errorf("%s becomes %s, want %s: %v", text, erased, want, err)
		}
	}
}
