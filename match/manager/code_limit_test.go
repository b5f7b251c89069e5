package manager

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"notakto/match"
	"notakto/match/limit"
	"notakto/rules"
)

// A player who tried one code after another got the seat of a stranger within seconds.
func TestWrongCodesAreLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := New(Config{Seed: 1})
		defer m.Close()
		_, code, err := m.OpenPrivate(t.Context(), match.Player{ID: "ann", Name: "ann"}, match.DefaultTerms())
		if err != nil {
			t.Fatal(err)
		}
		try := func(p match.PlayerID, c match.Code) error {
			_, _, err := m.Join(t.Context(), match.Player{ID: p, Name: "x"}, c)
			return err
		}
		for range limit.FreeTries {
			if err := try("mallory", "0000"); !errors.Is(err, match.ErrNoSuchTable) {
				t.Fatalf("got %v", err)
			}
		}
		for _, c := range []match.Code{"0000", code} {
			if err := try("mallory", c); !errors.Is(err, match.ErrTooManyCodes) {
				t.Fatalf("got %v", err)
			}
		}
		time.Sleep(limit.TryInterval) //nolint:forbidigo // the bubble's clock
		if err := try("mallory", "0000"); !errors.Is(err, match.ErrNoSuchTable) {
			t.Fatalf("after a pause: %v", err)
		}
		if err := try("mallory", code); !errors.Is(err, match.ErrTooManyCodes) {
			t.Fatalf("got %v", err)
		}
		if err := try("bob", code); err != nil {
			t.Errorf("someone else: %v", err)
		}
	})
}

// A lookup of a match that ended long ago, or does not exist, searches the whole archive. Players could make any
// number.
func TestLookupsOfMatchesThatAreNotLiveAreLimited(t *testing.T) {
	inBubble(t, Config{Networks: func(match.PlayerID) []string { return []string{"there"} }}, func(b *harness) {
		old := make([]match.ID, limit.FreeTries+1)
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
		b.must(fn(old[0], cleo())) // which has just been fetched
		for _, id := range []match.ID{old[last], "nothing"} {
			if err := fn(id, cleo()); !isErr(err, match.ErrTooManyLookups) {
				b.Error(id, err)
			}
		}
		b.must(fn(old[last], guy())) // same address, no lookups yet
		if _, err := b.Sit(b.Context(), "nothing", cleo().ID); !isErr(err, match.ErrTooManyLookups) {
			b.Error(err)
		}
		pass(limit.TryInterval)
		gone, leave := context.WithCancel(b.Context())
		leave()
		if _, err := b.Watch(gone, "nothing at all", cleo().ID); err == nil { // the search continues without the caller
			b.Error("something was found")
		}
		if err := fn("nothing", cleo()); !isErr(err, match.ErrTooManyLookups) {
			b.Error(err)
		}
		pass(2 * limit.TryInterval)
		if err := fn("nothing", cleo()); !isErr(err, match.ErrNoSuchMatch) {
			b.Error(err)
		}
	})
}

// A player who had found the code of a guest's seat could present it repeatedly, and got the seat as soon as the
// guest's connection broke.
func TestNoPlayerWaitsForTheSeatOfAGuest(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		id := b.open(guy(), bob(), rules.DefaultVariant())
		seat := b.sit(id, guy())
		code := b.sees(seat).SeatState(rules.First).Code
		for range limit.FreeTries {
			if _, _, err := b.Join(b.Context(), cleo(), code); !isErr(err, match.ErrSeatInUse) {
				b.Fatal(err)
			}
		}
		seat.Close()
		if _, _, err := b.Join(b.Context(), cleo(), code); !isErr(err, match.ErrTooManyCodes) {
			b.Error(err)
		}
		if _, p, err := b.Join(b.Context(), ann(), code); err != nil || p.ID != guy().ID {
			b.Error(p, err)
		}
	})
}
