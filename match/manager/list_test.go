package manager

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"notakto/match"
	"notakto/rules"
	"notakto/rules/strategy"
)

// A long list was sorted under the index's lock for each request, while no player could move.
func TestALongListIsMadeNowAndThen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := New(Config{})
		defer m.Close()
		begin := func(n int) {
			me := match.Player{ID: match.PlayerID(fmt.Sprint("SHA256:", n))}
			if _, err := m.Play(context.Background(), me, match.DefaultTerms(), strategy.Perfect, rules.First); err != nil {
				t.Fatal(err)
			}
		}
		for n := range fewListed + 1 {
			begin(n)
			if got := len(m.List()); got != n+1 {
				t.Fatalf("%d of %d listed", got, n+1)
			}
		}
		begin(fewListed + 1)
		if got := len(m.List()); got != fewListed+1 {
			t.Errorf("%d listed: the list was made again at once", got)
		}
		time.Sleep(listEvery) //nolint:forbidigo // the bubble's clock
		if got := len(m.List()); got != fewListed+2 {
			t.Errorf("%d listed after a while", got)
		}
	})
}

// Each session in the lobby had a copy of its own, made anew every two seconds: with 200 matches, 45 KB in 0.2 ms.
func TestAListIsShared(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		const some = 50
		for n := range some {
			me := match.Player{ID: match.PlayerID(fmt.Sprint("SHA256:", n))}
			_, err := b.Play(b.Context(), me, match.DefaultTerms(), strategy.Perfect, rules.First)
			b.must(err)
		}
		if one, other := b.List(), b.List(); &one[0] != &other[0] {
			b.Errorf("of %d matches each caller has a list", some)
		}
	})
}

// Matches that are over but not archived are gone through under the index's lock as well.
func TestAListAmongManyFinishedMatchesIsMadeNowAndThen(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		begin := func() match.ID {
			id, err := b.Play(b.Context(), ann(), match.DefaultTerms(), strategy.Perfect, rules.First)
			b.must(err)
			return id
		}
		for range fewListed + 1 {
			seat := b.sit(begin(), ann())
			b.must(seat.Resign(b.Context()))
			seat.Close()
		}
		for want := range 2 {
			if got := len(b.List()); got != want {
				b.Errorf("%d listed, want %d", got, want)
			}
			if want == 0 {
				begin()
			}
			if got := len(b.List()); got != want {
				b.Errorf("%d listed: the list was made again at once", got)
			}
			pass(listEvery)
		}
	})
}

// Matches against the computer without their player were first in the list, for a day.
func TestMatchesThatWereLeftAreListedLast(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		id, err := b.Play(b.Context(), ann(), match.DefaultTerms(), strategy.Perfect, rules.Second)
		b.must(err)
		seat := b.sit(id, ann())
		pass(heartbeatInterval) // the computer has moved, so that this match is the busier one
		other, err := b.Play(b.Context(), bob(), match.DefaultTerms(), strategy.Perfect, rules.First)
		b.must(err)
		b.sit(other, bob())
		for _, want := range []match.ID{id, other} {
			if got := b.List(); len(got) != 2 || got[0].ID != want {
				b.Errorf("listed are %+v, %s should be the first", got, want)
			}
			seat.Close()
			pass(heartbeatInterval)
		}
	})
}

func TestListIsBusiestFirst(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		b.private(ann())
		quiet := b.open(person(1), person(2), rules.TicTacToe())
		moved := b.open(person(3), person(4), rules.DefaultVariant())
		b.play(b.sit(moved, person(3)), "A5")
		watched := b.open(person(5), person(6), rules.DefaultVariant())
		b.onlooker(watched)
		over := b.open(person(7), person(8), rules.DefaultVariant())
		b.must(b.sit(over, person(7)).Resign(b.Context()))
		synctest.Wait()
		list := b.List()
		if len(list) != 3 || list[0].ID != watched || list[1].ID != moved || list[2].ID != quiet {
			b.Fatalf("the list is %+v", list)
		}
		if list[0].Spectators != 1 || list[1].Plies != 1 || list[2].Variant != rules.TicTacToe() {
			b.Errorf("the list is %+v", list)
		}
		if list[1].Players != [2]match.Player{person(3), person(4)} {
			b.Errorf("the players are %+v", list[1].Players)
		}
	})
}
