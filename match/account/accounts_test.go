package account

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"notakto/match"
)

// node is a node's Accounts.
type node struct {
	t *testing.T
	*Accounts
}

// newNode opens the accounts of a log. A bad name begins with "!". Looks ignore case.
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

// caller returns the Caller of a login with a key.
func (n node) caller(key string) Caller {
	id := n.Key("SHA256:" + key)
	return Caller{Account: n.Account(id), Key: id}
}

func (n node) export(c Caller) (info Info, events []Event, err error) {
	err = n.Export(n.t.Context(), c, func(i Info, all []Event) error {
		info, events = i, all
		return nil
	})
	return info, events, err
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

// link links key to the account of the key to.
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
		pass(NameChangeInterval)
		n.must(n.Claim(ctx, ann, "Anna"))
		n.must(n.Claim(ctx, bob, "ann")) // the name is free again
		if got := newNode(t, log).ClaimedName(ann.Account); got != "Anna" {
			t.Errorf("after a restart she is %q", got)
		}
	})
}

func TestTwoNodesAgreeOnAName(t *testing.T) {
	log := new(Memory)
	nodes := []node{newNode(t, log), newNode(t, log), newNode(t, log)}
	for round := range 5 {
		name, errs := fmt.Sprint("name", round), make(chan error, len(nodes))
		for i, n := range nodes {
			go func() { errs <- n.Claim(t.Context(), n.caller(fmt.Sprint(round, "/", i)), name) }()
		}
		owners, won := map[match.PlayerID]bool{}, 0
		for _, n := range nodes {
			if err := <-errs; err == nil {
				won++
			} else {
				n.fails(ErrNameTaken, err)
			}
		}
		for _, n := range nodes {
			owners[n.ClaimedBy([]string{name})] = true
		}
		if won != 1 || len(owners) != 1 || owners[""] {
			t.Errorf("%d nodes have claimed it; it is of %v", won, owners)
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
		pass(CodeTTL)
		n.fails(ErrWrongCode, n.Link(ctx, n.caller("tablet"), late))
		n.must(n.Claim(ctx, n.caller("bob"), "bob"))
		late, err = n.MakeCode(ctx, ann)
		n.must(err)
		n.fails(ErrOwnAccount, n.Link(ctx, n.caller("bob"), late))
		if keys := n.CallerInfo(ann).Keys; len(keys) != 2 || keys[0].ID != ann.Key || keys[1].ID != n.caller("phone").Key {
			t.Errorf("her keys are %+v", keys)
		}
	})
}

// A removed key may be in the wrong hands. It must not reach the account, even if the account began with it.
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
		pass(UndoPeriod - time.Second)
		n.must(n.Undo(ctx, n.caller("phone")))
		pass(time.Hour)
		if n.caller("ann") != ann || n.ClaimedName(ann.Account) != "Ann" {
			t.Error("the account is deleted, which was undone")
		}
		n.must(n.Delete(ctx, ann, "Ann", "Ann"))
		pass(UndoPeriod - time.Second)
		if n.Blocks(ann.Account, "bob") {
			t.Error("an account that can be kept blocks a player")
		}
		pass(time.Second)
		for _, n := range []node{n, newNode(t, log)} { // the other one has just started
			if !n.Blocks(ann.Account, "bob") || n.Blocks("bob", ann.Account) {
				t.Error("a deleted account blocks no player") // its challenges end
			}
			fresh, phone := n.caller("ann"), n.caller("phone")
			if fresh.Account == ann.Account || phone.Account == ann.Account || phone.Account == fresh.Account {
				t.Errorf("her keys are %+v and %+v, and the account was %+v", fresh, phone, ann)
			}
			n.fails(ErrNoSuchKey, n.Undo(ctx, ann)) // in a session from before
			n.fails(ErrNotDeleting, n.Undo(ctx, fresh))
			n.fails(ErrNameTaken, n.Claim(ctx, fresh, "Ann"))
			if info := n.CallerInfo(fresh); info.Name != "" || len(info.Keys) != 1 {
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
		pass(UndoPeriod)
		if third := n.caller("ann"); third.Account == fresh.Account || third.Account == ann.Account {
			t.Errorf("the third account is %+v", third)
		}
		pass(NameLockPeriod)
		n.must(n.Claim(ctx, n.caller("bob"), "Ann"))
	})
}

// Otherwise keys that cost nothing claim every name for good.
func TestAClaimedNameLapsesAfterAMonthWithoutAMatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log, ctx := new(Memory), t.Context()
		n := newNode(t, log)
		ann, bob, cyd := n.caller("ann"), n.caller("bob"), n.caller("cyd")
		played, fault := map[match.PlayerID]bool{bob.Account: true}, error(nil)
		n.config.HasPlayed = func(_ context.Context, p match.PlayerID) (bool, error) { return played[p], fault }
		n.must(n.Claim(ctx, ann, "Ann"))
		n.must(n.Claim(ctx, bob, "Bob"))
		pass(NameLapsePeriod - time.Second)
		n.fails(ErrNameTaken, n.Claim(ctx, cyd, "ann"))
		pass(time.Second)
		if n.ClaimedName(ann.Account) != "Ann" {
			t.Error("a name lapses before another player claims it")
		}
		n.fails(ErrNameTaken, n.Claim(ctx, cyd, "Bob"))
		fault = match.ErrUnavailable
		n.fails(match.ErrUnavailable, n.Claim(ctx, cyd, "ann"))
		fault = nil
		n.must(n.Claim(ctx, cyd, "ann"))
		for _, n := range []node{n, newNode(t, log)} { // the other one has just started
			lost, claimed := n.ClaimedName(ann.Account), n.ClaimedName(cyd.Account)
			if lost != "" || claimed != "ann" || n.Owner("Ann") != cyd.Account {
				t.Errorf("ann is called %q, cyd %q", lost, claimed)
			}
		}
		n.fails(ErrNameTaken, n.Claim(ctx, ann, "Ann"))
		n.must(n.Claim(ctx, ann, "Anna"))
	})
}

func TestPreferencesAreKept(t *testing.T) {
	ctx, log := t.Context(), new(Memory)
	n := newNode(t, log)
	ann, dark := n.caller("ann"), Preferences{Theme: "dark", Bell: "off"}
	n.must(n.SetPreferences(ctx, ann, Preferences{}))
	n.must(n.Prefer(ctx, ann, Program, ""))
	for range 2 { // the second time there is nothing to record
		n.must(n.SetPreferences(ctx, ann, dark))
		n.must(n.Prefer(ctx, ann, Program, "yes"))
	}
	n.must(n.Prefer(ctx, ann, Notify, "topic"))
	n.fails(ErrNoSuchPreference, n.Prefer(ctx, ann, "alert", "off"))
	n.fails(ErrNoSuchPreference, n.Prefer(ctx, ann, Notify, strings.Repeat("x", maxPreference+1)))
	n.fails(ErrGuest, n.Prefer(ctx, Caller{Account: "guest:g"}, Program, "yes"))
	after := newNode(t, log)
	if got := after.Info(ann.Account).Preferences; got != dark || len(log.events) != 4 {
		t.Errorf("they are %+v, in %d events", got, len(log.events))
	}
	for key, want := range map[string]string{Program: "yes", Notify: "topic", "other": ""} {
		if got := after.Preference(ann.Account, key); got != want {
			t.Errorf("%s is %q, want %q", key, got, want)
		}
	}
	info, events, err := n.export(ann)
	if err != nil || info.Preferences != dark || len(events) != 3 || events[0].Kind != PreferencesSet {
		t.Errorf("exported: %+v, %+v, %v", info, events, err)
	}
}

// A block holds for one direction, is known to the blocker only, and ends with an unblock.
func TestPlayersAreBlocked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := new(Memory)
		n := newNode(t, log)
		ann, bob := n.caller("ann"), n.caller("bob")
		n.fails(ErrBlockSelf, n.Block(t.Context(), ann, ann.Account))
		n.must(n.Block(t.Context(), ann, bob.Account))
		n.must(n.Block(t.Context(), ann, bob.Account))
		if d := newNode(t, log); !d.Blocks(ann.Account, bob.Account) || d.Blocks(bob.Account, ann.Account) {
			t.Error("the block is another one")
		}
		if _, events, err := n.export(bob); err != nil || len(events) != 0 {
			t.Errorf("bob exports %+v, %v", events, err)
		}
		before := n.Info(ann.Account)
		n.must(n.Unblock(t.Context(), ann, bob.Account))
		n.must(n.Unblock(t.Context(), ann, bob.Account))
		if n.Blocks(ann.Account, bob.Account) || len(before.Blocked) != 1 || len(log.events) != 3 {
			t.Errorf("bob is blocked after %d events, %+v", len(log.events), before)
		}
		for i := range MaxBlocked {
			pass(time.Minute)
			n.must(n.Block(t.Context(), ann, match.PlayerID(fmt.Sprint(i))))
		}
		pass(time.Minute)
		n.fails(ErrManyBlocks, n.Block(t.Context(), ann, bob.Account))
	})
}

// Neither an account nor all accounts of an address can fill the log or guess codes.
func TestDecisionsAreLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := t.Context()
		for name, try := range map[string]func(n node, c Caller) error{
			"preferences": func(n node, c Caller) error {
				return n.SetPreferences(ctx, c, Preferences{Theme: fmt.Sprint(n.lastSeq())})
			},
			"codes":   func(n node, c Caller) error { return n.Link(ctx, c, "CCCCCCCC") },
			"exports": func(n node, c Caller) error { _, _, err := n.export(c); return err },
		} {
			n := newNode(t, new(Memory))
			one, all := 0, 0
			for !errors.Is(try(n, n.caller("one")), ErrTooOften) && one < 1000 {
				one++
			}
			for !errors.Is(try(n, n.caller(fmt.Sprint("key", all))), ErrTooOften) && all < 1000 {
				all++
			}
			pass(10 * time.Minute)
			err := try(n, n.caller("one"))
			// An account's first decision is not one of the 20.
			if one < 1 || one > 1+20 || all > firstsAtAddress || errors.Is(err, ErrTooOften) {
				t.Errorf("%s: one account may do %d, its address %d more; later: %v", name, one, all, err)
			}
		}
	})
}

// Players that decide without end, with few keys or with ever new ones, leave most decisions of the other players of
// their address.
func TestOthersDecideDuringAFlood(t *testing.T) {
	const decisions, floods, known = 24, 20, 200 // decisions of the others, one a second, and of the flooders before each
	for name, flooder := range map[string]func(i int) string{
		"one key":                    func(int) string { return "flooder0" },
		"ten keys":                   func(i int) string { return fmt.Sprint("flooder", i%10) },
		"200 keys":                   func(i int) string { return fmt.Sprint("flooder", i%known) },
		"200 keys of many addresses": func(i int) string { return fmt.Sprint("flooder", i%known) },
		"200 new keys":               func(i int) string { return fmt.Sprint("new", i%known) },
		"ever new keys":              func(i int) string { return fmt.Sprint("new", i) },
	} {
		for who, decider := range map[string]func(i int) string{
			"a neighbour": func(int) string { return "neighbour0" },
			"neighbours":  func(i int) string { return fmt.Sprint("neighbour", i) },
			"newcomers":   func(i int) string { return fmt.Sprint("newcomer", i) },
		} {
			if who == "newcomers" && name == "ever new keys" {
				continue // the server cannot tell them apart
			}
			t.Run(who+" beside "+name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					n := newNode(t, new(Memory))
					elsewhere := make(map[match.PlayerID]string)
					n.config.Networks = func(p match.PlayerID) []string {
						return []string{cmp.Or(elsewhere[p], "192.0.2.1/32")}
					}
					for i := range decisions {
						n.link(fmt.Sprint("neighbour", i), fmt.Sprint("spare", i))
						pass(time.Minute)
					}
					for i := range known {
						c := n.caller(fmt.Sprint("flooder", i))
						n.must(n.SetPreferences(t.Context(), c, Preferences{Theme: "dark"}))
						if name == "200 keys of many addresses" {
							elsewhere[c.Account] = fmt.Sprintf("198.51.100.%d/32", i)
						}
						pass(time.Minute)
					}
					flood := func(from, to int) {
						for i := from; i < to; i++ {
							c := n.caller(flooder(i))
							_, _ = n.MakeCode(t.Context(), c)
							_, _, _ = n.export(c)
						}
					}
					flood(0, 2*changesAtAddress) // until it is refused
					decided := 0
					for i := range decisions {
						flood(2*changesAtAddress+i*floods, 2*changesAtAddress+(i+1)*floods)
						kind := i % 7
						if who == "newcomers" { // they have nothing to take back
							kind = [...]int{0, 1, 3, 4}[i%4]
						}
						if n.decide(kind, i, n.caller(decider(i))) {
							decided++
						}
						pass(time.Second)
					}
					if decided < decisions/2 {
						t.Errorf("%d of %d decisions succeed", decided, decisions)
					}
				})
			})
		}
	}
}

// decide makes the decision i of c, of one of seven kinds, and reports whether the limits allow it.
func (n node) decide(kind, i int, c Caller) bool {
	n.t.Helper()
	err, ctx := error(nil), n.t.Context()
	switch kind {
	case 0:
		err = n.Claim(ctx, c, fmt.Sprint("name", i))
	case 1:
		var code match.Code
		if code, err = n.MakeCode(ctx, c); err == nil {
			err = n.Link(ctx, n.caller(fmt.Sprint("linked", i)), code)
		}
	case 2:
		keys := n.Info(c.Account).Keys
		err = n.RemoveKey(ctx, c, keys[len(keys)-1].ID)
	case 3:
		err = n.Block(ctx, c, match.PlayerID(fmt.Sprint("pest", i)))
	case 4:
		err = n.SetPreferences(ctx, c, Preferences{Theme: fmt.Sprint("theme", i)})
	case 5:
		err = n.Undo(ctx, c)
	case 6:
		_, _, err = n.export(c)
	}
	switch {
	case err == nil, errors.Is(err, ErrNameTooSoon), errors.Is(err, ErrNotDeleting), errors.Is(err, ErrLastKey):
		return true
	case !errors.Is(err, ErrTooOften):
		n.t.Error(err)
	}
	return false
}

// countingLog counts the events that are read.
type countingLog struct {
	*Memory
	read int
}

func (l *countingLog) Event(seq uint64) Event {
	l.read++
	return l.Memory.Event(seq)
}

func (l *countingLog) Subscribe(fn func(Event)) (stop func()) {
	return l.Memory.Subscribe(func(e Event) {
		l.read++
		fn(e)
	})
}

// The log is locked while its events are read, and moves wait.
func TestAnExportReadsTheEventsOfItsAccount(t *testing.T) {
	log := &countingLog{Memory: new(Memory)}
	n := newNode(t, log)
	ann := n.caller("ann")
	for i := range 100 {
		n.must(n.SetPreferences(t.Context(), n.caller(fmt.Sprint(i)), Preferences{Theme: "dark"}))
	}
	n.must(n.Claim(t.Context(), ann, "ann"))
	n.must(n.SetPreferences(t.Context(), ann, Preferences{Theme: "dark"}))
	n.ban(Subject{Account: ann.Account}, time.Hour, "rude")
	n.must(n.Delete(t.Context(), ann, "ann", "ann"))
	log.read = 0
	var kinds []Kind
	for _, e := range n.AccountEvents(Info{ID: ann.Account}) {
		kinds = append(kinds, e.Kind)
	}
	if want := []Kind{NameClaimed, PreferencesSet, Banned, DeletionRequested}; !slices.Equal(kinds, want) {
		t.Errorf("the events are %v, want %v", kinds, want)
	}
	if log.read != len(kinds) {
		t.Errorf("%d events are read for %d", log.read, len(kinds))
	}
}

// Otherwise the exports of a large account take much memory and time at once.
func TestAnAccountHasOneExportAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNode(t, new(Memory))
		begun, end := make(chan Info, 3), make(chan struct{})
		export := func(ctx context.Context, c Caller) chan error {
			ended := make(chan error, 1)
			go func() {
				ended <- n.Export(ctx, c, func(info Info, _ []Event) error {
					begun <- info
					<-end
					return nil
				})
			}()
			synctest.Wait()
			return ended
		}
		leaving, leave := context.WithCancel(t.Context())
		first, second := export(t.Context(), n.caller("ann")), export(t.Context(), n.caller("ann"))
		left, other := export(leaving, n.caller("ann")), export(t.Context(), n.caller("bob"))
		if len(begun) != 2 { // of ann and bob
			t.Errorf("%d exports are written at once", len(begun))
		}
		leave()
		n.fails(context.Canceled, <-left)
		close(end)
		for _, ended := range []chan error{first, second, other} {
			n.must(<-ended)
		}
		_, _, err := n.export(n.caller("ann"))
		n.must(err)
	})
}

// stuck is a log with an Append that ends only with its context.
type stuck struct{ Memory }

func (s *stuck) Append(ctx context.Context, e Event) (Event, error) {
	if e.Kind == SecretMade {
		return s.Memory.Append(ctx, e)
	}
	<-ctx.Done()
	return Event{}, ctx.Err()
}

// While the log is stuck, many sessions that end at once must not wait for each other.
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
		{Kind: DeletionRequested, ShownID: "r"},
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

// pass waits for d on synctest's clock.
func pass(d time.Duration) { <-time.After(d) }
