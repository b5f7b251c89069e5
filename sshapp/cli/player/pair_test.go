package player_test

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/account"
	"notakto/match/manager"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/cli/player"
)

// While a player is in a rated pair, the server analyses no position for that player and prints no picture. The
// record has the opening without the seed.
func TestDuringARatedPair(t *testing.T) {
	s := testServer(t)
	id := pairUp(t, s)
	var seats [2]*manager.Seat // in the order of moves
	for _, p := range []match.PlayerID{s.Player.ID, "b"} {
		seat, err := s.Manager.Sit(t.Context(), id, p)
		testkit.OK(t, err)
		seats[seat.Side()-1] = seat
	}
	for _, line := range []string{"analyse notakto/1: 5", "analyse X........", "analyse --match " + string(id)} {
		says(s, line).fails(t, 1, "not during a rated game")
	}
	locally("analyse", "notakto/1: 5").prints(t, "loses to perfect play")
	other := &player.Server{Player: match.Player{ID: "c", Name: "cleo"}, Manager: s.Manager}
	says(other, "analyse notakto/1: 5").prints(t, "loses to perfect play")

	start := (<-seats[0].Snapshots()).Position
	for i, m := range start.LegalMoves()[:2] {
		testkit.OK(t, seats[i].Play(t.Context(), m))
	}
	testkit.OK(t, seats[0].Resign(t.Context()))
	record := says(s, "show --json "+string(id))
	record.prints(t, `"rated":{"pair":"`+string(id)+`","game":1,"opening":{"position":"`+start.String()+`","hash":"`)
	if strings.Contains(record.out, `"seed"`) || strings.Count(record.out, `"move":`) != 2 {
		t.Errorf("the record is %s", record.out)
	}
	says(s, "show "+string(id)).prints(t, "rated, game 1 of the pair "+string(id))
	for _, name := range []string{"card", "cast"} { // pictures tell the winner with perfect play
		says(s, name+" "+string(id)).fails(t, 1, "not during a rated game")
		says(other, name+" "+string(id)).prints(t, "resigned")
	}
}

// The loser of a first game once read in an export which of the moves had been wrong, before the second game from the
// same opening.
func TestNoSlipIsToldDuringARatedPair(t *testing.T) {
	s, data := testServer(t), testkit.Store(t)
	s.Progress, s.History = data.Progress(), data.History()
	s.Caller = account.Caller{Account: s.Player.ID, Key: "key"}
	m := manager.New(manager.Config{Journal: data, Seed: 1})
	defer m.Close()
	one, err := rules.Notakto(1)
	testkit.OK(t, err)
	id, err := m.PlayComputer(t.Context(), s.Player, match.Terms{Variant: one}, strategy.Novice, rules.First)
	testkit.OK(t, err)
	seat, err := m.Sit(t.Context(), id, s.Player.ID)
	testkit.OK(t, err)
	testkit.OK(t, seat.Play(t.Context(), rules.Move{Cell: 1})) // only the centre wins
	testkit.OK(t, seat.Resign(t.Context()))
	seat.Close()
	for deadline := time.Now().Add(10 * time.Second); !strings.Contains(says(s, "me export").out, `"slips":[{`); {
		if time.Now().After(deadline) {
			t.Fatal("the slip is not stored")
		}
		runtime.Gosched()
	}
	says(s, "profile").prints(t, "Kept the win 0 of 1 time.")
	pairUp(t, s)
	says(s, "me export").prints(t, `"slips":[]`)
	if got := says(s, "profile"); strings.Contains(got.out, "Kept") || got.status != 0 {
		t.Errorf("the profile says %+v", got)
	}
	says(s, "profile --json").prints(t, `"kept":null`)
}

// pairUp pairs two players for a rated pair and returns the first game.
func pairUp(t *testing.T, s *player.Server) (id match.ID) {
	t.Helper()
	for i, p := range []match.Player{s.Player, {ID: "b", Name: "bob"}} {
		seek, err := s.Manager.Lobby().Seek(t.Context(), p, match.RatedTerms(match.PeoplePool))
		testkit.OK(t, err)
		for status := range seek.Status() {
			if id = status.Match; id != "" || i == 0 {
				break
			}
		}
	}
	if id == "" {
		t.Fatal("they do not meet")
	}
	return id
}
