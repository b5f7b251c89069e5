package manager

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"notakto/match"
	"notakto/rules"
	"notakto/rules/strategy"
)

// Hundreds of matches of every variant, between people and against every level, end as the boards say. All readers of
// a table must see one result.
func TestRandomMatches(t *testing.T) {
	m := New(Config{Seed: 3, MaxMatches: 1000})
	var workers sync.WaitGroup
	const atOnce = 8
	for worker := range atOnce {
		workers.Go(func() {
			rng := rand.New(rand.NewPCG(1, uint64(worker)))
			for i := worker; i < randomMatches; i += atOnce {
				randomMatch(t, m, rng, i)
			}
		})
	}
	workers.Wait()
	m.Close()
	if on, _ := m.tables.index.liveAndFinished(); len(on)+m.tables.index.tableCount()+len(m.tables.index.codes.targets)+
		len(m.tables.index.seats.byPlayer) > 0 {
		t.Errorf("left in the register: %d matches, %d tables, %+v", len(on), m.tables.index.tableCount(),
			m.tables.index.codes)
	}
}

func randomMatch(t *testing.T, m *Manager, rng *rand.Rand, i int) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	terms := ticTacToe()
	if n := rng.IntN(10); n > 0 {
		terms.Variant = boards(t, n)
	}
	players := []match.Player{
		{ID: match.PlayerID("one" + string(rune('a'+i%7))), Guest: i%2 == 0}, {ID: "other", Guest: i%3 == 0},
	}
	var id match.ID
	var err error
	if i%2 == 0 {
		levels := strategy.Levels()
		players = players[:1]
		id, err = m.PlayComputer(ctx, players[0], terms, levels[i/2%len(levels)], rules.NoSide)
	} else {
		id, _, err = m.tables.open(ctx, match.Opening{
			Terms: terms, Players: match.PlayersInOrder(m.tables.rng.side(), players[0], players[1]),
		})
	}
	seats := make([]*Seat, len(players))
	for j, p := range players { // all sit before one plays, because the end may come before the other player
		if err == nil {
			seats[j], err = m.Sit(ctx, id, p.ID)
		}
	}
	if err != nil {
		t.Error(err)
		return
	}
	ends := make([]match.Snapshot, len(seats))
	var sessions sync.WaitGroup
	for j, seat := range seats {
		sessions.Go(func() { ends[j] = playRandomly(ctx, t, seat, rand.New(rand.NewPCG(uint64(i), uint64(j)))) })
	}
	sessions.Wait()
	log := replay(t, m.cfg.Journal, id)
	start := log.Variant.Start()
	for _, move := range log.Moves {
		start, _ = start.Play(move)
	}
	if start != log.Position || log.Outcome.Reason != rules.ReasonResign && log.Outcome != start.Outcome() {
		t.Errorf("match %s ended with %+v at %s", id, log.Outcome, log.Position)
	}
	for _, end := range ends {
		if end.State == nil || !end.IsOver() || end.Outcome != log.Outcome || !slices.Equal(end.Moves, log.Moves) ||
			!end.EndedAt.Equal(log.EndedAt) || !end.TurnSince.Equal(log.TurnSince) {
			t.Errorf("the log tells another end than the table:\n%+v\n%+v", log, end.State)
		}
	}
}

// playRandomly plays one seat to the end, and returns the last snapshot.
func playRandomly(ctx context.Context, t *testing.T, seat *Seat, rng *rand.Rand) (last match.Snapshot) {
	defer seat.Close()
	for s := range seat.Snapshots() {
		if last.State != nil && s.Seq <= last.Seq && s.Spectators == last.Spectators {
			t.Errorf("match %s went from event %d to %d", s.ID, last.Seq, s.Seq)
		}
		if last = *s; s.IsOver() {
			return last
		}
		err, moves := error(nil), s.Position.LegalMoves()
		switch {
		case s.Turn() != seat.Side():
		case rng.IntN(100) == 0:
			err = seat.Resign(ctx)
		default:
			err = seat.Play(ctx, moves[rng.IntN(len(moves))])
		}
		if err != nil && !errors.Is(err, match.ErrMatchOver) { // the opponent may have resigned
			t.Errorf("match %s: %v", s.ID, err)
			return last
		}
	}
	return last
}

// replay folds the log of a match.
func replay(t *testing.T, j match.Journal, id match.ID) match.State {
	t.Helper()
	events, err := j.Load(t.Context(), id, 0)
	if err != nil {
		t.Fatal(err)
	}
	var s match.State
	for _, e := range events {
		if s, err = s.Apply(e); err != nil {
			t.Fatal(err)
		}
	}
	return s
}
