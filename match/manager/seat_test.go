package manager

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"notakto/match"
	"notakto/rules"
)

// A spectator who joined and left again and again redrew every screen at the table each time.
func TestSpectatorsAreCounted(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		one, _ := b.pair(rules.DefaultVariant())
		first, second := b.onlooker(one.ID()), b.onlooker(one.ID())
		pass(transientEvery)
		if n := b.sees(one).Spectators; n != 2 {
			b.Errorf("%d look on", n)
		}
		first.Close()
		first.Close()
		b.seesEnd(first)
		pass(transientEvery)
		if n := b.sees(second).Spectators; n != 1 || b.sees(one).Spectators != 1 {
			b.Errorf("%d look on", n)
		}
		b.play(one, "A5")
		if s := b.sees(second); len(s.Moves) != 1 || second.ID() != one.ID() {
			b.Errorf("who looks on sees %+v", s)
		}
		b.sees(one)
		shown := 0
		for range 100 { // a second
			b.onlooker(one.ID()).Close()
			pass(10 * time.Millisecond)
			select {
			case <-one.Snapshots():
				shown++
			default:
			}
		}
		if most := int(time.Second/transientEvery) + 2; shown < 2 || shown > most {
			b.Errorf("shown %d times in a second, at most %d", shown, most)
		}
	})
}

// Players see their own code only, and spectators none, neither live nor in the history. The history has a state and a
// time for each event.
func TestCodesAreSecret(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		second := match.Player{ID: "guest:second", Guest: true}
		id, code := b.private(guy())
		onlooker, begun, first := b.onlooker(id), b.Now(), b.sit(id, guy())
		if s := b.sees(onlooker); s.Code != "" || s.TableCode != "" || s.Seat(first.Side()).Code != "" {
			b.Errorf("a spectator sees %+v", s)
		}
		b.must(b.join(second, code))
		other := b.sit(id, second)
		for _, seat := range []*Seat{first, other} {
			s := b.sees(seat)
			if s.Seat(seat.Side()).Code == "" || s.Seat(seat.Side().Other()).Code != "" || s.TableCode != "" {
				b.Errorf("side %d sees %+v", seat.Side(), s)
			}
		}
		if first.Side() != rules.First {
			first, other = other, first
		}
		pass(3 * time.Second)
		b.play(first, "A5")
		b.must(other.Resign(b.Context()))
		states, err := onlooker.History(b.Context())
		b.must(err)
		var events []string
		for _, s := range append(states, *b.sees(onlooker).State) {
			if s.Code != "" || s.TableCode != "" || s.Seat(rules.First).Code != "" || s.Seat(rules.Second).Code != "" {
				b.Errorf("event %d leads to %+v", s.Seq, s)
			}
			if s.HasStarted() {
				events = append(events, fmt.Sprint(s.Seq, s.Moves, s.TurnSince.Sub(begun), s.IsOver()))
			}
		}
		want := []string{"3 [] 0s false", "4 [A5] 3s false", "5 [A5] 3s true", "5 [A5] 3s true"}
		if !slices.Equal(events, want) {
			b.Errorf("the history is %q, want %q", events, want)
		}
	})
}
