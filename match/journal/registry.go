package journal

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"notakto/match"
	"notakto/match/journal/internal/codec"
	"notakto/match/journal/natsd"
)

// registry is a [match.Registry] on the stream BOARD.
type registry struct {
	*registryCache

	node      *natsd.Node
	clock     clock
	publisher *publisher
}

func entryChanged(key string) error {
	return fmt.Errorf("%w: the note %q has changed", match.ErrConflict, key)
}

// change publishes an entry in the place of the one it names and waits until the follower has brought it back.
func (r *registry) change(ctx context.Context, n match.Entry) (match.Entry, error) {
	if err := ctx.Err(); err != nil {
		return match.Entry{}, err
	}
	if ok, err := regexp.MatchString(`^[a-z0-9-]+(\.[a-z0-9-]+)*$`, n.Key); !ok || err != nil {
		return match.Entry{}, fmt.Errorf("%w: %.40q cannot be the key of a note", codec.ErrUnwritable, n.Key)
	}
	after, err := r.expectedSeq(n, r.clock.now())
	if err != nil {
		return match.Entry{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, publishTimeout)
	defer cancel()
	for range 3 {
		var received match.Entry
		var end uint64
		received, end, err = r.putSettled(ctx, n, after)
		if errors.Is(err, errForgotten) {
			r.mend(ctx, r.next())
			after = 0
			continue
		}
		if !errors.Is(err, errMovedOn) {
			return received, err
		}
		// What stood there may have been an entry that was taken down, or one that vanished by age: no entry either
		// way. And the server may have dropped an entry before its time.
		if err := r.waitSeq(ctx, end); err != nil {
			return match.Entry{}, natsd.Unavailable(err)
		}
		if !r.canReplace(n, end, r.clock.now()) {
			break
		}
		after = end
	}
	if errors.Is(err, errForgotten) {
		return match.Entry{}, natsd.Unavailable(err)
	}
	return match.Entry{}, entryChanged(n.Key)
}

// putSettled puts an entry, again for as long as the server refuses it for one that may come to nothing. With
// errMovedOn it returns the last sequence under the key.
func (r *registry) putSettled(ctx context.Context, n match.Entry, after uint64) (_ match.Entry, end uint64, err error) {
	for {
		received, err := r.put(ctx, n, after)
		if !errors.Is(err, errMovedOn) {
			return received, 0, err
		}
		end, unread := lastSeq(ctx, r.node.Streams.Registry, natsd.RegistrySubject+n.Key)
		if unread != nil || end != after {
			return match.Entry{}, end, cmp.Or(unread, err)
		}
		natsd.Wait(ctx, 50*time.Millisecond)
	}
}

// errForgotten says that the servers have forgotten BOARD and number its messages from the start: followers would not
// tell of an entry there.
var errForgotten = errors.New("the servers have forgotten the board")

// put publishes an entry that comes after a sequence. It stood even where another came so soon that the follower has
// brought only that one.
func (r *registry) put(ctx context.Context, n match.Entry, after uint64) (match.Entry, error) {
	next := r.next()
	seq, err := r.publisher.publish(ctx, r.publisher.message(natsd.RegistrySubject+n.Key, after, n.Text))
	if err != nil {
		return match.Entry{}, err
	}
	if seq < next {
		return match.Entry{}, errForgotten
	}
	if err := r.waitSeq(ctx, seq); err != nil {
		return match.Entry{}, natsd.Unavailable(err)
	}
	received := r.entry(n.Key)
	if received.Revision == seq {
		return received, nil
	}
	n.Revision, n.At = seq, r.clock.now()
	return n, nil
}

// mendWithin is how long mending a stream may take before its follower goes on.
const mendWithin = 5 * time.Second

// mend makes BOARD anew, or lets its sequences go on at next, if the servers have forgotten it: it lives in
// their memory, and they may all have been restarted. Without that no entry could be pinned any more, since revisions
// never go back. Several nodes may do it at once.
func (r *registry) mend(ctx context.Context, next uint64) uint64 {
	ctx, cancel := context.WithTimeout(ctx, mendWithin)
	defer cancel()
	info, err := natsd.StreamInfo(ctx, r.node.JetStream, natsd.RegistryStream)
	switch {
	case errors.Is(err, jetstream.ErrStreamNotFound):
		r.node.Config.Log.Warn("the servers have forgotten who waits for an opponent and which servers are up: this is made anew")
		err = r.node.Streams.Restore(ctx)
	case err == nil && info.State.LastSeq+1 < next:
		r.node.Config.Log.Warn("the servers have forgotten who waits for an opponent and which servers are up: this goes on", "from", next)
		err = r.node.Streams.Registry.Purge(ctx, jetstream.WithPurgeSequence(next)) // up to what is not there yet
	}
	if err != nil && ctx.Err() == nil {
		r.node.Config.Log.Debug("whether the board is whole cannot be told", "err", err)
	}
	return next
}
