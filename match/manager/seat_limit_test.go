package manager

import (
	"testing"
	"time"

	"notakto/match"
	"notakto/rules"
)

// Matches against the computer that a few guests had left locked everyone at their address out for a day.
func TestKeptMatchesFillNoNetwork(t *testing.T) {
	cfg := Config{MaxSeats: 2, Networks: func(match.PlayerID) []string { return []string{"here"} }}
	inBubble(t, cfg, func(b *harness) {
		begin := func(p match.Player) (match.ID, error) {
			return b.Play(b.Context(), p, match.DefaultTerms(), 1, rules.First)
		}
		var ids []match.ID
		for i := range 3 {
			id, err := begin(person(i))
			b.must(err)
			seat := b.sit(id, person(i))
			seat.Close()
			pass(time.Minute)
			ids = append(ids, id)
		}
		if s := replay(b.T, b.cfg.Journal, ids[0]); s.Outcome.Reason != rules.Abandoned {
			b.Errorf("of three matches that were left the first ended with %+v, the network may have two", s.Outcome)
		}
		for _, id := range ids[1:] {
			if s := replay(b.T, b.cfg.Journal, id); s.Over() {
				b.Errorf("%s is over: %+v", id, s.Outcome)
			}
		}
		b.sit(ids[1], person(1)) // it counts again
		id, err := begin(ann())
		b.must(err)
		b.sit(id, ann())
		if _, err := begin(bob()); !isErr(err, match.ErrAddressFull) {
			b.Errorf("a third seat that is played at: %v", err)
		}
	})
}

// Seats that were taken before the process began were counted nowhere.
func TestSeatsCountAfterARestart(t *testing.T) {
	at := map[match.PlayerID][]string{ann().ID: {"here"}, bob().ID: {"here"}}
	cfg := Config{Journal: match.NewMemory(match.DefaultRetained), MaxSeats: 2, Networks: func(p match.PlayerID) []string {
		return at[p]
	}}
	inBubble(t, cfg, func(b *harness) {
		for range 2 {
			b.open(ann(), match.Computer(1), rules.DefaultVariant())
		}
		clear(at)
		next := newHarness(t, b.cfg)
		defer next.Close()
		at[ann().ID], at[bob().ID] = []string{"here"}, []string{"here"}
		for _, p := range []match.Player{ann(), bob()} {
			if _, err := next.Play(b.Context(), p, match.DefaultTerms(), 1, rules.First); !isErr(err, match.ErrAddressFull) {
				b.Errorf("%s: %v", p.Name, err)
			}
		}
	})
}
