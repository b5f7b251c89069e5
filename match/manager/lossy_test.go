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

// simRandom is the random source of one actor in a simulation. It depends only on the seed and the actor's name, so
// that no other actor changes its draws. One goroutine uses it.
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
func (l *simRandom) of(actor ...any) *simRandom {
	return newSimRandom(l.seed, fmt.Sprint(l.name, actor))
}

// now returns the random source of one request made now, by what it is about. It is safe for concurrent use.
func (l *simRandom) now(about ...any) *simRandom { return l.of(about, time.Now().UnixNano()) }

func (l *simRandom) chance(n int) int { return l.rng.IntN(n) }

// wait sleeps for up to most of synctest's time, or less if ctx ends.
func (l *simRandom) wait(ctx context.Context, most time.Duration) {
	timer := time.NewTimer(time.Duration(l.chance(int(most))))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// lossy is a node's unreliable access to the shared registry: entries arrive late, and after a long silence only the
// newest of each key. Puts are refused, or stored without an answer.
type lossy struct {
	journal
	random  *simRandom
	cleared *atomic.Bool // the access is reliable again
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

func newLossy(j journal, l *simRandom, cleared *atomic.Bool) *lossy {
	f := &lossy{
		journal: j, random: l, cleared: cleared, done: make(chan struct{}),
		watchers: make(map[*func(match.Entry)]struct{}), delivered: make(map[string]match.Entry), moved: make(chan struct{}),
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

func (f *lossy) come(n match.Entry) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.coming, f.newest = append(f.coming, n), n.Revision
}

// run delivers what has arrived, after a short or a long delay.
func (f *lossy) run(ctx context.Context) {
	for ctx.Err() == nil {
		late := 20 * time.Millisecond
		if !f.cleared.Load() && f.random.chance(300) == 0 {
			late = match.EntryTTL
		}
		f.random.wait(ctx, late)
		f.notify(late == match.EntryTTL)
	}
}

// notify delivers the arrived entries one after another, so that the effects of each come before the next.
func (f *lossy) notify(newest bool) {
	f.mu.Lock()
	coming := f.coming
	f.coming = nil
	f.mu.Unlock()
	for i, n := range coming {
		if newest && slices.ContainsFunc(coming[i+1:], func(later match.Entry) bool { return later.Key == n.Key }) {
			continue
		}
		f.mu.Lock()
		f.at, f.delivered[n.Key] = n.Revision, n
		for fn := range f.watchers {
			(*fn)(n)
		}
		close(f.moved)
		f.moved = make(chan struct{})
		f.mu.Unlock()
		<-time.After(moment)
	}
}

// Watch implements [match.Registry].
func (f *lossy) Watch(fn func(match.Entry)) (stop func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, n := range slices.SortedFunc(maps.Values(f.delivered), func(a, b match.Entry) int {
		return cmp.Compare(a.Revision, b.Revision)
	}) {
		if n.Text != nil && time.Since(n.At) <= match.EntryTTL {
			fn(n)
		}
	}
	f.watchers[&fn] = struct{}{}
	return func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.watchers, &fn)
	}
}

// Put implements [match.Registry].
func (f *lossy) Put(ctx context.Context, n match.Entry) (match.Entry, error) {
	err := f.change(ctx, n, func() (err error) {
		n, err = f.journal.Put(ctx, n)
		return err
	})
	return n, err
}

// Delete implements [match.Registry].
func (f *lossy) Delete(ctx context.Context, n match.Entry) error {
	return f.change(ctx, match.Entry{Key: n.Key}, func() error { return f.journal.Delete(ctx, n) })
}

func (f *lossy) change(ctx context.Context, n match.Entry, do func() error) error {
	l := f.random.now(n.Key, string(n.Text))
	fate := l.chance(30)
	if f.cleared.Load() {
		fate = -1
	}
	l.wait(ctx, 20*time.Millisecond)
	if fate == 0 {
		return errors.Join(errTrouble, match.ErrUnavailable)
	}
	err := do()
	if err != nil && !errors.Is(err, match.ErrConflict) || fate == 1 {
		l.wait(ctx, match.EntryTTL)
		return errors.Join(errTrouble, match.ErrUnavailable, err)
	}
	if lost := f.reach(ctx); lost != nil {
		return errors.Join(match.ErrUnavailable, lost)
	}
	return err
}

// reach waits until the registry's last revision was delivered here.
func (f *lossy) reach(ctx context.Context) error {
	f.mu.Lock()
	revision := f.newest
	f.mu.Unlock()
	for {
		f.mu.Lock()
		at, moved := f.at, f.moved
		f.mu.Unlock()
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
