package player_test

import (
	"encoding/json"
	"runtime"
	"strings"
	"testing"
	"time"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/account"
	"notakto/match/manager"
	"notakto/rules"
	"notakto/rules/opening"
	"notakto/rules/strategy"
	"notakto/sshapp/cli"
	"notakto/sshapp/cli/player"
)

// sit returns the seats of a match in the order of moves.
func sit(t *testing.T, s *player.Server, id match.ID) [2]*manager.Seat {
	t.Helper()
	var seats [2]*manager.Seat
	for _, p := range []match.PlayerID{s.Player.ID, "b"} {
		seat, err := s.Manager.Sit(t.Context(), id, p)
		testkit.OK(t, err)
		seats[seat.Side()-1] = seat
	}
	return seats
}

// While a player is in a rated pair, the server analyses no position for that player and prints no picture. The
// record has the opening without the seed.
func TestDuringARatedPair(t *testing.T) {
	s := testServer(t)
	id := pairUp(t, s)
	seats := sit(t, s, id)
	at := func(line string) answer { return ask(player.Env{Server: s}, "", strings.Fields(line)...) }
	for _, line := range []string{"analyse notakto/1: 5", "analyse X........", "analyse --match " + string(id)} {
		at(line).expect(t, line, cli.ExitFailure, "", "not during a rated game")
	}
	locally("analyse", "notakto/1: 5").expect(t, "locally", cli.ExitOK, "loses to perfect play", "")
	other := &player.Server{Player: match.Player{ID: "c", Name: "cleo"}, Manager: s.Manager}
	got := ask(player.Env{Server: other}, "", "analyse", "notakto/1:", "5")
	got.expect(t, "for another player", cli.ExitOK, "loses to perfect play", "")

	start := (<-seats[0].Snapshots()).Position
	for i, m := range start.LegalMoves()[:2] {
		testkit.OK(t, seats[i].Play(t.Context(), m))
	}
	testkit.OK(t, seats[0].Resign(t.Context()))
	record := at("show --json " + string(id))
	var shown struct {
		Rated struct {
			Pair    match.ID
			Game    int
			Opening struct{ Position, Hash, Seed string }
		}
		Moves []struct{ Move string }
	}
	if err := json.Unmarshal([]byte(record.out), &shown); err != nil {
		t.Fatal(err, record)
	}
	drawn := shown.Rated.Opening
	if shown.Rated.Pair != id || shown.Rated.Game != 1 || len(shown.Moves) != 2 ||
		drawn.Position != start.String() || len(drawn.Hash) != 64 || drawn.Seed != "" {
		t.Errorf("the record is %s", record.out)
	}
	at("show "+string(id)).expect(t, "show", cli.ExitOK, "rated, game 1 of the pair "+string(id), "")
	for _, name := range []string{"card", "cast"} { // pictures tell the winner with perfect play
		at(name+" "+string(id)).expect(t, name, cli.ExitFailure, "", "not during a rated game")
		got := ask(player.Env{Server: other}, "", name, string(id))
		got.expect(t, name+" for another player", cli.ExitOK, "resigned", "")
	}
	state := snapshotOf(t, seats[1])
	if state.Start != start || state.OpeningHash() == opening.Commitment("") {
		t.Errorf("the state is %+v", state.Result)
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
	at := func(line string) answer { return ask(player.Env{Server: s}, "", strings.Fields(line)...) }
	for deadline := time.Now().Add(10 * time.Second); !strings.Contains(at("me export").out, `"slips":[{`); {
		if time.Now().After(deadline) {
			t.Fatal("the slip is not stored")
		}
		runtime.Gosched()
	}
	at("profile").expect(t, "before", cli.ExitOK, "Kept the win 0 of 1 time.", "")
	pairUp(t, s)
	at("me export").expect(t, "the slips", cli.ExitOK, `"slips":[]`, "")
	if got := at("profile"); strings.Contains(got.out, "Kept") || got.status != cli.ExitOK {
		t.Errorf("the profile says %+v", got)
	}
	at("profile --json").expect(t, "the share", cli.ExitOK, `"kept":null`, "")
}

func snapshotOf(t *testing.T, seat *manager.Seat) *match.Snapshot {
	t.Helper()
	for s := range seat.Snapshots() {
		if s.IsOver() {
			return s
		}
	}
	t.Fatal("the table has closed")
	return nil
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
