package manager

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"notakto/match"
	"notakto/match/limit"
	"notakto/rules"
)

func TestCodesAreLegibleAndSidesAreDrawn(t *testing.T) {
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
	d, drawn := newRNG(1), make(map[rules.Side]int)
	for range 1000 { // digits choose the boards where a code is typed
		drawn[d.side()]++
		if code := d.code(4); len(code) != 4 || strings.Trim(string(code), match.CodeLetters) != "" || code[0] <= '9' {
			t.Fatalf("a code is %q", code)
		}
	}
	if drawn[rules.First] < 400 || drawn[rules.Second] < 400 {
		t.Errorf("the sides are %v", drawn)
	}
}

// A guest's code resumes an empty seat until the match is over. A player who presents it repeatedly does not get the
// seat as soon as the guest's connection breaks.
func TestGuestsResumeCode(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		id := b.open(guy(), bob(), rules.DefaultVariant())
		one, other := b.sit(id, guy()), b.sit(id, bob())
		code := b.sees(one).Seat(rules.First).Code
		if len(code) != resumeCodeLength {
			b.Fatalf("the guest's code is %q", code)
		}
		for range freeTries {
			b.fails(b.join(cleo(), code), match.ErrSeatInUse)
		}
		if got, _, err := b.Join(b.Context(), guy(), code); !errors.Is(err, match.ErrOwnTable) || got != id {
			b.Errorf("the guest uses the code: %s, %v", got, err)
		}
		one.Close()
		b.fails(b.join(cleo(), code), match.ErrTooManyCodes)
		guest := match.Player{ID: "guest:new", Name: "new", Guest: true}
		for range 2 { // valid for every return
			got, player, err := b.Join(b.Context(), guest, match.Code(strings.ToLower(string(code))))
			if err != nil || got != id || player != guy() {
				b.Fatalf("after the guest left: %s %+v %v", got, player, err)
			}
			back := b.sit(id, player)
			b.must(back.Play(b.Context(), b.legal(id)))
			b.must(other.Play(b.Context(), b.legal(id)))
			b.fails(b.join(guest, code), match.ErrSeatInUse)
			back.Close()
		}
		b.must(other.Resign(b.Context()))
		b.fails(b.join(guest, code), match.ErrNoSuchTable)
	})
}

// A closed seat is free at once, even if the table is busy.
func TestResumeRightAfterLeaving(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		id := b.open(bob(), guy(), boards(b.T, 9))
		other := b.sit(id, bob())
		for range 12 {
			guest := b.sit(id, guy())
			code := b.sees(guest).Seat(rules.Second).Code
			resume := b.disk.stop()
			moved, joined := make(chan error), make(chan error)
			go func() { moved <- other.Play(b.Context(), b.legal(id)) }()
			synctest.Wait()
			guest.Close()
			go func() { joined <- b.join(cleo(), code) }()
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

// A player with many guesses got the seat of a stranger within seconds. Guests are new players at every login, so wrong
// codes count for their network too.
func TestWrongCodesAreLimited(t *testing.T) {
	networks := func(p match.PlayerID) []string {
		if p == bob().ID || p == "mallory" {
			return nil
		}
		return []string{"192.0.2.1/32"}
	}
	inBubble(t, Config{Networks: networks}, func(b *harness) {
		_, code := b.private(ann())
		mallory := match.Player{ID: "mallory", Name: "x"}
		for range freeTries {
			b.fails(b.join(mallory, "0000"), match.ErrNoSuchTable)
		}
		b.fails(b.join(mallory, "0000"), match.ErrTooManyCodes)
		b.fails(b.join(mallory, code), match.ErrTooManyCodes)
		pass(tryInterval)
		b.fails(b.join(mallory, "0000"), match.ErrNoSuchTable)
		b.fails(b.join(mallory, code), match.ErrTooManyCodes)
		for i := range sharedFactor * freeTries {
			b.fails(b.join(person(i), "0000"), match.ErrNoSuchTable)
		}
		b.fails(b.join(guy(), "0000"), match.ErrTooManyCodes)
		b.must(b.join(bob(), code))
	})
}

// A code of another node may be right although this node cannot find it. It counts for the player, who could otherwise
// try the codes of this node without a limit.
func TestCodesDuringAnOutageCountOnlyForThePlayer(t *testing.T) {
	j := &late{unruly: newUnruly(), live: true}
	inBubble(t, Config{Journal: j}, func(b *harness) {
		_, code := b.private(ann())
		j.trouble = match.ErrUnavailable
		for i := range 110 * limit.CodeRate { // more than all may try at once
			p := match.Player{ID: match.PlayerID(fmt.Sprint("other", i))}
			b.fails(b.join(p, "0000"), match.ErrUnavailable)
		}
		for range freeTries {
			b.fails(b.join(cleo(), "0000"), match.ErrUnavailable)
		}
		b.fails(b.join(cleo(), code), match.ErrTooManyCodes)
		j.trouble = nil
		b.must(b.join(match.Player{ID: "other0", Name: "other"}, code))
	})
}

// Attackers at other addresses use up the wrong codes of all. The right code of another player still leads to the
// table, and the answer to a wrong one does not tell whether the server looked for it.
func TestARightCodeIsTakenWhileManyTryWrongOnes(t *testing.T) {
	networks := func(p match.PlayerID) []string { return []string{"at " + string(p)} }
	inBubble(t, Config{Networks: networks}, func(b *harness) {
		_, code := b.private(ann())
		for i := range 50 * limit.CodeRate {
			p := match.Player{ID: match.PlayerID(fmt.Sprint("other", i))}
			b.fails(b.join(p, "CCCCCC"), match.ErrNoSuchTable)
		}
		for range 10 {
			b.fails(b.join(match.Player{ID: "mallory"}, "CCCCCC"), match.ErrTooManyCodes)
		}
		b.fails(b.join(match.Player{ID: "mallory"}, code), match.ErrTooManyCodes)
		b.fails(b.join(bob(), "CCCCCC"), match.ErrTooManyCodes)
		b.must(b.join(bob(), code))
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
		b.fails(fn(old[last], cleo()), match.ErrTooManyLookups)
		b.fails(fn("nothing", cleo()), match.ErrTooManyLookups)
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
		sit := func(client *fakeClient) *Seat {
			seat, err := b.Sit(WithClient(b.Context(), client), id, guy().ID)
			b.must(err)
			return seat
		}
		frozen, other := sit(held), b.sit(id, bob())
		code := b.sees(frozen).Seat(rules.First).Code
		b.fails(b.join(cleo(), code), match.ErrSeatInUse)
		held.answers = false
		beside := sit(&fakeClient{answers: true})
		if b.fails(b.join(cleo(), code), match.ErrSeatInUse); held.hungUp {
			b.Error("the frozen client is hung up on while another one in the seat answers")
		}
		beside.Close()
		_, p, err := b.Join(b.Context(), cleo(), code)
		if err != nil || p != guy() || !held.hungUp {
			b.Fatalf("after it has stopped: %v, %v", p, err)
		}
		if now := b.sees(other); now.Seat(rules.First).Present {
			b.Error("the opponent is not told that the guest is away")
		}
		b.seesEnd(frozen)
		back := b.sit(id, p)
		if now := b.sees(other); !now.Seat(rules.First).Present {
			b.Error("the opponent is not told that the guest is back")
		}
		b.must(back.Play(b.Context(), b.legal(id)))
	})
}

// A node that is behind asks the journal before it refuses a code.
func TestCodeAtANodeThatIsBehind(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		other := newHarness(b.T, Config{Journal: &late{unruly: b.disk}, Seed: 8})
		defer other.Close()
		id, code := b.private(ann())
		if got, _, err := other.Join(b.Context(), bob(), code); err != nil || got != id {
			b.Errorf("the code leads to %q: %v", got, err)
		}
		b.fails(errOf3(other.Join(b.Context(), guy(), "CCCC")), match.ErrNoSuchTable)
	})
}

func TestResumeFromADeadNode(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
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
	inBubble(t, Config{}, func(b *harness) {
		draws := newRNG(b.cfg.Seed)
		draws.side()
		draws.id()
		drawn := draws.code(codeLength)
		b.disk.overtake(b, match.Opened, "first", 1,
			match.Event{Kind: match.Opened, Terms: match.DefaultTerms(), Code: drawn},
			match.Event{Kind: match.Seated, Seat: rules.First, Player: bob(), Node: farNode})
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
