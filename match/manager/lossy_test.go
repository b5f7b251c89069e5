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

// luck is the random source of one actor in a simulation. It depends on the seed and on the actor's name alone, so that
// no other actor can change what this one draws. One goroutine uses it.
type luck struct {
	seed uint64
	name string
	rng  *rand.Rand
}

func newLuck(seed uint64, name string) *luck {
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(name)) // never fails
	return &luck{seed: seed, name: name, rng: rand.New(rand.NewPCG(seed, hash.Sum64()))}
}

// of returns the luck of another actor. It may be called from any goroutine.
func (l *luck) of(actor ...any) *luck { return newLuck(l.seed, fmt.Sprint(l.name, actor)) }

// now returns the luck of one request that is made now, by what it is about. It may be called from any goroutine.
func (l *luck) now(about ...any) *luck { return l.of(about, time.Now().UnixNano()) }

func (l *luck) chance(n int) int { return l.rng.IntN(n) }

// wait lets up to most of synctest's time pass, or less if ctx ends.
func (l *luck) wait(ctx context.Context, most time.Duration) {
	timer := time.NewTimer(time.Duration(l.chance(int(most))))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// lossy is what one node has between itself and the registry that all share: news comes late, and after a long
// silence only what is newest under each key; notes are refused, or pinned without an answer.
type lossy struct {
	journal
	luck    *luck
	cleared *atomic.Bool // the fog has lifted
	done    chan struct{}
	stop    func()

	mu        sync.Mutex
	coming    []match.Entry // in the order of the registry
	delivered map[string]match.Entry
	at        uint64        // the last revision that was told
	moved     chan struct{} // closed when at changes
	newest    uint64        // the last revision of the registry
	watchers  map[*func(match.Entry)]struct{}
}

func newLossy(j journal, l *luck, cleared *atomic.Bool) *lossy {
	f := &lossy{
		journal: j, luck: l, cleared: cleared, done: make(chan struct{}), watchers: make(map[*func(match.Entry)]struct{}), delivered: make(map[string]match.Entry), moved: make(chan struct{}),
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

// run tells what has come, a little later, or much later.
func (f *lossy) run(ctx context.Context) {
	for ctx.Err() == nil {
		late := 20 * time.Millisecond
		if !f.cleared.Load() && f.luck.chance(300) == 0 {
			late = match.EntryTTL
		}
		f.luck.wait(ctx, late)
		f.notify(late == match.EntryTTL)
	}
}

// notify tells what has come one entry after the other, so that what an entry leads to has its turn before the next.
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
	for _, n := range slices.SortedFunc(maps.Values(f.delivered), func(a, b match.Entry) int { return cmp.Compare(a.Revision, b.Revision) }) {
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
	l := f.luck.now(n.Key, string(n.Text))
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

// reach waits until the board's last revision was told here.
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
