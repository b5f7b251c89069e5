package manager

import (
	"testing"
	"time"

	"notakto/match"
	"notakto/match/journaltest"
	"notakto/rules"
)

// The history of a match has a state for each event with the time it came, of a match that is on or over, without the
// codes that spectators may not know.
func TestHistory(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		id, code := b.private(guy())
		begun := b.Now()
		if _, _, err := b.Join(b.Context(), ann(), code); err != nil {
			b.Fatal(err)
		}
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
			if s.Seq != uint64(i)+1 || s.Code != "" || s.TableCode != "" || s.SeatState(s.Side(guy().ID)).Code != "" {
				b.Errorf("event %d leads to %+v", i+1, s)
			}
			started = started || s.Started() && len(s.Moves) == 0 && s.TurnSince.Equal(begun)
			moved = moved || len(s.Moves) == 1 && !s.Over() && s.TurnSince.Equal(begun.Add(3*time.Second))
			over = over || s.Outcome.Reason == rules.Resign
		}
		if !started || !moved || !over {
			b.Errorf("it began %t, went on %t, and ended %t: %+v", started, moved, over, states)
		}
	})
}

func TestHistoryWithoutAJournal(t *testing.T) {
	journal := journaltest.NewFaulty(0)
	inBubble(t, Config{Journal: journal}, func(b *harness) {
		one, _ := b.pair(rules.DefaultVariant())
		onlooker := b.onlooker(one.ID())
		journal.Fail(match.ErrUnavailable)
		defer journal.Fail(nil)
		if _, err := onlooker.History(b.Context()); !isErr(err, match.ErrUnavailable) {
			b.Errorf("without a journal: %v", err)
		}
	})
}
