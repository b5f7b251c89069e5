package journal

import (
	"context"
	"errors"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// mendWithin is how long mending BOARD may take before its follower goes on.
const mendWithin = 5 * time.Second

// mendBoard makes BOARD anew, or lets its sequences go on at next, if the servers have forgotten it: it lives in their memory, and they may all
// have been restarted. Without that no note could be pinned any more, since revisions never go back. Several nodes may do it at once.
func (s *Store) mendBoard(ctx context.Context, next uint64) {
	ctx, cancel := context.WithTimeout(ctx, mendWithin)
	defer cancel()
	info, err := askStream(ctx, s.js, boardStream)
	switch {
	case errors.Is(err, jetstream.ErrStreamNotFound):
		s.cfg.Log.Warn("the servers have forgotten who waits for an opponent and which servers are up: this is made anew")
		err = s.restore(ctx)
	case err == nil && info.State.LastSeq+1 < next:
		s.cfg.Log.Warn("the servers have forgotten who waits for an opponent and which servers are up: this goes on", "from", next)
		err = s.skipTo(ctx, next)
	}
	if err != nil && ctx.Err() == nil {
		s.cfg.Log.Debug("whether the board is whole cannot be told", "err", err)
	}
}

// skipTo lets the next message of BOARD have a sequence. A purge up to what is not there yet does that.
func (s *Store) skipTo(ctx context.Context, next uint64) error {
	stream, err := s.js.Stream(ctx, boardStream)
	if err != nil {
		return err
	}
	return stream.Purge(ctx, jetstream.WithPurgeSequence(next))
}
