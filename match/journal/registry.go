package journal

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"notakto/match"
	"notakto/match/internal/codec"
	"notakto/match/journal/natsd"
)

// registry is a [match.Registry] on the stream BOARD, and a copy of that in memory.
type registry struct {
	node      *natsd.Node
	clock     clock
	publisher *publisher

	mu       sync.Mutex
	entries  map[string]match.Entry // deleted ones too, without a text
	watchers map[*func(match.Entry)]struct{}
	at       uint64    // the last sequence that was delivered
	progress condition // changes with at
}

func newRegistry(n *natsd.Node, c clock) *registry {
	r := &registry{
		node: n, clock: c, entries: make(map[string]match.Entry), watchers: make(map[*func(match.Entry)]struct{}),
	}
	r.progress.mu = &r.mu
	return r
}

func entryChanged(key string) error {
	return fmt.Errorf("%w: the entry %q has changed", match.ErrConflict, key)
}

// errForgotten says that the servers have lost BOARD and number its messages from the start. Followers would not
// deliver a message there.
var errForgotten = errors.New("the servers have lost the registry")

// put publishes an entry over the one with its key and revision, and waits until the follower has delivered it. An
// entry without a text deletes.
func (r *registry) put(ctx context.Context, e match.Entry) (match.Entry, error) {
	if err := ctx.Err(); err != nil {
		return match.Entry{}, err
	}
	if ok, err := regexp.MatchString(`^[a-z0-9-]+(\.[a-z0-9-]+)*$`, e.Key); !ok || err != nil {
		return match.Entry{}, fmt.Errorf("%w: %.40q cannot be the key of an entry", codec.ErrUnwritable, e.Key)
	}
	after, err := r.expectedSeq(e)
	if err != nil {
		return match.Entry{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, publishTimeout)
	defer cancel()
	for tries := 0; tries < 3; {
		var stored match.Entry
		stored, err = r.publish(ctx, e, after)
		switch {
		case errors.Is(err, errForgotten):
			r.mend(ctx, r.next())
			after, tries = 0, tries+1
			continue
		case !errors.Is(err, errMovedOn):
			return stored, err
		}
		end, unread := lastSeq(ctx, r.node.Streams.Registry, natsd.RegistrySubject+e.Key)
		if unread != nil {
			return match.Entry{}, unread
		}
		if end == after { // refused because of an entry that may fail itself
			natsd.Wait(ctx, 50*time.Millisecond)
			continue
		}
		if err := r.waitSeq(ctx, end); err != nil {
			return match.Entry{}, natsd.Unavailable(err)
		}
		if !r.canReplace(e, end) {
			break
		}
		after, tries = end, tries+1
	}
	if errors.Is(err, errForgotten) {
		return match.Entry{}, natsd.Unavailable(err)
	}
	return match.Entry{}, entryChanged(e.Key)
}

// publish publishes an entry that comes after a sequence. It was stored even if another one replaced it so soon that
// the follower delivered only that one.
func (r *registry) publish(ctx context.Context, e match.Entry, after uint64) (match.Entry, error) {
	next := r.next()
	seq, err := r.publisher.publish(ctx, r.publisher.message(natsd.RegistrySubject+e.Key, after, e.Text))
	if err != nil {
		return match.Entry{}, err
	}
	if seq < next {
		return match.Entry{}, errForgotten
	}
	if err := r.waitSeq(ctx, seq); err != nil {
		return match.Entry{}, natsd.Unavailable(err)
	}
	if received := r.entry(e.Key); received.Revision == seq {
		return received, nil
	}
	e.Revision, e.At = seq, r.clock.now()
	return e, nil
}

// deliver takes a message of BOARD.
func (r *registry) deliver(m message) {
	r.mu.Lock()
	defer r.mu.Unlock()
	e := match.Entry{Key: strings.TrimPrefix(m.subject, natsd.RegistrySubject), Text: m.body, Revision: m.seq, At: m.at}
	if len(e.Text) == 0 {
		e.Text = nil
	}
	for key, old := range r.entries {
		if m.at.Sub(old.At) > natsd.EntryAge { // the server has dropped it
			delete(r.entries, key)
		}
	}
	r.entries[e.Key] = e
	for fn := range r.watchers {
		(*fn)(e)
	}
	r.at = m.seq
	r.progress.broadcast()
}

// isLive reports whether an entry is there, by now.
func (r *registry) isLive(e match.Entry) bool {
	return len(e.Text) > 0 && r.clock.now().Sub(e.At) <= match.EntryTTL
}

func (r *registry) watch(fn func(match.Entry)) (stop func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range r.entries {
		if r.isLive(e) {
			fn(e)
		}
	}
	r.watchers[&fn] = struct{}{}
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.watchers, &fn)
	}
}

// expectedSeq returns the sequence after which an entry can be put. [match.ErrConflict].
func (r *registry) expectedSeq(e match.Entry) (last uint64, err error) {
	old := r.entry(e.Key)
	live := r.isLive(old)
	switch {
	case live != (e.Revision != 0), live && old.Revision != e.Revision:
		return 0, entryChanged(e.Key)
	case r.clock.now().Sub(old.At) > natsd.EntryAge:
		return 0, nil
	}
	return old.Revision, nil
}

// canReplace reports whether an entry may be put after a sequence that the server has under its key, if all up to that
// was delivered. A new entry may follow a deleted or expired one. Any entry may, if the server has dropped the old one,
// which it does too early when its clock jumps.
func (r *registry) canReplace(e match.Entry, as uint64) bool {
	old := r.entry(e.Key)
	if e.Revision != 0 {
		return as == 0 && old.Revision == e.Revision && r.isLive(old)
	}
	return as == 0 || old.Revision == 0 || old.Revision == as && !r.isLive(old)
}

// entry returns the last entry that was delivered under a key; without one its revision is zero.
func (r *registry) entry(key string) match.Entry {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.entries[key]
}

// next returns the sequence after the last delivered one, 0 if none was.
func (r *registry) next() uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.at == 0 {
		return 0
	}
	return r.at + 1
}

// maxLead exceeds the number of messages by which nodes can differ when the servers lose BOARD. A recreated stream
// begins that far on: entries delivered before would otherwise be newer than its first entries, and a node would miss
// these.
const maxLead = 1 << 20

// firstSeq returns the first sequence of a recreated BOARD: beyond all that any node was delivered.
func (r *registry) firstSeq() uint64 {
	next := r.next()
	if next == 0 {
		return 0
	}
	return next + maxLead
}

// waitSeq waits until the follower has delivered a sequence.
func (r *registry) waitSeq(ctx context.Context, seq uint64) error {
	return r.progress.wait(ctx, func() bool { return r.at >= seq })
}

// mendWithin is how long mending a stream may delay its follower.
const mendWithin = 5 * time.Second

// mend recreates BOARD, or moves its sequences beyond next, if the servers have lost it: it is in their memory, and all
// may have been restarted. Otherwise no entry could be put any more, since revisions never decrease. Several nodes may
// do this at once.
func (r *registry) mend(ctx context.Context, next uint64) uint64 {
	ctx, cancel := context.WithTimeout(ctx, mendWithin)
	defer cancel()
	log := r.node.Config.Log
	info, err := natsd.StreamInfo(ctx, r.node.JetStream, natsd.RegistryStream)
	switch {
	case errors.Is(err, jetstream.ErrStreamNotFound):
		log.Warn("the servers have forgotten who waits for an opponent and which servers are up: this is made anew",
			"event", "registry-lost")
		err = r.node.Streams.Restore(ctx)
	case err == nil && info.State.LastSeq+1 < next:
		log.Warn("the servers have forgotten who waits for an opponent and which servers are up: this goes on",
			"event", "registry-lost",
			"from", next+maxLead)
		err = r.node.Streams.Registry.Purge(ctx, jetstream.WithPurgeSequence(next+maxLead)) // does not exist yet
	}
	if err != nil && ctx.Err() == nil {
		log.Debug("whether the registry is whole cannot be told", "event", "stream-unknown", "error", err)
	}
	return next
}
