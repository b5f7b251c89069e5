package manager

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"notakto/match"
	"notakto/match/lobby"
	"notakto/rules"
)

// Players seek and cancel on nodes that crash and restart, over a lossy registry. The simulation checks that
//   - a live node notifies every player that it seats
//   - a cancelled ticket ends, and every match ends
//   - one second game follows the first game of a rated pair, and no player has two pairs at once
//   - all players who seek are paired once the registry is reliable
//
// A seed gives one run, except where two timers of one node fire at one moment.
func TestLobbySimulation(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // on several processors, more seeds do not repeat
	for i := range *towns {
		s := *seed + uint64(i)
		synctest.Test(t, func(t *testing.T) { newSimCluster(t, s, "town", nil).live() })
		if t.Failed() {
			t.Fatalf("seed %d: go test ./match/manager -run TestLobbySimulation -towns 1 -seed %d", s, s)
		}
	}
}

const (
	simNodes  = 3
	townsfolk = 6
	soon      = 2 * time.Minute // for a few rounds of the registry
)

// simCluster holds several nodes that crash and start again. Those of a town have a lossy registry.
type simCluster struct {
	*testing.T
	blocks  func(by, other match.PlayerID) bool
	random  *simRandom
	journal *match.Memory
	trace   trace
	logs    map[match.ID][]match.Event
	cleared atomic.Bool

	mu      sync.Mutex
	nodes   []*simNode // nil where one is down
	begun   int        // number of nodes started
	down    map[match.Node]bool
	matches map[match.PlayerID][]match.ID          // that the queue sent to a player
	refused map[match.PlayerID]map[match.Node]bool // nodes that may hold a ticket of the player
}

// simNode is a node with its lossy registry, if any.
type simNode struct {
	*harness
	lossy *lossy
}

func newSimCluster(t *testing.T, seed uint64, name string, blocks func(by, other match.PlayerID) bool) *simCluster {
	w := &simCluster{
		T: t, blocks: blocks, random: newSimRandom(seed, name), journal: match.NewMemory(),
		nodes: make([]*simNode, simNodes),
		logs:  make(map[match.ID][]match.Event), down: make(map[match.Node]bool),
		matches: make(map[match.PlayerID][]match.ID), refused: make(map[match.PlayerID]map[match.Node]bool),
	}
	w.journal.Subscribe(w.trace.record)
	w.journal.Subscribe(func(e match.Event) { w.logs[e.Match] = append(w.logs[e.Match], e) })
	for i := range w.nodes {
		w.start(i)
	}
	return w
}

func (s *simCluster) start(i int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.begun++
	name := fmt.Sprintf("node%d", s.begun)
	l := s.random.of(name)
	node, store := &simNode{}, match.Store(&weather{Memory: s.journal, random: l, cleared: &s.cleared})
	if s.random.name == "town" {
		node.lossy = newLossy(store, l.of("fog"), &s.cleared)
		store = node.lossy
	}
	node.harness = newHarness(s.T, Config{
		Journal: &mortal{Store: store}, Seed: uint64(s.begun), JournalTimeout: 5 * time.Second,
		MaxMatches: 1000, Node: match.Node(name), Blocks: s.blocks, Log: slog.New(slog.DiscardHandler),
	})
	s.nodes[i] = node
}

// crash takes nodes down as a power cut would, and starts them again.
func (s *simCluster) crash(ctx context.Context, pause time.Duration) {
	l := s.random.of("crash")
	for ctx.Err() == nil {
		l.wait(ctx, pause)
		i := l.chance(simNodes)
		b := s.node(i)
		s.mu.Lock()
		s.nodes[i], s.down[b.tables.peers.self] = nil, true
		s.mu.Unlock()
		b.perish()
		if b.lossy != nil {
			b.lossy.stop()
		}
		l.wait(ctx, 10*time.Second)
		s.start(i)
	}
}

func (s *simCluster) close() {
	for _, b := range s.nodes {
		b.Close()
		if b.lossy != nil {
			b.lossy.stop()
		}
	}
}

func (s *simCluster) node(i int) *simNode {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.nodes[i]
}

// storm has each player act again and again while nodes crash.
func (s *simCluster) storm(act func(match.Player, *simRandom)) {
	ctx, calm := context.WithTimeout(s.Context(), 5*time.Minute)
	defer calm()
	var all sync.WaitGroup
	all.Go(func() { s.crash(ctx, 40*time.Second) })
	for i := range townsfolk {
		all.Go(func() {
			for l := s.random.of(person(i).ID); ctx.Err() == nil; {
				act(person(i), l)
			}
		})
	}
	all.Wait()
}

// live runs the simulation with faults, and checks the result.
func (s *simCluster) live() {
	s.storm(func(p match.Player, l *simRandom) {
		accepts := match.DefaultAccepted()
		switch one := l.chance(len(accepts) + 6); {
		case one < len(accepts): // one choice only
			accepts = accepts[one : one+1]
		case one < len(accepts)+3:
			accepts = []match.Terms{match.RatedTerms(match.PeoplePool)}
		}
		s.seek(p, time.Duration(l.chance(int(20*time.Second))), l, accepts...)
	})
	s.cleared.Store(true)
	pass(2*match.EntryTTL + lobby.SeparationTime) // tickets that could not be deleted expire, and all may be paired again
	var all sync.WaitGroup
	for i := range townsfolk {
		all.Go(func() { s.find(person(i)) })
	}
	all.Wait()
	pass(10 * time.Minute)
	s.check()
	s.close()
}

func (s *simCluster) find(p match.Player) {
	l := s.random.of(p.ID, "at the end")
	for end := time.Now().Add(soon); time.Now().Before(end); {
		if s.seek(p, soon, l, match.DefaultAccepted()...) {
			return
		}
	}
	s.Errorf("%s finds no opponent", p.ID)
}

// seek takes a ticket at some node, cancels it after a while, and reports whether it led to a match.
func (s *simCluster) seek(p match.Player, timeout time.Duration, l *simRandom, accepts ...match.Terms) bool {
	l.wait(s.Context(), time.Millisecond) // orders two players with matches that end at one moment
	b := s.node(l.chance(simNodes))
	if b == nil {
		l.wait(s.Context(), time.Second)
		return false
	}
	seek, err := b.Lobby().Seek(s.Context(), p, accepts...)
	if err != nil {
		if !errors.Is(err, match.ErrRated) {
			s.isExcused(p, b)
		}
		l.wait(s.Context(), 2*time.Second)
		return false
	}
	enough, stuck := time.After(timeout), time.After(timeout+soon)
	for {
		select {
		case status, open := <-seek.Status():
			if open && status.Match == "" {
				continue
			}
			if open {
				s.enter(b, p, status.Match, l)
			}
			return open
		case <-enough:
			seek.Cancel()
		case <-stuck:
			s.Errorf("%s has given up and waits for ever", p.ID)
			return true
		}
	}
}

func (s *simCluster) isExcused(p match.Player, b *simNode) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.refused[p.ID] == nil {
		s.refused[p.ID] = make(map[match.Node]bool)
	}
	s.refused[p.ID][b.tables.peers.self] = true
}

// enter plays for a player who was sent a match. The player usually takes the seat and resigns.
func (s *simCluster) enter(b *simNode, p match.Player, id match.ID, l *simRandom) {
	s.mu.Lock()
	s.matches[p.ID] = append(s.matches[p.ID], id)
	s.mu.Unlock()
	l.wait(s.Context(), time.Millisecond) // orders two players notified at one moment
	seat, err := b.Sit(s.Context(), id, p.ID)
	if err != nil {
		return
	}
	defer seat.Close()
	if !b.cfg.Journal.(*mortal).dead.Load() { // a stopping node may or may not seat the player
		l.wait(s.Context(), time.Millisecond)
		_ = seat.Resign(s.Context()) // the opponent may have been quicker
		l.wait(s.Context(), time.Millisecond)
		if l.chance(2) == 0 {
			s.stay(seat)
			l.wait(s.Context(), time.Millisecond) // both may see the end at one moment
		}
	}
}

// stay watches a finished match until its second game has begun, or would have.
func (s *simCluster) stay(seat *Seat) {
	for end := time.After(2 * match.SecondGameDelay); ; {
		select {
		case state, open := <-seat.Snapshots():
			if !open || state.IsOver() && !state.AwaitsSecondGame() || state.Next != "" {
				return
			}
		case <-end:
			return
		}
	}
}

// checkPair checks that one second game follows the first game of a pair, and that no other match is followed.
func (s *simCluster) checkPair(id match.ID) {
	state := replay(s.T, s.journal, id)
	var seconds []match.ID
	for other, log := range s.logs {
		if log[0].Pair.First == id {
			seconds = append(seconds, other)
		}
	}
	if !state.AwaitsSecondGame() {
		if len(seconds) > 0 {
			s.Errorf("after %state, which ended %+v, came %v", id, state.Outcome, seconds)
		}
		return
	}
	if len(seconds) != 1 || state.Next != seconds[0] {
		s.Errorf("after the first game %state, which names %q, came %v", id, state.Next, seconds)
		return
	}
	next := replay(s.T, s.journal, state.Next)
	isSwapped := next.Seat(rules.First).Player == state.Seat(rules.Second).Player &&
		next.Seat(rules.Second).Player == state.Seat(rules.First).Player
	if next.Pair != state.SecondGame() || !isSwapped || !next.IsPairOver() {
		s.Errorf("the second game of %state is %+v, and ended %+v", id, next.Pair, next.Outcome)
	}
	if after := next.OpenedAt.Sub(state.EndedAt); after < match.SecondGameDelay || after > soon {
		s.Errorf("the second game of %state began at %v, after the end at %v", id, next.OpenedAt, state.EndedAt)
	}
}

// checkOverlaps checks that no player had two rated games at once, nor a rated game between two others.
func (s *simCluster) checkOverlaps() {
	type stay struct{ from, to time.Time }
	stays := make(map[match.PlayerID][]stay)
	pairs := 0
	for id := range s.logs {
		state := replay(s.T, s.journal, id)
		if state.Game() != 1 {
			continue
		}
		pairs++
		end := state.EndedAt
		if state.Next != "" {
			end = replay(s.T, s.journal, state.Next).EndedAt
		}
		for _, side := range rules.Sides() {
			p := state.Seat(side).Player.ID
			for _, other := range stays[p] {
				if state.OpenedAt.Before(other.to) && other.from.Before(end) {
					s.Errorf("%state plays two pairs at once: %v to %v, and %v", p, state.OpenedAt, end, other)
				}
			}
			stays[p] = append(stays[p], stay{state.OpenedAt, end})
		}
	}
	if pairs == 0 {
		s.Error("there was no rated pair")
	}
}

// check compares the messages to players with the log.
func (s *simCluster) check() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.logs) == 0 {
		s.Error("there was no match")
	}
	s.checkOverlaps()
	for id, log := range s.logs {
		if state := replay(s.T, s.journal, id); !state.IsOver() {
			s.Errorf("the match %state does not end: %+v", id, log)
		}
		s.checkPair(id)
		for _, e := range log {
			p := e.Player.ID
			isReported := log[0].Pair.First != "" || slices.Contains(s.matches[p], id)
			if e.Kind == match.Seated && !isReported && !s.down[e.Node] && !s.refused[p][e.Node] {
				s.Errorf("%state was seated in %state and not told: %+v", p, id, log)
			}
		}
	}
}
