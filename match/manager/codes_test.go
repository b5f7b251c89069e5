package manager

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"notakto/match"
	"notakto/match/limit"
	"notakto/rules"
)

func TestCodesAreLegible(t *testing.T) {
	for _, group := range []string{"0OQD", "1IL7", "2Z", "5S", "8B", "6G", "UV", "MN", "CG"} {
		alike := strings.Map(func(letter rune) rune {
			if strings.ContainsRune(match.CodeLetters, letter) {
				return letter
			}
			return -1
		}, group)
		if len(alike) > 1 {
			t.Errorf("%s look alike and are in use", alike)
		}
	}
	d := newRNG(1)
	for range 1000 { // digits choose the boards where a code is typed
		if code := d.code(4); len(code) != 4 || strings.Trim(string(code), match.CodeLetters) != "" || code[0] <= '9' {
			t.Fatalf("a code is %q", code)
		}
	}
}

// A released code may be drawn again.
func TestCodesAreUnique(t *testing.T) {
	d, book := newRNG(1), newCodeIndex()
	seen := make(map[match.Code]bool)
	for i := range 20_000 {
		code, err := book.draw(d, codeTarget{id: match.ID([]string{"a", "b"}[i%2])})
		if err != nil || seen[code] {
			t.Fatalf("code %d is %q: %v", i, code, err)
		}
		seen[code] = true
	}
	for code := range seen { // the journal decides, by its first record
		if _, found := book.find(code); found {
			t.Fatalf("%s leads somewhere before it is recorded", code)
		}
		was := book.targets[code].codeTarget
		book.confirm(code, was)
		book.confirm(code, codeTarget{id: "c"})
		if to, found := book.find(code); to != was || !found {
			t.Fatalf("%s leads to %v, drawn for %v", code, to, was)
		}
	}
	book.forget("a")
	if len(book.targets) != 10_000 || len(book.byMatch) != 1 {
		t.Errorf("%d codes are left", len(book.targets))
	}
}

// A guest's code resumes an empty seat until the match is over.
func TestGuestsResumeCode(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		id := b.open(guy(), bob(), rules.DefaultVariant())
		one, other := b.sit(id, guy()), b.sit(id, bob())
		code := b.sees(one).Seat(rules.First).Code
		if len(code) != resumeCodeLength {
			b.Fatalf("the guest's code is %q", code)
		}
		guest := match.Player{ID: "guest:new", Name: "new", Guest: true}
		b.fails(errOf3(b.Join(b.Context(), guest, code)), match.ErrSeatInUse)
		if got, _, err := b.Join(b.Context(), guy(), code); !isErr(err, match.ErrOwnTable) || got != id {
			b.Errorf("the guest uses the code: %s, %v", got, err)
		}
		one.Close()
		for range 2 { // valid for every return
			got, player, err := b.Join(b.Context(), guest, match.Code(strings.ToLower(string(code))))
			if err != nil || got != id || player != guy() {
				b.Fatalf("after the guest left: %s %+v %v", got, player, err)
			}
			back := b.sit(id, player)
			b.play(back, b.sees(back).Position.LegalMoves()[0].String())
			b.play(other, b.sees(other).Position.LegalMoves()[0].String())
			b.fails(errOf3(b.Join(b.Context(), guest, code)), match.ErrSeatInUse)
			back.Close()
		}
		b.must(other.Resign(b.Context()))
		b.fails(errOf3(b.Join(b.Context(), guest, code)), match.ErrNoSuchTable)
	})
}

// A closed seat is free at once, even if the table is busy.
func TestResumeRightAfterLeaving(t *testing.T) {
	j := newUnruly()
	inBubble(t, Config{Journal: j}, func(b *harness) {
		id := b.open(bob(), guy(), boards(b.T, 9))
		other := b.sit(id, bob())
		for range 12 {
			guest := b.sit(id, guy())
			code := b.sees(guest).Seat(rules.Second).Code
			resume := j.stop()
			moved, joined := make(chan error), make(chan error)
			go func() { moved <- other.Play(b.Context(), b.legal(id)) }()
			synctest.Wait()
			guest.Close()
			go func() {
				_, _, err := b.Join(b.Context(), cleo(), code)
				joined <- err
			}()
			synctest.Wait()
			resume()
			b.must(<-moved)
			b.must(<-joined)
			again := b.sit(id, guy())
			b.must(again.Play(b.Context(), b.legal(id)))
			again.Close()
		}
	})
}

func (h *harness) legal(id match.ID) rules.Move {
	return replay(h.T, h.cfg.Journal, id).Position.LegalMoves()[0]
}

func TestCodesAreSecret(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		second := match.Player{ID: "guest:second", Guest: true}
		id, code := b.private(guy())
		onlooker, host := b.onlooker(id), b.sit(id, guy())
		if s := b.sees(onlooker); s.Code != "" || s.TableCode != "" || s.Seat(host.Side()).Code != "" {
			b.Errorf("who looks on sees %+v", s)
		}
		_, _, err := b.Join(b.Context(), second, code)
		b.must(err)
		guest := b.sit(id, second)
		for _, seat := range []*Seat{host, guest} {
			s := b.sees(seat)
			if s.Seat(seat.Side()).Code == "" || s.Seat(seat.Side().Other()).Code != "" || s.TableCode != "" {
				b.Errorf("side %d sees %+v", seat.Side(), s)
			}
		}
		s := b.sees(onlooker)
		if s.Code != "" || s.Seat(rules.First).Code != "" || s.Seat(rules.Second).Code != "" {
			b.Errorf("who looks on sees %+v", s)
		}
	})
}

// A player with many guesses got the seat of a stranger within seconds.
func TestWrongCodesAreLimited(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		_, code := b.private(ann())
		try := func(c match.Code, want error) {
			b.Helper()
			b.fails(errOf3(b.Join(b.Context(), match.Player{ID: "mallory", Name: "x"}, c)), want)
		}
		for range freeTries {
			try("0000", match.ErrNoSuchTable)
		}
		try("0000", match.ErrTooManyCodes)
		try(code, match.ErrTooManyCodes)
		pass(tryInterval)
		try("0000", match.ErrNoSuchTable)
		try(code, match.ErrTooManyCodes)
		b.must(errOf3(b.Join(b.Context(), bob(), code)))
	})
}

// A code of another node may be right although this node cannot find it. It counts for the player, who could otherwise
// try the codes of this node without a limit.
func TestCodesDuringAnOutageCountOnlyForThePlayer(t *testing.T) {
	j := &lagging{Memory: match.NewMemory()}
	inBubble(t, Config{Journal: j}, func(b *harness) {
		_, code := b.private(ann())
		try := func(p match.Player, c match.Code) error {
			_, _, err := b.Join(b.Context(), p, c)
			return err
		}
		j.trouble = match.ErrUnavailable
		for i := range 110 * limit.CodeRate { // more than all may try at once
			p := match.Player{ID: match.PlayerID(fmt.Sprint("other", i))}
			if err := try(p, "0000"); !isErr(err, match.ErrUnavailable) {
				b.Fatalf("try %d: %v", i, err)
			}
		}
		for range freeTries {
			b.fails(try(cleo(), "0000"), match.ErrUnavailable)
		}
		b.fails(try(cleo(), code), match.ErrTooManyCodes)
		j.trouble = nil
		b.must(try(match.Player{ID: "other0", Name: "other"}, code))
	})
}

// Attackers at other addresses use up the wrong codes of all. The right code of another player still leads to the
// table, and the answer to a wrong one does not tell whether the server looked for it.
func TestARightCodeIsTakenWhileManyTryWrongOnes(t *testing.T) {
	networks := func(p match.PlayerID) []string { return []string{"at " + string(p)} }
	inBubble(t, Config{Networks: networks}, func(b *harness) {
		_, code := b.private(ann())
		try := func(p match.Player, c match.Code) error {
			_, _, err := b.Join(b.Context(), p, c)
			return err
		}
		for i := range 50 * limit.CodeRate {
			p := match.Player{ID: match.PlayerID(fmt.Sprint("other", i))}
			if err := try(p, "CCCCCC"); !isErr(err, match.ErrNoSuchTable) {
				b.Fatalf("try %d: %v", i, err)
			}
		}
		for range 10 {
			if err := try(match.Player{ID: "mallory"}, "CCCCCC"); !isErr(err, match.ErrTooManyCodes) {
				b.Error(err)
			}
		}
		if err := try(match.Player{ID: "mallory"}, code); !isErr(err, match.ErrTooManyCodes) {
			b.Errorf("the right code after ten wrong ones: %v", err)
		}
		if err := try(bob(), "CCCCCC"); !isErr(err, match.ErrTooManyCodes) {
			b.Error(err)
		}
		b.must(try(bob(), code))
	})
}

// A lookup of a match that ended long ago, or does not exist, searches the whole archive. Players could make any
// number of them.
func TestLookupsOfMatchesThatAreNotLiveAreLimited(t *testing.T) {
	inBubble(t, Config{Networks: func(match.PlayerID) []string { return []string{"there"} }}, func(b *harness) {
		old := make([]match.ID, freeTries+1)
		for i := range old {
			old[i] = b.open(ann(), bob(), rules.DefaultVariant())
			seat := b.sit(old[i], ann())
			b.must(seat.Resign(b.Context()))
			seat.Close()
		}
		pass(DefaultLinger + time.Minute) // they have been archived
		fn := func(id match.ID, p match.Player) error {
			onlooker, err := b.Watch(b.Context(), id, p.ID)
			if err == nil {
				onlooker.Close()
			}
			return err
		}
		last := len(old) - 1
		for _, id := range old[:last] {
			b.must(fn(id, cleo()))
		}
		b.must(fn(old[0], cleo())) // fetched just now
		for _, id := range []match.ID{old[last], "nothing"} {
			if err := fn(id, cleo()); !isErr(err, match.ErrTooManyLookups) {
				b.Error(id, err)
			}
		}
		b.must(fn(old[last], guy())) // one address, no lookups yet
		b.fails(errOf(b.Sit(b.Context(), "nothing", cleo().ID)), match.ErrTooManyLookups)
		pass(tryInterval)
		gone, leave := context.WithCancel(b.Context())
		leave()
		if _, err := b.Watch(gone, "nothing at all", cleo().ID); err == nil { // the search continues without the caller
			b.Error("something was found")
		}
		b.fails(fn("nothing", cleo()), match.ErrTooManyLookups)
		pass(2 * tryInterval)
		b.fails(fn("nothing", cleo()), match.ErrNoSuchMatch)
	})
}

// The right code was refused for two minutes while the guest's client was frozen, and the opponent was not told.
func TestACodeTakesTheSeatOfASilentSession(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		id, held := b.open(guy(), bob(), rules.DefaultVariant()), &fakeClient{answers: true}
		frozen, err := b.Sit(WithClient(b.Context(), held), id, guy().ID)
		if err != nil {
			b.Fatal(err)
		}
		other := b.sit(id, bob())
		code := b.sees(frozen).Seat(rules.First).Code
		if _, _, err := b.Join(b.Context(), cleo(), code); !isErr(err, match.ErrSeatInUse) || held.hungUp {
			b.Errorf("while the guest's client answers: %v", err)
		}
		held.answers = false
		beside, err := b.Sit(WithClient(b.Context(), &fakeClient{answers: true}), id, guy().ID)
		if err != nil {
			b.Fatal(err)
		}
		if _, _, err := b.Join(b.Context(), cleo(), code); !isErr(err, match.ErrSeatInUse) || held.hungUp {
			b.Errorf("while another client in the seat answers: %v", err)
		}
		beside.Close()
		_, p, err := b.Join(b.Context(), cleo(), code)
		if err != nil || p != guy() {
			b.Fatalf("after it has stopped: %v, %v", p, err)
		}
		if now := b.sees(other); now.Seat(rules.First).Present {
			b.Error("the opponent is not told that the guest is away")
		}
		if _, open := <-frozen.Snapshots(); open {
			if _, open = <-frozen.Snapshots(); open {
				b.Error("the old session still has the seat")
			}
		}
		back := b.sit(id, p)
		if now := b.sees(other); !now.Seat(rules.First).Present {
			b.Error("the opponent is not told that the guest is back")
		}
		b.play(back, b.sees(back).Position.LegalMoves()[0].String())
	})
}

// A player with the code of a guest's seat could present it repeatedly, and got the seat as soon as the guest's
// connection broke.
func TestNoPlayerWaitsForTheSeatOfAGuest(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		id := b.open(guy(), bob(), rules.DefaultVariant())
		seat := b.sit(id, guy())
		code := b.sees(seat).Seat(rules.First).Code
		for range freeTries {
			b.fails(errOf3(b.Join(b.Context(), cleo(), code)), match.ErrSeatInUse)
		}
		seat.Close()
		b.fails(errOf3(b.Join(b.Context(), cleo(), code)), match.ErrTooManyCodes)
		if _, p, err := b.Join(b.Context(), ann(), code); err != nil || p.ID != guy().ID {
			b.Error(p, err)
		}
	})
}

// lagging is the journal of a node that receives no events until it catches up.
type lagging struct {
	*match.Memory
	trouble error // of CatchUp

	mu     sync.Mutex
	fn     func(match.Event)
	events []match.Event // not delivered yet
}

func (l *lagging) Subscribe(fn func(match.Event)) (stop func()) {
	l.fn = fn
	return l.Memory.Subscribe(func(e match.Event) {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.events = append(l.events, e)
	})
}

func (l *lagging) CatchUp(context.Context) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.trouble != nil {
		return l.trouble
	}
	for _, e := range l.events {
		l.fn(e)
	}
	l.events = nil
	return nil
}

// A node that is behind asks the journal before it refuses a code.
func TestCodeAtANodeThatIsBehind(t *testing.T) {
	shared := match.NewMemory()
	inBubble(t, Config{Journal: shared}, func(b *harness) {
		late := &lagging{Memory: shared}
		other := newHarness(b.T, Config{Journal: late, Seed: 8})
		defer other.Close()
		id, code := b.private(ann())
		if got, _, err := other.Join(b.Context(), bob(), code); err != nil || got != id {
			b.Errorf("the code leads to %q: %v", got, err)
		}
		b.fails(errOf3(other.Join(b.Context(), guy(), "CCCC")), match.ErrNoSuchTable)
	})
}

func TestResumeFromADeadNode(t *testing.T) {
	inBubble(t, Config{Journal: &mortal{Store: match.NewMemory()}}, func(b *harness) {
		other := b.sister()
		defer other.Close()
		id := b.open(guy(), bob(), rules.DefaultVariant())
		code := b.sees(b.sit(id, guy())).Seat(rules.First).Code
		b.perish()
		got, player, err := other.Join(other.Context(), match.Player{ID: "guest:new", Guest: true}, code)
		if err != nil || got != id || player != guy() {
			b.Fatalf("the code leads to %q for %q: %v", got, player.ID, err)
		}
		seat := other.sit(id, player)
		other.play(seat, "A5")
		pass(3 * match.EntryTTL)
		if s := other.sees(seat); s.IsOver() || !s.Seat(rules.First).Present {
			b.Errorf("the guest is present: %v, the match is over: %v", s.Seat(rules.First).Present, s.IsOver())
		}
	})
}

// The code belongs to the table recorded first, and the other table gets a new code.
func TestSameCodeAtTwoNodes(t *testing.T) {
	j := newUnruly()
	inBubble(t, Config{Journal: j}, func(b *harness) {
		draws := newRNG(b.cfg.Seed)
		draws.side()
		draws.id()
		drawn := draws.code(codeLength)
		j.interrupt(match.Opened, func() {
			for i, e := range []match.Event{
				{Kind: match.Opened, Terms: match.DefaultTerms(), Code: drawn},
				{Kind: match.Seated, Seat: rules.First, Player: bob(), Node: farNode},
			} {
				e.Match, e.Seq = "first", uint64(i)+1
				_, err := j.Append(b.Context(), e)
				b.must(err)
			}
		})
		id, code := b.private(ann())
		if code == drawn {
			b.Fatalf("both tables have the code %s", code)
		}
		for want, c := range map[match.ID]match.Code{"first": drawn, id: code} {
			if got, _, err := b.Join(b.Context(), cleo(), c); got != want {
				b.Errorf("the code %s leads to %q, want %q: %v", c, got, want, err)
			}
		}
		if on, over := b.tables.index.liveAndFinished(); len(on) != 2 || len(over) != 1 || !over[0].Closed {
			b.Errorf("%d matches are on, and %v are over", len(on), over)
		}
	})
}

// fakeClient answers at once, or never.
type fakeClient struct{ answers, hungUp bool }

func (f *fakeClient) Answers(ctx context.Context) bool {
	if !f.answers {
		<-ctx.Done()
	}
	return f.answers
}

func (f *fakeClient) HangUp() { f.hungUp = true }
