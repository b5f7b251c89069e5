package journal

import (
	"context"
	"strings"
	"sync"
	"time"

	"notakto/match"
	"notakto/match/journal/natsd"
)

// registryCache is the registry as the follower of BOARD brought it.
type registryCache struct {
	mu       sync.Mutex
	entries  map[string]match.Entry // deleted ones too, without a text
	watchers map[*func(match.Entry)]struct{}
	at       uint64
	progress condition // changes with at
}

func newRegistryCache() *registryCache {
	b := &registryCache{entries: make(map[string]match.Entry), watchers: make(map[*func(match.Entry)]struct{})}
	b.progress.mu = &b.mu
	return b
}

// deliver takes a message of BOARD.
func (b *registryCache) deliver(m message) {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := match.Entry{Key: strings.TrimPrefix(m.subject, natsd.RegistrySubject), Text: m.body, Revision: m.seq, At: m.at}
	if len(n.Text) == 0 {
		n.Text = nil
	}
	b.expire(m.at)
	b.entries[n.Key] = n
	for fn := range b.watchers {
		(*fn)(n)
	}
	b.at = m.seq
	b.progress.broadcast()
}

// expire drops what the server has dropped by now.
func (b *registryCache) expire(now time.Time) {
	for key, n := range b.entries {
		if now.Sub(n.At) > natsd.EntryAge {
			delete(b.entries, key)
		}
	}
}

// isLive reports whether an entry is one, by now.
func isLive(n match.Entry, now time.Time) bool {
	return len(n.Text) > 0 && now.Sub(n.At) <= match.EntryTTL
}

func (b *registryCache) watch(fn func(match.Entry), now time.Time) (stop func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, n := range b.entries {
		if isLive(n, now) {
			fn(n)
		}
	}
	b.watchers[&fn] = struct{}{}
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.watchers, &fn)
	}
}

// expectedSeq is the sequence after which an entry can be put. [match.ErrConflict].
func (b *registryCache) expectedSeq(n match.Entry, now time.Time) (last uint64, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	old, ok := b.entries[n.Key]
	switch {
	case n.Revision != 0 && (old.Revision != n.Revision || !isLive(old, now)), n.Revision == 0 && isLive(old, now):
		return 0, entryChanged(n.Key)
	case !ok || now.Sub(old.At) > natsd.EntryAge:
		return 0, nil
	}
	return old.Revision, nil
}

// canReplace reports whether an entry may be put after a sequence that the server has under its key, all up to
// which has been told: as a new one if nothing stands there, in the place of another if the server has dropped that
// before its time, by a clock that leapt.
func (b *registryCache) canReplace(n match.Entry, as uint64, now time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	old, received := b.entries[n.Key]
	if n.Revision != 0 {
		return as == 0 && old.Revision == n.Revision && isLive(old, now)
	}
	return as == 0 || !received || old.Revision == as && !isLive(old, now)
}

// entry is what was told last under a key.
func (b *registryCache) entry(key string) match.Entry {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.entries[key]
}

// next is the sequence that comes after all that were told, 0 if none was.
func (b *registryCache) next() uint64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.at == 0 {
		return 0
	}
	return b.at + 1
}

// waitSeq waits until the follower has told of a sequence.
func (b *registryCache) waitSeq(ctx context.Context, seq uint64) error {
	return b.progress.wait(ctx, func() bool { return b.at >= seq })
}
