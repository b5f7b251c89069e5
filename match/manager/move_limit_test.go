package manager

import (
	"fmt"
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

// An opponent who never moved held up a player indefinitely.
func TestMatchWithoutAFirstMoveIsVoid(t *testing.T) {
	for plies, moves := range [][]string{nil, {"A5"}} {
		t.Run(fmt.Sprint(plies, " plies"), func(t *testing.T) {
			inBubble(t, Config{}, func(b *harness) {
				one, other := b.queued(ann(), bob())
				b.play(one, moves...)
				s := b.sees(other)
				if want := time.Now().Add(DefaultFirstMove); !s.MoveBy.Equal(want) {
					b.Errorf("the limit is %v, want %v", s.MoveBy, want)
				}
				pass(DefaultFirstMove)
				if s := b.sees(other); !s.Outcome.IsVoid() {
					b.Errorf("it ends with %+v", s.Outcome)
				}
				for _, p := range []match.Player{ann(), bob()} {
					if n := len(b.PlayerMatches(p.ID)); n != 0 {
						b.Errorf("%s has %d matches", p.Name, n)
					}
				}
			})
		})
	}
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
		b.must(one.OfferRematch(b.Context()))
		b.must(other.OfferRematch(b.Context()))
		if next := replay(b.T, b.cfg.Journal, b.sees(other).Next); next.Origin != match.QueueOrigin {
			b.Errorf("the rematch is from %d", next.Origin)
		}
		id, err := b.PlayComputer(b.Context(), cleo(), match.DefaultTerms(), 1, rules.First)
		b.must(err)
		seat := b.sit(id, cleo())
		pass(time.Hour)
		if s := b.sees(seat); s.IsOver() || !s.MoveBy.IsZero() {
			b.Errorf("against the computer: %+v, by %v", s.Outcome, s.MoveBy)
		}
	})
}

// The player who never moved was paired with the opponent again, and then a new guest of that address was.
func TestPlayersAreKeptApartAfterAVoidMatch(t *testing.T) {
	networks := func(p match.PlayerID) []string {
		if p == ann().ID || p == cleo().ID {
			return []string{"net of " + string(p)}
		}
		return []string{"one net"}
	}
	inBubble(t, Config{Networks: networks}, func(b *harness) {
		paired := func(s *lobby.Seek) bool {
			status, _ := b.status(s)
			return status.Match != ""
		}
		b.queued(ann(), bob())
		pass(DefaultFirstMove)
		mine, his := b.seek(ann(), rules.DefaultVariant()), b.seek(bob(), rules.DefaultVariant())
		if paired(mine) || paired(his) {
			b.Fatal("the same two are paired again")
		}
		guest := b.seek(guy(), rules.DefaultVariant())
		if paired(mine) || !paired(his) || !paired(guest) { // mine and his may meet
			b.Fatal("another guest of the address is paired with the one who waited in vain")
		}
		again := b.seek(person(7), rules.DefaultVariant())
		pass(lobby.SpoilerDelay + heartbeatInterval)
		if !paired(mine) || !paired(again) {
			b.Error("an opponent of the address is not found although no other comes")
		}
	})
}

// Two players kept apart were told only that two players wait, and the lobby offered to join the opponent.
func TestTheTwoWhoAreKeptApartAreToldOfEachOther(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		first, second := b.queued(ann(), bob())
		over := time.Now().Add(DefaultFirstMove)
		pass(DefaultFirstMove)
		state := b.sees(first)
		b.sees(second)
		late, prompt := state.Seat(rules.First).Player, state.Seat(rules.Second).Player
		his := b.seek(late, rules.DefaultVariant())
		w := b.Lobby().Waiting(prompt.ID)
		if w.Count != 1 || !w.First[0].IsLate || !w.First[0].ApartUntil.Equal(over.Add(lobby.SeparationTime)) {
			b.Errorf("who moved in time is told of %+v", w)
		}
		mine := b.seek(prompt, rules.DefaultVariant())
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
		mine.Cancel()
		if status, _ := b.status(his); len(status.Apart) != 0 {
			b.Errorf("the other has gone, and still is %+v", status.Apart)
		}
		mine, err := b.Lobby().SeekWith(b.Context(), prompt, lobby.Options{Forgives: true}, match.DefaultTerms())
		b.must(err)
		if status, _ := b.status(mine); status.Match == "" {
			b.Errorf("who forgives is not paired: %+v", status)
		}
	})
}

// Only the player who waited in vain can end the pause.
func TestWhoDidNotMoveCannotEndThePause(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		first, second := b.queued(ann(), bob())
		pass(DefaultFirstMove)
		state := b.sees(first)
		b.sees(second)
		late, prompt := state.Seat(rules.First).Player, state.Seat(rules.Second).Player
		his := b.seek(prompt, rules.DefaultVariant())
		mine, err := b.Lobby().SeekWith(b.Context(), late, lobby.Options{Forgives: true}, match.DefaultTerms())
		b.must(err)
		if status, _ := b.status(mine); status.Match != "" {
			b.Errorf("paired in %s", status.Match)
		}
		pass(lobby.SeparationTime + heartbeatInterval)
		if status, _ := b.status(his); status.Match == "" {
			b.Errorf("not paired after the pause: %+v", status)
		}
	})
}

// Two players seeking different numbers of boards were each shown as the only one.
func TestSeekStatusHasWhatOthersWaitFor(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		waitsFor := func(s lobby.SeekStatus, name string, variant rules.Variant) bool {
			return s.Waiting == 2 && len(s.Others) == 1 && s.Others[0].Name == name && s.Others[0].Accepts[0].Variant == variant
		}
		mine := b.seek(ann(), boards(b.T, 3))
		his := b.seek(bob(), boards(b.T, 5))
		if s, _ := b.status(mine); !waitsFor(s, "bob", boards(b.T, 5)) {
			b.Errorf("ann knows %+v", s)
		}
		if s, _ := b.status(his); !waitsFor(s, "ann", boards(b.T, 3)) {
			b.Errorf("bob knows %+v", s)
		}
		his.Cancel()
		if s, _ := b.status(mine); s.Waiting != 1 || len(s.Others) != 0 {
			b.Errorf("ann knows %+v", s)
		}
	})
}

// A guest took every opponent in turn by using a new address of one network for each match.
func TestNetworkOfLatePlayersComesLast(t *testing.T) {
	networks := func(p match.PlayerID) []string {
		if p == ann().ID || p == bob().ID {
			return []string{"64 of " + string(p), "56 of " + string(p), "48 of " + string(p)}
		}
		return []string{"64 of " + string(p), "the 56", "the 48"}
	}
	inBubble(t, Config{Networks: networks}, func(b *harness) {
		for i := range 2 {
			b.queued(person(2*i), person(2*i+1))
			pass(DefaultFirstMove)
		}
		guest := b.seek(person(4), rules.DefaultVariant())
		mine := b.seek(ann(), rules.DefaultVariant())
		if s, _ := b.status(mine); s.Match != "" {
			b.Fatal("a player is paired at once with one of a network of late players")
		}
		his := b.seek(bob(), rules.DefaultVariant())
		one, _ := b.status(mine)
		if other, _ := b.status(his); one.Match == "" || one.Match != other.Match {
			b.Errorf("of two others one has %+v, one %+v", one, other)
		}
		b.seek(person(5), rules.DefaultVariant())
		if s, _ := b.status(guest); s.Match == "" {
			b.Error("players of that network do not meet")
		}
	})
}

// Three players of an address who may not meet kept all others of the address waiting for ever.
func TestThoseWhoMayNotMeetHoldNoOthersUp(t *testing.T) {
	inBubble(t, Config{Networks: func(match.PlayerID) []string { return []string{"one net"} }}, func(b *harness) {
		keptApart := [][2]match.Player{{person(1), person(2)}, {person(1), person(3)}, {person(2), person(3)}}
		for _, two := range keptApart {
			b.queued(two[0], two[1])
			pass(DefaultFirstMove)
		}
		for i := range 3 {
			b.seek(person(1+i), rules.DefaultVariant())
		}
		fourth := b.seek(person(4), rules.DefaultVariant())
		if s, _ := b.status(fourth); s.Match == "" {
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
			seat := first
			if first.Side() != b.sees(first).Side(spoiler.ID) {
				seat = second
			}
			b.must(seat.Resign(b.Context()))
		}
		late := b.seek(spoiler, rules.DefaultVariant())
		waited := b.seek(person(1), rules.DefaultVariant())
		if s, _ := b.status(late); s.Match != "" {
			b.Fatal("who gave two matches up is paired at once")
		}
		third := b.seek(person(3), rules.DefaultVariant())
		mine, _ := b.status(waited)
		if his, _ := b.status(third); mine.Match == "" || mine.Match != his.Match {
			b.Errorf("who waited has %+v, another %+v", mine, his)
		}
		if s, _ := b.status(b.seek(person(4), rules.DefaultVariant())); s.Match != "" {
			b.Error("a player meets at once one who gave two matches up")
		}
	})
}
