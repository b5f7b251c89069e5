package manager

import (
	"testing"
	"testing/synctest"
	"time"

	"notakto/match"
	"notakto/rules"
	"notakto/rules/strategy"
)

// A long list was sorted under the lock of the index for each request, and no player could move. Finished matches that
// are not archived are read under that lock as well.
func TestALongListIsMadeNowAndThen(t *testing.T) {
	for _, isOver := range []bool{false, true} {
		inBubble(t, Config{MaxMatches: 2 * fewListed}, func(b *harness) {
			begin := func() *Seat {
				id, err := b.PlayComputer(b.Context(), ann(), match.DefaultTerms(), strategy.Perfect, rules.First)
				b.must(err)
				return b.sit(id, ann())
			}
			listed := func(want int) {
				b.Helper()
				if got := len(b.List()); got != want {
					b.Errorf("%d listed, want %d", got, want)
				}
			}
			want := 0
			for range fewListed + 1 {
				if seat := begin(); isOver {
					b.must(seat.Resign(b.Context()))
				} else {
					want++
				}
				listed(want)
			}
			begin()
			listed(want) // is not made again at once
			pass(listEvery)
			listed(want + 1)
		})
	}
}

// The lobby showed "4 live", all of them matches against the computer with absent players.
func TestMatchesThatWereLeftAreNotListed(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		id, err := b.PlayComputer(b.Context(), ann(), match.DefaultTerms(), strategy.Perfect, rules.Second)
		b.must(err)
		kind := ActiveLabels{match.DefaultTerms().Variant.String(), ByComputer, "playing"}
		left := ActiveLabels{kind.Variant, ByComputer, "paused"}
		for range 2 { // the player comes back
			seat := b.sit(id, ann())
			pass(heartbeatInterval)
			if len(b.List()) != 1 || b.Stats.Active.Get(kind) != 1 || b.Stats.Active.Get(left) != 0 {
				b.Errorf("%d are listed, %d active", len(b.List()), b.Stats.Active.Get(kind))
			}
			seat.Close()
			pass(heartbeatInterval)
			if len(b.List()) != 0 || b.Stats.Active.Get(kind) != 0 || b.Stats.Active.Get(left) != 1 {
				b.Errorf("%d are listed, %d active", len(b.List()), b.Stats.Active.Get(kind))
			}
			if own := b.Summaries(b.PlayerMatches(ann().ID)); len(own) != 1 || own[0].IsActive {
				b.Errorf("the player's own are %+v", own)
			}
		}
	})
}

// A match of two people stood below matches of one person with the computer.
func TestMatchesOfPeopleAreListedFirst(t *testing.T) {
	inBubble(t, Config{FirstMove: time.Hour, LaterMove: time.Hour}, func(b *harness) {
		long := b.open(person(1), person(2), rules.DefaultVariant())
		b.play(b.sit(long, person(1)), "A5")
		b.play(b.sit(long, person(2)), "B5")
		pass(movingFor)
		moving := b.open(person(3), person(4), rules.DefaultVariant())
		b.sit(moving, person(3))
		b.sit(moving, person(4))
		computer, err := b.PlayComputer(b.Context(), ann(), match.DefaultTerms(), strategy.Perfect, rules.Second)
		b.must(err)
		b.sit(computer, ann())
		b.onlooker(computer)
		pass(heartbeatInterval)
		list := b.List()
		if len(list) != 3 || list[0].ID != moving || list[1].ID != long || list[2].ID != computer {
			b.Fatalf("the list is %+v", list)
		}
		if !list[0].IsActive || list[1].IsActive || !list[2].IsActive {
			b.Errorf("the list is %+v", list)
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
