package manager

import (
	"testing"
	"time"

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

// The history has a state and a time for each event, without the codes that are secret for spectators.
func TestHistory(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		id, code := b.private(guy())
		begun := b.Now()
		b.must(b.join(ann(), code))
		seats := [2]*Seat{b.sit(id, guy()), b.sit(id, ann())}
		if seats[0].Side() != rules.First {
			seats[0], seats[1] = seats[1], seats[0]
		}
		pass(3 * time.Second)
		b.play(seats[0], "A5")
		onlooker := b.onlooker(id)
		b.must(seats[1].Resign(b.Context()))
		states, err := onlooker.History(b.Context())
		b.must(err)
		var started, moved, over bool
		for i, s := range states {
			if s.Seq != uint64(i)+1 || s.Code != "" || s.TableCode != "" || s.Seat(s.Side(guy().ID)).Code != "" {
				b.Errorf("event %d leads to %+v", i+1, s)
			}
			started = started || s.HasStarted() && len(s.Moves) == 0 && s.TurnSince.Equal(begun)
			moved = moved || len(s.Moves) == 1 && !s.IsOver() && s.TurnSince.Equal(begun.Add(3*time.Second))
			over = over || s.Outcome.Reason == rules.ReasonResign
		}
		if !started || !moved || !over {
			b.Errorf("it began %t, went on %t, and ended %t: %+v", started, moved, over, states)
		}
	})
}
