package account

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"notakto/match"
)

func on(network string) Subject { return Subject{Network: netip.MustParsePrefix(network)} }

func (n node) ban(s Subject, lasts time.Duration, reason string) Ban {
	n.t.Helper()
	b, err := n.Ban(n.t.Context(), Ban{Subject: s, Reason: reason, By: "admin"}, lasts, false)
	n.must(err)
	return b
}

// keptOut returns the reasons of the bans on a subject, in order.
func (n node) keptOut(s Subject) string {
	var all []string
	for _, b := range n.BansOn(s) {
		all = append(all, b.Reason)
	}
	return strings.Join(all, " ")
}

func (n node) isKeptOut(s Subject, want string) {
	n.t.Helper()
	if got := n.keptOut(s); got != want {
		n.t.Errorf("%+v is kept out by %q, want %q", s, got, want)
	}
}

func TestBansEndByThemselvesAndAreLifted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := new(Memory)
		n, other := newNode(t, log), newNode(t, log)
		ann := Subject{Account: n.caller("ann").Account}
		short := n.ban(ann, 2*time.Second, "spam")
		if !IsBanReference(short.Reference) || !short.Until.Equal(time.Now().Add(2*time.Second)) || short.By != "admin" {
			t.Errorf("the ban is %+v", short)
		}
		other.isKeptOut(ann, "spam")
		pass(2*time.Second - time.Millisecond)
		other.isKeptOut(ann, "spam")
		pass(time.Millisecond)
		other.isKeptOut(ann, "")
		if all := other.Bans(); len(all) != 0 {
			t.Errorf("in force are %+v", all)
		}
		_, err := n.Unban(t.Context(), ann, "admin")
		n.fails(ErrNoSuchBan, err)

		n.ban(ann, 0, "one")
		pass(time.Second)
		last := n.ban(ann, 0, "two") // in its place
		n.ban(on("192.0.2.0/24"), time.Hour, "net")
		if all := newNode(t, log).Bans(); len(all) != 2 || all[0] != last || all[1].Reason != "net" {
			t.Errorf("in force are %+v", all)
		}
		pass(200 * 365 * 24 * time.Hour)
		other.isKeptOut(ann, "two")
		lifted, err := n.Unban(t.Context(), ann, "admin")
		if err != nil || lifted != last {
			t.Errorf("lifted was %+v, %v", lifted, err)
		}
		other.isKeptOut(ann, "")
	})
}

func TestABanOfANetworkHasAnEnd(t *testing.T) {
	n := newNode(t, new(Memory))
	for lasts, want := range map[time.Duration]error{
		0: ErrBanLasts, -1: ErrBanLasts, MaxNetworkBan + 1: ErrBanLasts, MaxNetworkBan: nil,
	} {
		_, err := n.Ban(t.Context(), Ban{Subject: on("192.0.2.0/24")}, lasts, false)
		n.fails(want, err)
	}
}

func TestABanOfANetworkIsThatOfItsAddresses(t *testing.T) {
	n := newNode(t, new(Memory))
	n.ban(on("192.0.2.0/24"), 2*time.Hour, "net")
	n.ban(on("192.0.2.7/32"), time.Hour, "address")
	n.ban(on("2001:db8::/32"), time.Hour, "six")
	for network, want := range map[string]string{
		"192.0.2.7/32": "net address", "192.0.2.8/32": "net", "192.0.3.7/32": "", "192.0.2.0/25": "net", "192.0.0.0/16": "",
		"2001:db8:1::1/128": "six", "2001:db9::1/128": "", "::/0": "",
	} {
		n.isKeptOut(on(network), want)
	}
}

// A ban of an account keeps out its linked keys, and a key after the deletion of its account.
func TestABanFollowsTheKeys(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNode(t, new(Memory))
		ann := n.caller("ann")
		n.must(n.Claim(t.Context(), ann, "ann"))
		n.link("ann", "ann2")
		second := n.caller("ann2")
		n.ban(Subject{Account: ann.Account}, 0, "account")
		n.ban(Subject{Key: second.Key}, time.Hour, "key")
		n.isKeptOut(Subject{Account: ann.Account, Key: ann.Key}, "account")
		n.isKeptOut(Subject{Account: ann.Account, Key: second.Key}, "account key")
		n.isKeptOut(Subject{Account: ann.Account}, "account key") // asked without a key
		n.isKeptOut(Subject{Key: second.Key}, "account key")
		n.isKeptOut(Subject{Account: "guest:x", Network: netip.MustParsePrefix("192.0.2.7/32")}, "")
		bob := n.caller("bob")
		n.isKeptOut(Subject{Account: bob.Account, Key: bob.Key}, "")
		// without the key that it began with, which has another account from then on
		n.must(n.RemoveKey(t.Context(), second, ann.Key))
		if again := n.caller("ann"); again.Account == ann.Account {
			t.Error("a removed key has the account")
		} else {
			n.isKeptOut(Subject{Account: again.Account, Key: again.Key}, "account")
		}
		n.must(n.Delete(t.Context(), second, "ann", "ann"))
		pass(UndoPeriod)
		for _, key := range []string{"ann", "ann2"} {
			if c := n.caller(key); c.Account == ann.Account {
				t.Error("the account is not deleted")
			} else {
				n.isKeptOut(Subject{Account: c.Account, Key: c.Key}, "account")
			}
		}
	})
}

func TestBansAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNode(t, new(Memory))
		nth := func(i int) Subject { return Subject{Key: KeyID(fmt.Sprint("key", i))} }
		_, err := Ban{}, error(nil)
		for i := range banBurst {
			n.ban(nth(i), 0, "")
		}
		_, err = n.Ban(t.Context(), Ban{Subject: nth(0)}, 0, false)
		n.fails(ErrTooOften, err)
		// A moderator may have made all these bans. An administrator must be able to lift them at once.
		_, err = n.Unban(t.Context(), nth(0), "admin")
		n.must(err)
		n.apply(Event{Seq: banBurst + 2, Kind: Banned, Ban: &Ban{Subject: nth(0)}})
		for i := banBurst; i < MaxBans; i++ {
			ban := Ban{Subject: nth(i), Until: time.Now().Add(time.Minute)}
			n.apply(Event{Seq: uint64(i + 3), Kind: Banned, Ban: &ban})
		}
		pass(banInterval)
		_, err = n.Ban(t.Context(), Ban{Subject: nth(MaxBans)}, 0, false)
		n.fails(ErrManyBans, err)
		pass(time.Minute)
		n.apply(Event{Seq: MaxBans + 3, At: time.Now(), Kind: Banned, Ban: &Ban{Subject: nth(MaxBans)}})
		if in := len(n.bans); in != banBurst+1 {
			t.Errorf("%d are in memory", in)
		}
	})
}

func TestAKickIsReportedOnAllNodes(t *testing.T) {
	log := new(Memory)
	n, other := newNode(t, log), newNode(t, log)
	var kicked []Ban
	other.OnKick(func(b Ban) { kicked = append(kicked, b) })
	n.ban(Subject{Key: "one"}, 0, "")
	want, err := n.Ban(t.Context(), Ban{Subject: Subject{Key: "two"}, Reason: "x"}, 0, true)
	n.must(err)
	if !slices.Equal(kicked, []Ban{want}) {
		t.Errorf("they are %+v, want %+v", kicked, want)
	}
}

// The export shows a banned player the ban without its author.
func TestBansAreInTheExport(t *testing.T) {
	n := newNode(t, new(Memory))
	ann := n.caller("ann")
	for _, s := range []Subject{{Account: ann.Account}, {Key: ann.Key}, {Account: match.PlayerID(n.caller("bob").Key)}} {
		n.ban(s, 0, "spam")
	}
	_, events, err := n.export(ann)
	if err != nil || len(events) != 2 {
		t.Fatalf("%+v, %v", events, err)
	}
	for _, e := range events {
		if e.Kind != Banned || e.Ban.Reason != "spam" || e.Ban.By != "" {
			t.Errorf("%+v", e.Ban)
		}
	}
	if n.Bans()[0].By != "admin" {
		t.Error("who has made it is lost")
	}
}
