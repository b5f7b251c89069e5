package manager

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"notakto/match"
	"notakto/rules"
)

var (
	seeds = flag.Int("seeds", usualSeeds, "how many simulated matches TestSimulation plays")
	towns = flag.Int("towns", usualTowns, "how many simulated queues TestLobbySimulation goes through")
	seed  = flag.Uint64("seed", 1, "the first of their seeds; a failure names its own")
)

// Two players disconnect and return on nodes that crash and restart. The journal delays, refuses, loses answers and
// lets other events come first. An acknowledged move must be in the log where it was played, every snapshot must
// agree with the log, and the match must end by its rules.
func TestSimulation(t *testing.T) {
	for i := range *seeds {
		s := *seed + uint64(i)
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t, s)
			w.play()
			if t.Failed() {
				t.Fatalf("seed %d: go test ./match/manager -run TestSimulation -seeds 1 -seed %d", s, s)
			}
		})
		if t.Failed() {
			return
		}
	}
}

// world holds a match on several nodes, and the messages to its players.
type world struct {
	*simCluster
	id    match.ID
	terms match.Terms

	facts sync.Mutex
	acked []acked
	shown map[int]turn // the turn of each [match.State.TurnNumber], from the snapshots
}

// acked is an acknowledged move.
type acked struct {
	turn int // TurnNumber that the player saw before the move. A takeback may have come in between.
	side rules.Side
	move rules.Move
}

// turn holds the values that all snapshots of one turn share.
type turn struct {
	moves     string
	takebacks int
}

func turnOf(s *match.State) turn { return turn{fmt.Sprint(s.Moves), len(s.Takebacks)} }

func newWorld(t *testing.T, seed uint64) *world {
	return &world{
		simCluster: newSimCluster(t, seed, "world", nil), shown: make(map[int]turn),
		terms: clock(t, []string{"none", "2+1", "5+5", "1d"}[seed%4]),
	}
}

// play plays the match to its end while the journal fails and nodes crash.
func (w *world) play() {
	for w.id == "" {
		if id, _, err := w.node(0).tables.open(w.Context(),
			match.Opening{Terms: w.terms, Players: [2]match.Player{ann(), bob()}}); err == nil {
			w.id = id
		}
	}
	ctx, stop := context.WithCancel(w.Context())
	var players, weather sync.WaitGroup
	weather.Go(func() { w.crash(ctx, 20*time.Second) })
	for _, p := range []match.Player{ann(), bob()} {
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
	w.close()
	w.check()
}

// sitAndPlay plays for a player who is never away for the grace period. The next action depends on the time alone,
// because a stopping node may or may not seat the player.
func (w *world) sitAndPlay(ctx context.Context, p match.Player) {
	name := w.random.of(p.ID)
	for ctx.Err() == nil {
		l := name.now()
		seat, err := (*Seat)(nil), errTrouble
		if b := w.node(l.chance(simNodes)); b != nil {
			seat, err = b.Sit(ctx, w.id, p.ID)
		}
		if err != nil {
			<-time.After(moment)
		} else {
			over := w.playSeat(ctx, seat, name.now())
			// after a request of the opponent that waited for the table, after its readers, and not with the opponent
			<-time.After(time.Duration(seat.Side()) * 2 * moment)
			seat.Close()
			if over {
				return
			}
		}
		name.now().wait(ctx, 2*time.Second)
	}
}

// moment is the time in which all events of one instant happen, in any order.
const moment = time.Microsecond

// playSeat plays until the table closes, the player drops out, or the match is over.
func (w *world) playSeat(ctx context.Context, seat *Seat, l *simRandom) (over bool) {
	drop := time.Now().Add(time.Duration(l.chance(int(time.Minute))))
	var last *match.Snapshot
	for time.Now().Before(drop) {
		again := time.After(min(time.Second, time.Until(drop)))
		var news []*match.Snapshot
		open := true
		select {
		case s, is := <-seat.Snapshots():
			news, open = append(news, s), is
		case <-again:
		case <-ctx.Done():
			return true
		}
		<-time.After(moment)
		select {
		case s, is := <-seat.Snapshots():
			news, open = append(news, s), is
		default:
		}
		for _, s := range news {
			if s != nil {
				w.see(s, last)
				last = s
			}
		}
		switch {
		case !open:
			return false
		case last == nil:
		case last.IsOver():
			return true
		case last.RequestTo(seat.Side()) != 0:
			w.answer(ctx, seat, last, l)
		case last.Turn() == seat.Side():
			w.move(ctx, seat, last, l)
		case last.CanTakeBack(seat.Side()) == nil && l.chance(4) == 0:
			l.wait(ctx, time.Second)
			_ = seat.Ask(ctx, match.TakebackOffered)
		}
	}
	return false
}

// move plays a random move, and stores an acknowledged one.
func (w *world) move(ctx context.Context, seat *Seat, s *match.Snapshot, l *simRandom) {
	l.wait(ctx, 6*time.Second)
	legal := s.Position.LegalMoves()
	m := legal[l.chance(len(legal))]
	if s.CanTakeBack(seat.Side()) == nil && l.chance(8) == 0 {
		_ = seat.Ask(ctx, match.TakebackOffered)
		return
	}
	if err := seat.Play(ctx, m); err == nil {
		w.facts.Lock()
		defer w.facts.Unlock()
		w.acked = append(w.acked, acked{s.TurnNumber(), seat.Side(), m})
	}
}

// answer agrees to a request, declines it, or lets it wait.
func (w *world) answer(ctx context.Context, seat *Seat, s *match.Snapshot, l *simRandom) {
	l.wait(ctx, 2*time.Second)
	switch l.chance(3) {
	case 0:
		_ = seat.Ask(ctx, match.TakebackOffered)
	case 1:
		_ = seat.Ask(ctx, match.Declined)
	default:
		if s.Turn() == seat.Side() {
			w.move(ctx, seat, s, l)
		}
	}
}

// see checks that a snapshot extends the previous one of the same reader.
func (w *world) see(s, last *match.Snapshot) {
	w.facts.Lock()
	defer w.facts.Unlock()
	if last != nil && s.Seq < last.Seq {
		w.Errorf("event %d is shown after %d", s.Seq, last.Seq)
	}
	number, now := s.TurnNumber(), turnOf(s.State)
	if was, seen := w.shown[number]; seen && was != now {
		w.Errorf("turn %d has two histories: %+v and %+v", number, was, now)
	}
	w.shown[number] = now
}

// trace holds the records of a run in order, with synctest's time. Each run begins at one time.
type trace []string

func (tr *trace) record(e match.Event) { *tr = append(*tr, fmt.Sprintf("%v", e)) }

func TestSimulationRepeats(t *testing.T) {
	for s := *seed; s < *seed+10; s++ {
		var runs [2]trace
		for i := range runs {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, s)
				w.play()
				runs[i] = w.trace
			})
		}
		if !slices.Equal(runs[0], runs[1]) {
			t.Errorf("seed %d:\n%v\n%v", s, runs[0], runs[1])
		}
	}
}

// check compares snapshots and acknowledged moves with the log.
func (w *world) check() {
	s := replay(w.T, w.journal, w.id)
	if by := s.Outcome.Reason; !s.IsOver() || s.Outcome != s.Position.Outcome() && (s.Clock.IsNone() ||
		by != rules.ReasonTime && !s.Outcome.IsVoid()) {
		w.Errorf("with the clock %s the match ended %+v, by the rules %+v", s.Clock, s.Outcome, s.Position.Outcome())
	}
	w.checkEvents()
	if last := w.shown[s.TurnNumber()]; last != turnOf(&s) {
		w.Errorf("the log has %+v, shown was %+v", turnOf(&s), last)
	}
}

// checkEvents checks that the log has the acknowledged moves and the shown turns, and that no turn is charged more
// time than it took.
func (w *world) checkEvents() {
	events, err := w.journal.Load(w.Context(), w.id, 0)
	if err != nil {
		w.Fatal(err)
	}
	state := match.State{}
	for _, e := range events {
		if took := e.At.Sub(state.TurnSince); state.HasStarted() && e.Spent > took {
			w.Errorf("event %d is charged %v and took %v", e.Seq, e.Spent, took)
		}
		if e.Kind == match.Moved {
			i := slices.IndexFunc(w.acked, func(a acked) bool {
				return a.turn <= state.TurnNumber() && a.side == e.Seat && a.move == e.Move
			})
			if i >= 0 {
				w.acked = slices.Delete(w.acked, i, i+1)
			}
		}
		if state, err = state.Apply(e); err != nil {
			w.Fatal(err)
		}
		if shown, seen := w.shown[state.TurnNumber()]; state.HasStarted() && seen && shown != turnOf(&state) {
			w.Errorf("the log has %+v in turn %d, shown was %+v", turnOf(&state), state.TurnNumber(), shown)
		}
	}
	if len(w.acked) > 0 {
		w.Errorf("acknowledged moves that are not in the log: %+v", w.acked)
	}
}

// weather is a node's access to a journal on a bad day.
type weather struct {
	*match.Memory
	random  *simRandom
	cleared *atomic.Bool
}

// Append implements [match.Journal].
func (w *weather) Append(ctx context.Context, events ...match.Event) (match.Event, error) {
	return w.AppendWith(ctx, nil, events...)
}

// AppendWith implements [match.Store].
func (w *weather) AppendWith(ctx context.Context, entries []match.Entry, events ...match.Event) (match.Event, error) {
	l := w.random.now(events[0].Match, events[0].Seq, events[0].Kind)
	if w.cleared.Load() {
		l.wait(ctx, time.Millisecond)
		return w.Memory.AppendWith(ctx, entries, events...)
	}
	slow := 50 * time.Millisecond
	if l.chance(15) == 0 {
		slow = 8 * time.Second // longer than every timeout
	}
	l.wait(ctx, slow)
	switch fate := l.chance(20); {
	case ctx.Err() != nil:
		return match.Event{}, ctx.Err()
	case fate == 0:
		return match.Event{}, errTrouble
	case fate == 1:
		if _, err := w.Memory.AppendWith(context.WithoutCancel(ctx), entries, events...); err != nil {
			return match.Event{}, err
		}
		return match.Event{}, errTrouble // recorded, but not delivered
	}
	return w.Memory.AppendWith(ctx, entries, events...)
}

// Put implements [match.Registry].
func (w *weather) Put(ctx context.Context, e match.Entry) (match.Entry, error) {
	l := w.random.now(e.Key, string(e.Text))
	if l.wait(ctx, time.Millisecond); !w.cleared.Load() && l.chance(20) == 0 {
		return match.Entry{}, errors.Join(errTrouble, match.ErrUnavailable)
	}
	return w.Memory.Put(ctx, e)
}
