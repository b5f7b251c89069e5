package manager

import (
	"testing"
	"time"

	"notakto/match"
	"notakto/rules"
)

// marked disambiguates players of one name.
func marked(p, other match.Player) match.Player {
	if p.Name == other.Name {
		p.Name += "#" + string(p.ID)
	}
	return p
}

// shownNames returns the names in a snapshot, in the order of the sides.
func shownNames(s match.Snapshot) [2]string {
	return [2]string{s.Seat(rules.First).Player.Name, s.Seat(rules.Second).Player.Name}
}

// recordedNames returns the names in the log of a match.
func (h *harness) recordedNames(id match.ID) (names []string) {
	h.Helper()
	events, err := h.cfg.Journal.Load(h.Context(), id, 0)
	h.must(err)
	for _, e := range events {
		if e.Kind == match.Seated {
			names = append(names, e.Player.Name)
		}
	}
	return names
}

// Recorded names have no mark.
func TestPlayersOfOneNameAreDisambiguated(t *testing.T) {
	inBubble(t, Config{DisambiguateName: marked, Journal: &mortal{Store: match.NewMemory()}}, func(b *harness) {
		other := b.sister()
		defer other.Close()
		double := match.Player{ID: "SHA256:double", Name: "ann"}
		want := [2]string{"ann#SHA256:ann", "ann#SHA256:double"}
		id := b.open(ann(), double, rules.DefaultVariant())
		seat, opposite := b.sit(id, ann()), other.sit(id, double)
		for name, got := range map[string][2]string{
			"ann": shownNames(b.sees(seat)), "the opponent": shownNames(other.sees(opposite)),
			"a list": {b.List()[0].Players[0].Name, b.List()[0].Players[1].Name},
		} {
			if got != want {
				t.Errorf("%s sees %q", name, got)
			}
		}
		b.must(seat.Resign(b.Context()))
		b.must(seat.OfferRematch(b.Context()))
		b.must(opposite.OfferRematch(b.Context()))
		next := b.sees(seat).Next
		if got := shownNames(b.sees(b.sit(next, ann()))); got != [2]string{want[1], want[0]} {
			t.Errorf("the rematch is one of %q", got)
		}
		for _, id := range []match.ID{id, next} {
			if got := b.recordedNames(id); len(got) != 2 || got[0] != "ann" || got[1] != "ann" {
				t.Errorf("recorded as %q", got)
			}
		}
		seat.Close()
		opposite.Close()
		pass(DefaultLinger + time.Minute) // it has been archived
		if got := shownNames(b.sees(b.onlooker(id))); got != want {
			t.Errorf("the archive shows %q", got)
		}
	})
}

// A waiting player was shown under the name of the login, without a mark, although another player may have claimed
// it.
func TestPlayersInTheQueueAreDisambiguated(t *testing.T) {
	claimed := func(p, _ match.Player) match.Player {
		if p.ID == cleo().ID {
			p.Name += "#mark"
		}
		return p
	}
	inBubble(t, Config{DisambiguateName: claimed}, func(b *harness) {
		b.seek(cleo(), rules.TicTacToe())
		if w := b.Lobby().Waiting(ann().ID); w.First[0].Name != cleo().Name+"#mark" {
			b.Errorf("the lobby tells of %q", w.First[0].Name)
		}
		status, _ := b.status(b.seek(ann(), rules.DefaultVariant()))
		if len(status.Others) != 1 || status.Others[0].Name != cleo().Name+"#mark" {
			b.Errorf("the queue tells of %v", status.Others)
		}
	})
}

// Guests are new players at every login, and had twenty more wrong codes each time.
func TestWrongCodesCountForAllFromOneAddress(t *testing.T) {
	inBubble(t, Config{Networks: func(p match.PlayerID) []string {
		if p == "elsewhere" {
			return nil
		}
		return []string{"192.0.2.1/32"}
	}}, func(b *harness) {
		for i := range sharedFactor * freeTries {
			_, _, _ = b.Join(b.Context(), match.Player{ID: match.PlayerID(rune('a' + i))}, "CCCC")
		}
		if _, _, err := b.Join(b.Context(), match.Player{ID: "late"}, "CCCC"); !isErr(err, match.ErrTooManyCodes) {
			t.Errorf("got %v", err)
		}
		if _, _, err := b.Join(b.Context(), match.Player{ID: "elsewhere"}, "CCCC"); !isErr(err, match.ErrNoSuchTable) {
			t.Errorf("got %v", err)
		}
	})
}
