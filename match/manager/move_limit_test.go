package manager

import (
	"testing"
	"time"

	"notakto/match"
	"notakto/match/lobby"
	"notakto/rules"
)

// queued seats two players in a match of the queue, in the order of their sides.
func (h *harness) queued(one, other match.Player) (first, second *Seat) {
	h.Helper()
	return h.meet(one, other, match.DefaultTerms())
}

func TestLaterMoveHasALimitInTheQueueOnly(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		one, other := b.queued(ann(), bob())
		b.play(one, "A5")
		b.play(other, "B5")
		pass(DefaultLaterMove - 1)
		if s := b.sees(other); s.IsOver() {
			b.Fatalf("over early: %+v", s.Outcome)
		}
		pass(1)
		want := rules.Outcome{Winner: other.Side(), Reason: rules.ReasonTime}
		if s := b.sees(other); s.Outcome != want {
			b.Errorf("it ends with %+v", s.Outcome)
		}
		if next := b.logged(b.rematch(one, other)); next.Origin != match.QueueOrigin {
			b.Errorf("the rematch is from %d", next.Origin)
		}
		seat := b.vsComputer(cleo(), rules.First)
		pass(time.Hour)
		if s := b.sees(seat); s.IsOver() || !s.MoveBy.IsZero() {
			b.Errorf("against the computer: %+v, by %v", s.Outcome, s.MoveBy)
		}
	})
}

// ownNetworks gives each player a network, except that person(i) and guests share one.
func ownNetworks(p match.PlayerID) []string {
	if p == ann().ID || p == bob().ID || p == cleo().ID {
		return []string{"64 of " + string(p), "56 of " + string(p), "48 of " + string(p)}
	}
	return []string{"64 of " + string(p), "the 56", "the 48"}
}

// The player who never moved was paired with the opponent again, and then a new guest of that network was.
func TestPlayersAreKeptApartAfterAVoidMatch(t *testing.T) {
	inBubble(t, Config{Networks: ownNetworks}, func(b *harness) {
		b.queued(ann(), person(1))
		pass(DefaultFirstMove)
		mine, late := b.seek(ann()), b.seek(person(1))
		b.waits(mine, late)
		b.meets(late, b.seek(person(2))) // both may meet players of their network
		again := b.seek(person(7))
		b.waits(mine, again)
		pass(lobby.SpoilerDelay + heartbeatInterval)
		b.meets(mine, again) // no other player comes
	})
}

// A guest took every opponent in turn by using a new address of one network for each match.
func TestNetworkOfLatePlayersComesLast(t *testing.T) {
	inBubble(t, Config{Networks: ownNetworks}, func(b *harness) {
		for i := range 2 {
			b.queued(person(2*i), person(2*i+1))
			pass(DefaultFirstMove)
		}
		guest, mine := b.seek(person(4)), b.seek(ann())
		b.waits(guest, mine)
		b.meets(mine, b.seek(bob()))
		b.meets(guest, b.seek(person(5)))
	})
}

// Two players kept apart were told only that two players wait, and the lobby offered to join the opponent. Only the
// player who waited in vain can end the pause.
func TestTheTwoWhoAreKeptApartAreToldOfEachOther(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		first, second := b.queued(ann(), bob())
		over := time.Now().Add(DefaultFirstMove)
		pass(DefaultFirstMove)
		b.sees(first)
		b.sees(second)
		late, prompt := b.who(first), b.who(second)
		his := b.seek(late)
		w := b.Lobby().Waiting(prompt.ID)
		if w.Count != 1 || !w.First[0].IsLate || !w.First[0].ApartUntil.Equal(over.Add(lobby.SeparationTime)) {
			b.Errorf("who moved in time is told of %+v", w)
		}
		mine := b.seek(prompt)
		if w := b.Lobby().Waiting(late.ID); w.Count != 0 || len(w.First) != 0 {
			b.Errorf("who did not move may join %+v", w)
		}
		for _, c := range []struct {
			seek   *lobby.Seek
			other  match.Player
			isLate bool
		}{{his, prompt, false}, {mine, late, true}} {
			status, _ := b.status(c.seek)
			if len(status.Apart) != 1 || status.Apart[0].Name != c.other.Name || status.Apart[0].IsLate != c.isLate ||
				!status.Apart[0].ApartUntil.Equal(over.Add(lobby.SeparationTime)) {
				b.Errorf("told of %+v, want %s, late: %t", status.Apart, c.other.Name, c.isLate)
			}
		}
		his.Cancel()
		if status, _ := b.status(mine); len(status.Apart) != 0 {
			b.Errorf("the other has gone, and still is %+v", status.Apart)
		}
		forgiving := func(p match.Player) *lobby.Seek {
			seek, err := b.Lobby().SeekWith(b.Context(), p, lobby.Options{Forgives: true}, match.DefaultTerms())
			b.must(err)
			return seek
		}
		his = forgiving(late)
		b.waits(his, mine)
		mine.Cancel()
		b.meets(his, forgiving(prompt))
	})
}

// Three players of an address who may not meet kept all others of the address waiting for ever.
func TestThoseWhoMayNotMeetHoldNoOthersUp(t *testing.T) {
	inBubble(t, Config{Networks: func(match.PlayerID) []string { return []string{"one net"} }}, func(b *harness) {
		for _, two := range [][2]int{{1, 2}, {1, 3}, {2, 3}} {
			b.queued(person(two[0]), person(two[1]))
			pass(DefaultFirstMove)
		}
		for i := range 3 {
			b.waits(b.seek(person(1 + i)))
		}
		if s, _ := b.status(b.seek(person(4))); s.Match == "" {
			b.Error("the fourth player of the address finds no opponent")
		}
	})
}

// A player who resigned at once met one opponent again and again, and kept opponents from each other.
func TestPlayersAreKeptApartAfterAMatchThatWasGivenUp(t *testing.T) {
	networks := func(p match.PlayerID) []string { return []string{"net of " + string(p)} }
	inBubble(t, Config{Networks: networks}, func(b *harness) {
		spoiler := person(0)
		for i := range 2 {
			first, second := b.queued(spoiler, person(1+i))
			if b.who(first) != spoiler {
				first = second
			}
			b.must(first.Resign(b.Context()))
		}
		late, waited := b.seek(spoiler), b.seek(person(1))
		b.waits(late, waited)
		b.meets(waited, b.seek(person(3)))
		b.waits(b.seek(person(4))) // the spoiler meets no other player at once
	})
}
