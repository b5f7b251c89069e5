package match

import (
	"context"
	"errors"
	"flag"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"notakto/rules"
)

var (
	seeds = flag.Int("seeds", 150, "how many simulated matches TestSimulation plays")
	towns = flag.Int("towns", 6, "how many simulated queues TestLobbySimulation goes through")
	seed  = flag.Uint64("seed", 1, "the first of their seeds; a failure names its own")
)

// Two players who drop out and come back play one match on nodes that crash and restart, over a journal that delays, refuses, loses
// acknowledgements and lets others come first. Whatever happens: a move that was acknowledged stands in the log where it was played, nobody was
// ever shown anything that the log does not say, and the match ends by its rules.
func TestSimulation(t *testing.T) {
	for i := range *seeds {
		s := *seed + uint64(i)
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t, s)
			w.play()
			if t.Failed() {
				t.Fatalf("seed %d: go test ./match -run TestSimulation -seeds 1 -seed %d", s, s)
			}
		})
		if t.Failed() {
			return
		}
	}
}

// world is a house of nodes, a match in it, and what its players were told.
type world struct {
	*testing.T
	*luck
	journal *weather
	id      ID

	mu    sync.Mutex
	nodes []*bed // nil where one is down
	acked map[int]rules.Move
	shown []rules.Move // the longest history that anyone was shown
}

const townNodes = 3

func newWorld(t *testing.T, seed uint64) *world {
	w := &world{
		T: t, luck: &luck{rng: rand.New(rand.NewPCG(seed, 1))}, nodes: make([]*bed, townNodes), acked: make(map[int]rules.Move),
	}
	w.journal = &weather{Memory: NewMemory(0), luck: w.luck, cleared: &atomic.Bool{}}
	for i := range w.nodes {
		w.start(i)
	}
	return w
}

func (w *world) start(i int) {
	j := &mortal{journal: w.journal}
	b := newBed(w.T, Config{Journal: j, Board: j, Seed: uint64(i + 1), Patience: 5 * time.Second, MaxMatches: 100})
	w.mu.Lock()
	defer w.mu.Unlock()
	w.nodes[i] = b
}

func (w *world) node(i int) *bed {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.nodes[i]
}

// play plays the match to its end under bad weather.
func (w *world) play() {
	for w.id == "" {
		if id, _, err := w.node(0).Manager.open(w.Context(), opening{variant: boards(w.T, 3), players: [2]Player{ann(), bob()}}); err == nil {
			w.id = id
		}
	}
	ctx, stop := context.WithCancel(w.Context())
	var players, weather sync.WaitGroup
	weather.Go(func() { w.crash(ctx) })
	for _, p := range []Player{ann(), bob()} {
		players.Go(func() { w.sitAndPlay(ctx, p) })
	}
	late := time.AfterFunc(2*time.Hour, func() {
		w.Errorf("the match does not end: %v", w.shown)
		stop()
	})
	players.Wait()
	late.Stop()
	stop()
	weather.Wait()
	for i := range w.nodes {
		if b := w.node(i); b != nil {
			b.Close()
		}
	}
	w.check()
}

// crash takes nodes down as a power cut would, and starts them again.
func (w *world) crash(ctx context.Context) {
	for ctx.Err() == nil {
		w.wait(ctx, 20*time.Second)
		i := w.chance(townNodes)
		b := w.node(i)
		w.mu.Lock()
		w.nodes[i] = nil
		w.mu.Unlock()
		b.perish()
		w.wait(ctx, 10*time.Second)
		w.start(i)
	}
}

// sitAndPlay is a player who is never away for as long as the grace.
func (w *world) sitAndPlay(ctx context.Context, p Player) {
	for ctx.Err() == nil {
		b := w.node(w.chance(townNodes))
		if b == nil {
			w.wait(ctx, time.Second)
			continue
		}
		seat, err := b.Sit(ctx, w.id, p.ID)
		if err != nil {
			w.wait(ctx, time.Second)
			continue
		}
		over := w.sitting(ctx, seat)
		seat.Close()
		if over {
			return
		}
		w.wait(ctx, 3*time.Second)
	}
}

// sitting plays until the table closes, the player drops out, or the match is over.
func (w *world) sitting(ctx context.Context, seat *Seat) (over bool) {
	drop := time.After(time.Duration(w.chance(int(time.Minute))))
	var last *Snapshot
	for {
		again := time.After(time.Second)
		select {
		case s, open := <-seat.Snapshots():
			if !open {
				return false
			}
			w.see(s, last)
			last = s
		case <-again:
		case <-drop:
			return false
		case <-ctx.Done():
			return true
		}
		switch {
		case last == nil:
		case last.Over():
			return true
		case last.Turn() == seat.Side():
			w.move(ctx, seat, last)
		}
	}
}

// move plays a random move, and notes it down if it was acknowledged.
func (w *world) move(ctx context.Context, seat *Seat, s *Snapshot) {
	w.wait(ctx, 6*time.Second)
	legal := s.Position.Legal()
	m := legal[w.chance(len(legal))]
	ply := len(s.Moves)
	if err := seat.Play(ctx, m); err == nil {
		w.mu.Lock()
		defer w.mu.Unlock()
		if was, twice := w.acked[ply]; twice {
			w.Errorf("ply %d was acknowledged as %v and as %v", ply, was, m)
		}
		w.acked[ply] = m
	}
}

// see checks that what is shown goes on from what was shown before, to whomever.
func (w *world) see(s, last *Snapshot) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if last != nil && s.Seq < last.Seq {
		w.Errorf("event %d is shown after %d", s.Seq, last.Seq)
	}
	n := min(len(s.Moves), len(w.shown))
	if !slices.Equal(s.Moves[:n], w.shown[:n]) {
		w.Errorf("two histories: %v and %v", s.Moves, w.shown)
	}
	if len(s.Moves) > n {
		w.shown = slices.Clone(s.Moves)
	}
}

// check holds what was shown and acknowledged against the log.
func (w *world) check() {
	s := replay(w.T, w.journal.Memory, w.id)
	if !s.Over() || s.Outcome != s.Position.Outcome() {
		w.Errorf("the match ended %+v, by the rules %+v", s.Outcome, s.Position.Outcome())
	}
	if !slices.Equal(s.Moves, w.shown) {
		w.Errorf("the log has %v, shown was %v", s.Moves, w.shown)
	}
	for ply, m := range w.acked {
		if ply >= len(s.Moves) || s.Moves[ply] != m {
			w.Errorf("the acknowledged move %v at ply %d is not in the log: %v", m, ply, s.Moves)
		}
	}
}

// weather is a journal on a bad day.
type weather struct {
	*Memory
	*luck
	cleared *atomic.Bool
}

// Append is [Journal]'s.
func (j *weather) Append(ctx context.Context, events ...Event) (Event, error) {
	if j.cleared.Load() {
		return j.Memory.Append(ctx, events...)
	}
	slow := 50 * time.Millisecond
	if j.chance(15) == 0 {
		slow = 8 * time.Second // longer than anyone's patience
	}
	j.wait(ctx, slow)
	switch fate := j.chance(20); {
	case ctx.Err() != nil:
		return Event{}, ctx.Err()
	case fate == 0:
		return Event{}, errTrouble
	case fate == 1:
		if _, err := j.Memory.Append(context.WithoutCancel(ctx), events...); err != nil {
			return Event{}, err
		}
		return Event{}, errTrouble // recorded, and nobody is told
	}
	return j.Memory.Append(ctx, events...)
}

// Pin is [Board]'s.
func (j *weather) Pin(ctx context.Context, n Note) (Note, error) {
	if !j.cleared.Load() && j.chance(20) == 0 {
		return Note{}, errors.Join(errTrouble, ErrUnavailable)
	}
	return j.Memory.Pin(ctx, n)
}
