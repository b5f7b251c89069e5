package manager

import (
	"slices"
	"testing"
	"time"

	"notakto/match"
	"notakto/rules"
)

// A long list was sorted under the lock of the index for each request, and no player could move. Finished matches that
// are not archived are read under that lock as well.
func TestALongListIsMadeNowAndThen(t *testing.T) {
	for _, isOver := range []bool{false, true} {
		inBubble(t, Config{MaxMatches: 2 * fewListed}, func(b *harness) {
			listed := func(want int) {
				b.Helper()
				if got := len(b.List()); got != want {
					b.Errorf("%d listed, want %d", got, want)
				}
			}
			want := 0
			for range fewListed + 1 {
				if seat := b.vsComputer(ann(), rules.First); isOver {
					b.must(seat.Resign(b.Context()))
				} else {
					want++
				}
				listed(want)
			}
			b.vsComputer(ann(), rules.First)
			listed(want) // is not made again at once
			pass(listEvery)
			listed(want + 1)
		})
	}
}

// The lobby showed "4 live", all of them matches against the computer with absent players.
func TestMatchesThatWereLeftAreNotListed(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		seat := b.vsComputer(ann(), rules.Second)
		kind := ActiveLabels{match.DefaultTerms().Variant.String(), ByComputer, "playing"}
		left := ActiveLabels{kind.Variant, ByComputer, "paused"}
		for range 2 { // the player comes back
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
			seat = b.sit(seat.ID(), ann())
		}
	})
}

// Matches of people stand before matches with the computer, those in which players move before others, and then those
// with more spectators and moves.
func TestTheOrderOfTheList(t *testing.T) {
	inBubble(t, Config{FirstMove: time.Hour, LaterMove: time.Hour}, func(b *harness) {
		b.private(ann())
		begin := func(i int) (match.ID, *Seat, *Seat) {
			id := b.open(person(i), person(i+1), rules.DefaultVariant())
			return id, b.sit(id, person(i)), b.sit(id, person(i+1))
		}
		long, one, other := begin(1)
		b.play(one, "A5")
		b.play(other, "B5")
		pass(movingFor)
		quiet, _, _ := begin(3)
		moved, one, _ := begin(5)
		b.play(one, "A5")
		watched, _, _ := begin(7)
		b.onlooker(watched)
		_, over, _ := begin(9)
		b.must(over.Resign(b.Context()))
		computer := b.vsComputer(ann(), rules.Second).ID()
		b.onlooker(computer)
		pass(heartbeatInterval)
		type row struct {
			id                match.ID
			isActive          bool
			spectators, plies int
		}
		var got []row
		for _, s := range b.List() {
			got = append(got, row{s.ID, s.IsActive, s.Spectators, s.Plies})
		}
		want := []row{
			{watched, true, 1, 0}, {moved, true, 0, 1}, {quiet, true, 0, 0}, {long, false, 0, 2},
			{computer, true, 1, 1},
		}
		if !slices.Equal(got, want) {
			b.Errorf("the list is %+v, want %+v", got, want)
		}
		if two := b.List()[0].Players; two != [2]match.Player{person(7), person(8)} {
			b.Errorf("the players are %+v", two)
		}
	})
}
