package manager

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"sync"
	"testing"
	"time"

	"notakto/match"
	"notakto/rules"
	"notakto/rules/strategy"
)

// visitor plays one seat to the end with random moves, and keeps the last snapshot for checkEnd.
type visitor struct {
	t    *testing.T
	rng  *rand.Rand
	seat *Seat
	last match.Snapshot
}

func (v *visitor) play(ctx context.Context) {
	defer v.seat.Close()
	for s := range v.seat.Snapshots() {
		if s.Seq <= v.last.Seq && s.Spectators == v.last.Spectators {
			v.t.Errorf("match %s went from event %d to %d", s.ID, v.last.Seq, s.Seq)
		}
		v.last = *s
		if s.IsOver() {
			return
		}
		if s.Turn() != v.seat.Side() {
			continue
		}
		if err := v.act(ctx, *s); err != nil {
			v.t.Errorf("match %s: %v", s.ID, err)
			return
		}
	}
	v.t.Errorf("match %s: the table closed before the end", v.seat.ID())
}

func (v *visitor) act(ctx context.Context, s match.Snapshot) error {
	if v.rng.IntN(100) == 0 {
		return v.seat.Resign(ctx)
	}
	moves := s.Position.LegalMoves()
	err := v.seat.Play(ctx, moves[v.rng.IntN(len(moves))])
	if errors.Is(err, match.ErrMatchOver) {
		return nil // the opponent has resigned
	}
	return err
}

// Thousands of matches of every variant, between people and against every level, end as the boards say. All readers
// of a table must see one result.
func TestRandomMatches(t *testing.T) {
	m := New(Config{Seed: 3, MaxMatches: 1000})
	work := make(chan int)
	var workers sync.WaitGroup
	for worker := range 8 {
		workers.Go(func() {
			rng := rand.New(rand.NewPCG(1, uint64(worker)))
			for i := range work {
				randomMatch(t, m, rng, i)
			}
		})
	}
	for i := range randomMatches {
		work <- i
	}
	close(work)
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
	one := match.Player{ID: match.PlayerID("one" + string(rune('a'+i%7))), Guest: i%2 == 0}
	other := match.Player{ID: "other", Guest: i%3 == 0}
	var id match.ID
	var err error
	players := []match.Player{one}
	if variant := randomVariant(t, rng); i%2 == 0 {
		levels := strategy.Levels()
		id, err = m.PlayComputer(ctx, one, match.Terms{Variant: variant}, levels[i/2%len(levels)], rules.NoSide)
	} else {
		players = append(players, other)
		id, _, err = m.tables.open(ctx, match.Opening{
			Terms: match.Terms{Variant: variant}, Players: match.PlayersInOrder(m.tables.rng.side(), one, other),
		})
	}
	if err != nil {
		t.Error(err)
		return
	}
	visitors := make([]*visitor, len(players))
	var sessions sync.WaitGroup
	for j, p := range players {
		seat, err := m.Sit(ctx, id, p.ID)
		if err != nil {
			t.Error(err)
			continue
		}
		visitors[j] = &visitor{
			t: t, last: match.Snapshot{State: &match.State{}}, rng: rand.New(rand.NewPCG(uint64(i), uint64(j))), seat: seat,
		}
	}
	// All sit before one plays, because a match that one has resigned may be gone before the other comes.
	for _, v := range visitors {
		if v != nil {
			sessions.Go(func() { v.play(ctx) })
		}
	}
	sessions.Wait()
	checkEnd(t, m, visitors)
}

func randomVariant(t *testing.T, rng *rand.Rand) rules.Variant {
	if n := rng.IntN(10); n > 0 {
		return boards(t, n)
	}
	return rules.TicTacToe()
}

func checkEnd(t *testing.T, m *Manager, visitors []*visitor) {
	ends := make([]any, len(visitors))
	log := replay(t, m.cfg.Journal, visitors[0].seat.ID())
	for i, v := range visitors {
		if v == nil || !v.last.Outcome.IsOver() {
			t.Errorf("a match did not end")
			return
		}
		if ends[i] = common(*v.last.State); !reflect.DeepEqual(ends[i], common(log)) {
			t.Errorf("the log tells another end than the table:\n%+v\n%+v", log, ends[i])
		}
		replayed := v.last.Variant.Start()
		for _, move := range v.last.Moves {
			replayed, _ = replayed.Play(move)
		}
		if outcome := v.last.Outcome; replayed != v.last.Position ||
			outcome.Reason != rules.ReasonResign && outcome != replayed.Outcome() {
			t.Errorf("match %s ended with %+v at %s", v.last.ID, outcome, v.last.Position)
		}
	}
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

// common returns the parts of a state that both sides see, without codes and presence.
func common(s match.State) any {
	return []any{
		s.ID, s.Variant, s.Origin, s.Position, s.Moves, s.Outcome, s.OpenedAt, s.TurnSince, s.EndedAt, s.Closed, s.Next,
		s.Seat(rules.First).Player, s.Seat(rules.Second).Player, s.RematchOffered(rules.First),
		s.RematchOffered(rules.Second),
	}
}
