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

// Recorded names have no mark.
func TestPlayersOfOneNameAreDisambiguated(t *testing.T) {
	inBubble(t, Config{DisambiguateName: marked}, func(b *harness) {
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
		next := b.rematch(seat, opposite)
		if got := shownNames(b.sees(b.sit(next, ann()))); got != [2]string{want[1], want[0]} {
			t.Errorf("the rematch is one of %q", got)
		}
		for _, id := range []match.ID{id, next} {
			s := b.logged(id)
			if got := shownNames(match.Snapshot{State: &s}); got != [2]string{"ann", "ann"} {
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

// A player who waits or challenges was shown under the name of the login, without a mark, although another player may
// have claimed it.
func TestWaitingPlayersAreDisambiguated(t *testing.T) {
	claimed := func(p, _ match.Player) match.Player {
		if p.ID == cleo().ID {
			p.Name += "#mark"
		}
		return p
	}
	inBubble(t, Config{DisambiguateName: claimed}, func(b *harness) {
		b.challenge(cleo(), bob(), "1d")
		if c := b.Challenges(bob().ID)[0]; c.Maker.Name != "cleo#mark" || c.Invited.Name != "bob" {
			b.Errorf("bob is challenged by %+v", c)
		}
		b.seek(cleo(), ticTacToe())
		if w := b.Lobby().Waiting(ann().ID); w.First[0].Name != "cleo#mark" {
			b.Errorf("the lobby tells of %q", w.First[0].Name)
		}
		status, _ := b.status(b.seek(ann()))
		if len(status.Others) != 1 || status.Others[0].Name != "cleo#mark" {
			b.Errorf("the queue tells of %v", status.Others)
		}
	})
}
