package manager

import (
	"testing"
	"time"

	"notakto/match"
	"notakto/rules"
)

func (h *harness) ended() (*Seat, *Seat) {
	h.Helper()
	one, other := h.pair(boards(h.T, 1))
	h.play(one, "A5")
	h.must(other.Resign(h.Context()))
	return one, other
}

func TestRematchSwapsSeats(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		one, other := b.ended()
		b.must(one.OfferRematch(b.Context()))
		b.must(one.OfferRematch(b.Context()))
		if s := b.sees(other); !s.RematchOffered(rules.First) || s.RematchOffered(rules.Second) || s.Next != "" {
			b.Fatalf("after one offer: %+v", s)
		}
		b.must(other.OfferRematch(b.Context()))
		s := b.sees(one)
		if s.Next == "" || b.sees(other).Next != s.Next {
			b.Fatalf("after both offers: %+v", s)
		}
		ann2, bob2 := b.sit(s.Next, ann()), b.sit(s.Next, bob())
		if ann2.Side() != rules.Second || bob2.Side() != rules.First {
			b.Error("the seats were not swapped")
		}
		b.play(bob2, "A5")
		if next := b.sees(ann2); next.Variant != boards(b.T, 1) || len(next.Moves) != 1 {
			b.Errorf("the rematch: %+v", next)
		}
		b.must(other.OfferRematch(b.Context())) // too late for an effect
		checkKinds(b, one.ID(), match.Moved, match.Resigned, match.Offered, match.Offered, match.Rematched)
		checkKinds(b, s.Next, match.Moved)
	})
}

func TestComputerAlwaysWantsARematch(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		seat := b.vsComputer(ann(), rules.First)
		b.must(seat.Resign(b.Context()))
		b.must(seat.OfferRematch(b.Context()))
		again := b.sit(b.sees(seat).Next, ann())
		if s := b.sees(again); again.Side() != rules.Second || len(s.Moves) != 1 {
			b.Errorf("the rematch: %+v", s)
		}
	})
}

// The journal refuses the new match at first. The rematch opens once, a little later, or never if the server drains.
func TestRematchSurvivesTheJournal(t *testing.T) {
	for _, drains := range []bool{false, true} {
		inBubble(t, Config{}, func(b *harness) {
			one, other := b.ended()
			b.disk.fail(match.Seated, errTrouble, errTrouble)
			if next := b.rematch(one, other); next != "" {
				b.Fatalf("a rematch that is not recorded is shown: %s", next)
			}
			if drains {
				b.Drain()
				pass(time.Minute)
				if s := b.logged(one.ID()); s.Next != "" || len(b.PlayerMatches(ann().ID)) > 0 {
					b.Errorf("after the drain: %+v", s)
				}
				return
			}
			pass(3 * backOff)
			next := b.sees(one).Next
			b.sit(next, ann())
			checkKinds(b, next)
			checkKinds(b, one.ID(), match.Moved, match.Resigned, match.Offered, match.Offered, match.Rematched)
		})
	}
}

// A player who had asked for a rematch and left was seated in it, and lost by absence.
func TestRematchWaitsUntilBothAreHere(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		one, other := b.ended()
		b.must(one.OfferRematch(b.Context()))
		one.Close()
		pass(heartbeatInterval)
		b.must(other.OfferRematch(b.Context()))
		if s := b.sees(other); s.Next != "" {
			b.Fatal("the match begins without a player who has gone")
		}
		b.sit(one.ID(), ann())
		if s := b.sees(other); s.Next == "" {
			b.Error("the match does not begin when the player is back")
		}
	})
}

// The table closes soon after both players have left. A player who returns before or after that sees the final
// position.
func TestEndedTableIsLeft(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		one, other := b.ended()
		one.Close()
		other.Close()
		pass(closeDelay - 1)
		one = b.sit(one.ID(), ann())
		b.must(one.OfferRematch(b.Context()))
		one.Close()
		if s := b.Finished(one.ID()); s == nil || s.Outcome.Winner != rules.First {
			b.Errorf("until the table closes it has %+v", s)
		}
		pass(closeDelay)
		if !b.disk.archived(one.ID()) || b.tables.index.tableCount() > 0 || b.Finished(one.ID()) != nil {
			b.Fatal("the table is still there")
		}
		one = b.sit(one.ID(), ann())
		if s := b.sees(one); s.Outcome.Winner != rules.First || len(s.Moves) != 1 {
			b.Errorf("the result: %+v", s)
		}
		other = b.sit(one.ID(), bob())
		b.fails(other.OfferRematch(b.Context()), match.ErrClosed)
		one.Close()
		pass(DefaultLinger)
		b.seesEnd(other)
		checkKinds(b, one.ID(), match.Moved, match.Resigned, match.Left, match.Left, match.Returned, match.Offered,
			match.Left)
	})
}

// A player had more matches than the limit when opponents accepted many rematch offers later.
func TestAnOfferCountsAsAMatch(t *testing.T) {
	inBubble(t, Config{MaxMatches: 2}, func(b *harness) {
		var mine, theirs []*Seat
		for _, other := range []match.Player{bob(), cleo(), guy()} {
			id := b.open(ann(), other, boards(t, 1))
			mine, theirs = append(mine, b.sit(id, ann())), append(theirs, b.sit(id, other))
			b.must(theirs[len(theirs)-1].Resign(b.Context()))
		}
		b.must(mine[0].OfferRematch(b.Context()))
		b.must(mine[1].OfferRematch(b.Context()))
		b.fails(mine[2].OfferRematch(b.Context()), match.ErrTooMany)
		b.must(theirs[1].OfferRematch(b.Context()))
		mine[0].Close()
		theirs[0].Close()
		pass(closeDelay + time.Second) // the table closes without an answer to the offer
		b.must(mine[2].OfferRematch(b.Context()))
		b.must(theirs[2].OfferRematch(b.Context()))
		pass(1)
		if ids := b.PlayerMatches(ann().ID); len(ids) != 2 {
			b.Errorf("ann plays %v", ids)
		}
		checkRefuses(b, ann(), match.ErrTooMany)
	})
}

// An opponent accepted an offer after the player had found another match. The player was seated in two matches at
// once.
func TestAnOfferEndsWhenItsMakerIsSeatedElsewhere(t *testing.T) {
	for name, sitElsewhere := range map[string]func(*harness){
		"queue":    func(b *harness) { b.open(ann(), cleo(), boards(b.T, 1)) },
		"private":  func(b *harness) { b.private(ann()) },
		"computer": func(b *harness) { b.vsComputer(ann(), rules.First) },
		"challenge": func(b *harness) {
			id := b.challenge(ann(), cleo(), "none")
			pass(time.Second)
			if !b.logged(b.LastEnded().ID).RematchOffered(rules.First) {
				b.Error("the offer ends before the challenge begins")
			}
			b.accept(cleo(), id)
			pass(time.Second)
		},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, Config{MaxMatches: 2}, func(b *harness) {
				one, other := b.ended()
				b.must(one.OfferRematch(b.Context()))
				sitElsewhere(b)
				if s := b.sees(other); s.RematchOffered(rules.First) || !s.RematchWithdrawn(rules.First) {
					b.Fatal("bob still sees the offer")
				}
				b.must(other.OfferRematch(b.Context()))
				if s := b.sees(one); s.Next != "" || len(b.PlayerMatches(ann().ID)) != 1 {
					b.Fatalf("bob's yes begins %q", s.Next)
				}
				b.must(one.OfferRematch(b.Context())) // counts as a match again
				if s := b.sees(other); s.Next == "" || s.RematchWithdrawn(rules.First) ||
					len(b.PlayerMatches(ann().ID)) != 2 {
					b.Errorf("a new offer begins nothing: %+v", s)
				}
				checkKinds(b, one.ID(), match.Moved, match.Resigned, match.Offered, match.Withdrawn, match.Offered,
					match.Offered, match.Rematched)
			})
		})
	}
}
