package manager

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"notakto/match"
)

// simRandom is the random source of one actor in a simulation. It depends only on the seed and the actor's name, and
// other actors do not change its draws. One goroutine uses it.
type simRandom struct {
	seed uint64
	name string
	rng  *rand.Rand
}

func newSimRandom(seed uint64, name string) *simRandom {
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(name)) // never fails
	return &simRandom{seed: seed, name: name, rng: rand.New(rand.NewPCG(seed, hash.Sum64()))}
}

// of returns the random source of another actor. It is safe for concurrent use.
func (s *simRandom) of(actor ...any) *simRandom {
	return newSimRandom(s.seed, fmt.Sprint(s.name, actor))
}

// now returns the random source of a request by its subject and the time. It is safe for concurrent use.
func (s *simRandom) now(about ...any) *simRandom { return s.of(about, time.Now().UnixNano()) }

func (s *simRandom) chance(n int) int { return s.rng.IntN(n) }

// wait sleeps for up to most of synctest's time, or less if ctx ends.
func (s *simRandom) wait(ctx context.Context, most time.Duration) {
	timer := time.NewTimer(time.Duration(s.chance(int(most))))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// lossy is a node's unreliable access to the shared registry. Entries arrive late, and after a long silence only the
// newest one of each key. Puts are refused, or stored without an answer.
type lossy struct {
	match.Store
	random  *simRandom
	cleared *atomic.Bool  // the access is reliable again
	arrived chan struct{} // coming is no longer empty
	done    chan struct{}
	stop    func()

	mu        sync.Mutex
	coming    []match.Entry // in the order of the registry
	delivered map[string]match.Entry
	at        uint64        // the last revision delivered
	moved     chan struct{} // closed when at changes
	newest    uint64        // the last revision of the registry
	watchers  map[*func(match.Entry)]struct{}
}

func newLossy(j match.Store, l *simRandom, cleared *atomic.Bool) *lossy {
	f := &lossy{
		Store: j, random: l, cleared: cleared, arrived: make(chan struct{}, 1), done: make(chan struct{}),
		watchers: make(map[*func(match.Entry)]struct{}), delivered: make(map[string]match.Entry),
		moved: make(chan struct{}),
	}
	ctx, cancel := context.WithCancel(context.Background())
	silent := j.Watch(f.come)
	go func() {
		defer close(f.done)
		f.run(ctx)
	}()
	f.stop = func() {
		silent()
		cancel()
		<-f.done
	}
	return f
}

func (l *lossy) come(e match.Entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.coming, l.newest = append(l.coming, e), e.Revision; len(l.coming) == 1 {
		select {
		case l.arrived <- struct{}{}:
		default:
		}
	}
}

// run delivers arrived entries after a short delay, and after a long silence now and then.
func (l *lossy) run(ctx context.Context) {
	for ctx.Err() == nil {
		const most = 6 * time.Second // between two silences
		silence := time.NewTimer(time.Duration(l.random.chance(int(most))))
		for isSilent := false; !isSilent && ctx.Err() == nil; {
			select {
			case <-l.arrived:
				l.random.wait(ctx, 20*time.Millisecond)
				l.notify(false)
			case <-silence.C:
				isSilent = true
			case <-ctx.Done():
			}
		}
		silence.Stop()
		if !l.cleared.Load() {
			l.random.wait(ctx, match.EntryTTL)
			l.notify(true)
		}
	}
}

// notify delivers arrived entries one after another, and waits for the effects of each.
func (l *lossy) notify(newest bool) {
	l.mu.Lock()
	coming := l.coming
	l.coming = nil
	l.mu.Unlock()
	for i, e := range coming {
		if newest && slices.ContainsFunc(coming[i+1:], func(later match.Entry) bool { return later.Key == e.Key }) {
			continue
		}
		l.mu.Lock()
		l.at, l.delivered[e.Key] = e.Revision, e
		for fn := range l.watchers {
			(*fn)(e)
		}
		close(l.moved)
		l.moved = make(chan struct{})
		l.mu.Unlock()
		<-time.After(moment)
	}
}

// Watch implements [match.Registry].
func (l *lossy) Watch(fn func(match.Entry)) (stop func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, e := range slices.SortedFunc(maps.Values(l.delivered), func(a, b match.Entry) int {
		return cmp.Compare(a.Revision, b.Revision)
	}) {
		if e.Text != nil && time.Since(e.At) <= match.EntryTTL {
			fn(e)
		}
	}
	l.watchers[&fn] = struct{}{}
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.watchers, &fn)
	}
}

// Put implements [match.Registry].
func (l *lossy) Put(ctx context.Context, e match.Entry) (match.Entry, error) {
	err := l.change(ctx, e, func() (err error) {
		e, err = l.Store.Put(ctx, e)
		return err
	})
	return e, err
}

// AppendWith implements [match.Store].
func (l *lossy) AppendWith(ctx context.Context, entries []match.Entry, events ...match.Event) (
	last match.Event, err error,
) {
	if len(entries) == 0 {
		return l.Append(ctx, events...)
	}
	err = l.change(ctx, entries[0], func() (err error) {
		last, err = l.Store.AppendWith(ctx, entries, events...)
		return err
	})
	return last, err
}

// Delete implements [match.Registry].
func (l *lossy) Delete(ctx context.Context, e match.Entry) error {
	return l.change(ctx, match.Entry{Key: e.Key}, func() error { return l.Store.Delete(ctx, e) })
}

func (l *lossy) change(ctx context.Context, e match.Entry, do func() error) error {
	random := l.random.now(e.Key, string(e.Text))
	fate := random.chance(30)
	if l.cleared.Load() {
		fate = -1
	}
	random.wait(ctx, 20*time.Millisecond)
	if fate == 0 {
		return errors.Join(errTrouble, match.ErrUnavailable)
	}
	err := do()
	if err != nil && !errors.Is(err, match.ErrConflict) || fate == 1 {
		random.wait(ctx, match.EntryTTL)
		return errors.Join(errTrouble, match.ErrUnavailable, err)
	}
	if lost := l.reach(ctx); lost != nil {
		return errors.Join(match.ErrUnavailable, lost)
	}
	return err
}

// reach waits until the registry's last revision was delivered here.
func (l *lossy) reach(ctx context.Context) error {
	l.mu.Lock()
	revision := l.newest
	l.mu.Unlock()
	for {
		l.mu.Lock()
		at, moved := l.at, l.moved
		l.mu.Unlock()
		if at >= revision {
			return nil
		}
		select {
		case <-moved:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
