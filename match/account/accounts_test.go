package account

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"notakto/match"
)

// node is the accounts as one node has them.
type node struct {
	t *testing.T
	*Accounts
}

// newNode opens the accounts of a log. A name in capitals looks like one in small letters, and bad ones begin with a !.
func newNode(t *testing.T, log Log) node {
	t.Helper()
	directory, stop, err := Open(t.Context(), log, nil, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	return node{t, New(Config{
		Directory: directory, Log: log,
		Clean: func(name string) string {
			if strings.HasPrefix(name, "!") {
				return ""
			}
			return name
		},
		Looks:    func(name string) []string { return []string{strings.ToLower(name)} },
		Networks: func(match.PlayerID) []string { return []string{"192.0.2.1/32"} },
	})}
}

// caller is who logs in with a key now.
func (n node) caller(key string) Caller {
	id := n.Key("SHA256:" + key)
	return Caller{Account: n.Account(id), Key: id}
}

func (n node) must(err error) {
	n.t.Helper()
	if err != nil {
		n.t.Fatal(err)
	}
}

func (n node) fails(want, err error) {
	n.t.Helper()
	if !errors.Is(err, want) {
		n.t.Errorf("%v, want %v", err, want)
	}
}

// link links a key to the account of another.
func (n node) link(to, key string) {
	n.t.Helper()
	code, err := n.MakeCode(n.t.Context(), n.caller(to))
	n.must(err)
	n.must(n.Link(n.t.Context(), n.caller(key), code))
}

func TestAccountsCostNothingAtFirst(t *testing.T) {
	log := new(Memory)
	n := newNode(t, log)
	ann, bob := n.caller("ann"), n.caller("bob")
	if ann.Account == bob.Account || string(ann.Account) != string(ann.Key) || len(ann.Account) != 16 {
		t.Errorf("ann is %+v, and bob %+v", ann, bob)
	}
	if p := n.Player(ann.Key, "ann"); p.Name != "ann" || p.ID != ann.Account {
		t.Errorf("ann is %+v", p)
	}
	if p := n.Player(ann.Key, "!root"); p.Name != "player-"+string(ann.Account[:4]) {
		t.Errorf("with a bad name ann is %+v", p)
	}
	if len(log.events) != 1 {
		t.Errorf("%d events are recorded", len(log.events))
	}
	again := newNode(t, log)
	if got := again.caller("ann"); got != ann {
		t.Errorf("after a restart ann is %+v, and was %+v", got, ann)
	}
	if other := newNode(t, new(Memory)); other.caller("ann") == ann {
		t.Error("two servers know a key by one identifier")
	}
}

func TestNamesAreClaimed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log, ctx := new(Memory), t.Context()
		n := newNode(t, log)
		ann, bob := n.caller("ann"), n.caller("bob")
		n.fails(ErrGuest, n.Claim(ctx, Caller{Account: "guest:1"}, "Ann"))
		n.fails(ErrBadName, n.Claim(ctx, ann, "!x"))
		n.fails(ErrBadName, n.Claim(ctx, ann, ""))
		n.must(n.Claim(ctx, ann, "Ann"))
		n.fails(ErrNameTaken, n.Claim(ctx, bob, "ANN"))
		n.fails(ErrNameTooSoon, n.Claim(ctx, ann, "Anna"))
		if p := n.Player(ann.Key, "whatever"); p.Name != "Ann" {
			t.Errorf("she is %+v", p)
		}
		if owner := n.ClaimedBy([]string{"ann"}); owner != ann.Account {
			t.Errorf("Ann is the name of %q", owner)
		}
		pass(NameKept)
		n.must(n.Claim(ctx, ann, "Anna"))
		n.must(n.Claim(ctx, bob, "ann")) // no account has it any more
		if got := newNode(t, log).NameOf(ann.Account); got != "Anna" {
			t.Errorf("after a restart she is %q", got)
		}
	})
}

// Nodes that see one name claimed at the same moment agree on whose it is.
func TestTwoNodesAgreeOnAName(t *testing.T) {
	log := new(Memory)
	nodes := []node{newNode(t, log), newNode(t, log), newNode(t, log)}
	for round := range 5 {
		errs := make([]error, len(nodes))
		var claims sync.WaitGroup
		for i, n := range nodes {
			claims.Go(func() {
				errs[i] = n.Claim(t.Context(), n.caller(fmt.Sprint(round, "/", i)), fmt.Sprint("name", round))
			})
		}
		claims.Wait()
		won := 0
		for _, err := range errs {
			switch {
			case err == nil:
				won++
			case !errors.Is(err, ErrNameTaken):
				t.Error(err)
			}
		}
		owner := nodes[0].ClaimedBy([]string{fmt.Sprint("name", round)})
		for _, n := range nodes {
			if got := n.ClaimedBy([]string{fmt.Sprint("name", round)}); won != 1 || got != owner || owner == "" {
				t.Errorf("%d nodes have claimed it; it is %q's, and %q's", won, owner, got)
			}
		}
	}
}

func TestKeysAreLinked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := t.Context()
		log := new(Memory)
		n := newNode(t, log)
		ann := n.caller("ann")
		code, err := n.MakeCode(ctx, ann)
		n.must(err)
		if len(code) != 8 || strings.Trim(string(code), match.CodeLetters) != "" ||
			strings.Contains(fmt.Sprint(log.events), string(code)) {
			t.Errorf("the code is %s; recorded: %v", code, log.events)
		}
		n.fails(ErrOwnCode, n.Link(ctx, ann, code))
		n.fails(ErrWrongCode, n.Link(ctx, n.caller("phone"), "CCCCCCCC"))
		// those of the account count from then on
		n.must(n.SetPreferences(ctx, n.caller("phone"), Preferences{Theme: "dark"}))
		n.must(n.Link(ctx, n.caller("phone"), match.Code(" "+strings.ToLower(string(code)))))
		if phone := n.caller("phone"); phone.Account != ann.Account || n.Info(phone.Account).Preferences != (Preferences{}) {
			t.Errorf("the phone is %+v", phone)
		}
		n.fails(ErrWrongCode, n.Link(ctx, n.caller("tablet"), code)) // it was used
		late, err := n.MakeCode(ctx, ann)
		n.must(err)
		pass(CodeValid)
		n.fails(ErrWrongCode, n.Link(ctx, n.caller("tablet"), late))
		n.must(n.Claim(ctx, n.caller("bob"), "bob"))
		late, err = n.MakeCode(ctx, ann)
		n.must(err)
		n.fails(ErrOwnAccount, n.Link(ctx, n.caller("bob"), late))
		if keys := n.InfoOf(ann).Keys; len(keys) != 2 || keys[0].ID != ann.Key || keys[1].ID != n.caller("phone").Key {
			t.Errorf("her keys are %+v", keys)
		}
	})
}

// A key that was removed may be in the wrong hands: it must not get at the account, also if the account began with it.
func TestKeysAreRemoved(t *testing.T) {
	ctx := t.Context()
	n := newNode(t, new(Memory))
	first := n.caller("first")
	n.fails(ErrLastKey, n.RemoveKey(ctx, first, first.Key))
	n.link("first", "second")
	second := n.caller("second")
	n.fails(ErrNoSuchKey, n.RemoveKey(ctx, second, n.caller("other").Key))
	n.must(n.RemoveKey(ctx, second, first.Key))
	n.fails(ErrNoSuchKey, n.Claim(ctx, first, "mine")) // in a session from before
	stranger := n.caller("first")
	if stranger.Account == first.Account || stranger.Account != n.caller("first").Account {
		t.Errorf("the removed key is %+v", stranger)
	}
	n.fails(ErrLastKey, n.RemoveKey(ctx, second, second.Key))
	n.link("second", "first")
	if again := n.caller("first"); again.Account != first.Account {
		t.Errorf("linked again, it is %+v", again)
	}
	n.must(n.RemoveKey(ctx, second, second.Key))
	if gone := n.caller("second"); gone.Account == first.Account || string(gone.Account) != string(gone.Key) {
		t.Errorf("the linked key is %+v", gone)
	}
	for i := range MaxKeys - 1 {
		n.link("first", fmt.Sprint("more", i))
	}
	_, err := n.MakeCode(ctx, n.caller("first"))
	n.fails(ErrTooManyKeys, err)
}

func TestAccountsAreDeleted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, log := t.Context(), new(Memory)
		n := newNode(t, log)
		ann := n.caller("ann")
		n.must(n.Claim(ctx, ann, "Ann"))
		n.link("ann", "phone")
		n.fails(ErrNotDeleting, n.Undo(ctx, ann))
		n.fails(ErrWrongName, n.Delete(ctx, ann, "Ann", "ann"))
		n.must(n.Delete(ctx, ann, "Ann", "Ann"))
		n.fails(ErrDeleting, n.Delete(ctx, ann, "Ann", "Ann"))
		pass(UndoWithin - time.Second)
		n.must(n.Undo(ctx, n.caller("phone")))
		pass(time.Hour)
		if n.caller("ann") != ann || n.NameOf(ann.Account) != "Ann" {
			t.Error("the account is deleted, which was undone")
		}
		n.must(n.Delete(ctx, ann, "Ann", "Ann"))
		pass(UndoWithin)
		for _, n := range []node{n, newNode(t, log)} { // the other one has just started
			fresh, phone := n.caller("ann"), n.caller("phone")
			if fresh.Account == ann.Account || phone.Account == ann.Account || phone.Account == fresh.Account {
				t.Errorf("her keys are %+v and %+v, and the account was %+v", fresh, phone, ann)
			}
			n.fails(ErrNoSuchKey, n.Undo(ctx, ann)) // in a session from before
			n.fails(ErrNotDeleting, n.Undo(ctx, fresh))
			n.fails(ErrNameTaken, n.Claim(ctx, fresh, "Ann"))
			if info := n.InfoOf(fresh); info.Name != "" || len(info.Keys) != 1 {
				t.Errorf("the new account is %+v", info)
			}
			shown := n.Shown(match.Player{ID: ann.Account, Name: "Ann"})
			if shown.ID == ann.Account || len(shown.ID) != 16 || shown.Name != "player-"+string(shown.ID[:4]) {
				t.Errorf("in old matches she is %+v", shown)
			}
			if bob := (match.Player{ID: n.caller("bob").Account, Name: "bob"}); n.Shown(bob) != bob {
				t.Errorf("bob is shown as %+v", n.Shown(bob))
			}
		}
		fresh := n.caller("ann")
		n.must(n.Claim(ctx, fresh, "Annie"))
		n.must(n.Delete(ctx, fresh, "Annie", "Annie"))
		pass(UndoWithin)
		if third := n.caller("ann"); third.Account == fresh.Account || third.Account == ann.Account {
			t.Errorf("the third account is %+v", third)
		}
		pass(NameLocked)
		n.must(n.Claim(ctx, n.caller("bob"), "Ann"))
	})
}

func TestPreferencesAreKept(t *testing.T) {
	log := new(Memory)
	n := newNode(t, log)
	ann, dark := n.caller("ann"), Preferences{Theme: "dark", Bell: "off"}
	n.must(n.SetPreferences(t.Context(), ann, Preferences{}))
	n.must(n.SetPreferences(t.Context(), ann, dark))
	n.must(n.SetPreferences(t.Context(), ann, dark))
	if got := newNode(t, log).Info(ann.Account).Preferences; got != dark || len(log.events) != 2 {
		t.Errorf("they are %+v, in %d events", got, len(log.events))
	}
	info, events, err := n.Export(ann)
	if err != nil || info.Preferences != dark || len(events) != 1 || events[0].Kind != PreferencesSet {
		t.Errorf("exported: %+v, %+v, %v", info, events, err)
	}
}

// One account, or all of an address, may not fill the log, nor find out codes.
func TestDecisionsAreLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := t.Context()
		for name, try := range map[string]func(n node, c Caller) error{
			"preferences": func(n node, c Caller) error {
				return n.SetPreferences(ctx, c, Preferences{Theme: fmt.Sprint(n.end())})
			},
			"codes":   func(n node, c Caller) error { return n.Link(ctx, c, "CCCCCCCC") },
			"exports": func(n node, c Caller) error { _, _, err := n.Export(c); return err },
		} {
			n := newNode(t, new(Memory))
			most := func(key func(int) string) (n0 int) {
				for i := range 1000 {
					if errors.Is(try(n, n.caller(key(i))), ErrTooOften) {
						return i
					}
				}
				return 1000
			}
			one := most(func(int) string { return "one" })
			if one < 1 || one > 20 {
				t.Errorf("%s: one account may do %d", name, one)
			}
			if all := most(func(i int) string { return fmt.Sprint("key", i) }); all > 2*20 {
				t.Errorf("%s: an address may do %d more", name, all)
			}
			pass(10 * time.Minute)
			if err := try(n, n.caller("one")); errors.Is(err, ErrTooOften) {
				t.Errorf("%s: later: %v", name, err)
			}
		}
	})
}

// stuck is a log that records nothing.
type stuck struct{ Memory }

func (s *stuck) Append(ctx context.Context, e Event) (Event, error) {
	if e.Kind == SecretMade {
		return s.Memory.Append(ctx, e)
	}
	<-ctx.Done()
	return Event{}, ctx.Err()
}

// Many sessions that end at once, while nothing can be recorded, would have waited for each other.
func TestDecisionsEndInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNode(t, new(stuck))
		began := time.Now()
		var sessions sync.WaitGroup
		for i := range 10 {
			sessions.Go(func() {
				ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
				defer cancel()
				n.fails(context.DeadlineExceeded, n.SetPreferences(ctx, n.caller(fmt.Sprint(i)), Preferences{Bell: "off"}))
			})
		}
		sessions.Wait()
		if took := time.Since(began); took > 2*time.Second {
			t.Errorf("they took %v", took)
		}
	})
}

func TestNothingIsDecidedAfterAnUnreadableEntry(t *testing.T) {
	log := new(Memory)
	n := newNode(t, log)
	if _, err := log.Append(context.Background(), Event{Seq: 2}); err != nil {
		t.Fatal(err)
	}
	n.fails(ErrReadOnly, n.Claim(t.Context(), n.caller("ann"), "ann"))
}

func TestEntries(t *testing.T) {
	for body, want := range map[string]error{
		`{"v":1,"kind":"name","account":"a","more":1}`: nil, `{"v":2,"kind":"name"}`: match.ErrNewer,
		`{"v":1,"kind":"ban","ban":{"network":"192.0.2.0/24"}}`: nil, `{"v":1,"kind":"ban"}`: match.ErrDamaged,
		`{"v":1,"kind":"other"}`: match.ErrNewer, `{"v":1}`: match.ErrNewer, `{`: match.ErrDamaged,
	} {
		if _, err := Decode([]byte(body)); !errors.Is(err, want) {
			t.Errorf("%s: %v", body, err)
		}
	}
}

// Any entry that decodes is encoded as one that decodes to the same event.
func FuzzEntries(f *testing.F) {
	for _, e := range []Event{
		{Kind: SecretMade, Secret: []byte("s")}, {Kind: NameClaimed, Account: "a", Key: "k", Name: "Ann",
			Looks: []string{"ann", "^ann"}},
		{Kind: PreferencesSet, Account: "a", Key: "k", Preferences: Preferences{Theme: "dark"}},
		{Kind: DeletionAsked, Instead: "r"},
		{Kind: Banned, Ban: &Ban{Subject: on("192.0.2.0/24"), Until: time.UnixMilli(1), Reason: "spam", By: "a"}, Kick: true},
	} {
		body, err := Encode(e)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		e, err := Decode(body)
		if err != nil {
			return
		}
		again, err := Encode(e)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Decode(again)
		if err != nil {
			t.Fatal(err)
		}
		if third, err := Encode(got); err != nil || string(third) != string(again) {
			t.Errorf("%s came back as %s, %v", again, third, err)
		}
	})
}

// pass lets a time go by on synctest's clock.
func pass(d time.Duration) { <-time.After(d) }
