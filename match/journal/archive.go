package journal

import (
	"context"
	"errors"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"notakto/match"
)

// findArchived finds the record of a match in the archive. [match.ErrNoSuchMatch], [match.ErrDamaged],
// [match.ErrUnavailable].
func (s *Store) findArchived(ctx context.Context, id match.ID) (record, error) {
	if !nameable(id) {
		return record{}, noSuchMatch(id)
	}
	ctx, cancel := context.WithTimeout(ctx, publishTimeout)
	defer cancel()
	if err := s.awaitArchive(ctx); err != nil {
		return record{}, unavailable(err)
	}
	return s.find(ctx, id)
}

// awaitArchive waits until the follower of ARCHIVE has told of all that is there.
func (s *Store) awaitArchive(ctx context.Context) error {
	for {
		info, err := askStream(ctx, s.js, archiveStream)
		switch {
		case err == nil && info.State.LastSeq <= s.archiveEnd.Load():
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && !isTransient(err):
			return err
		}
		wait(ctx, 50*time.Millisecond)
	}
}

// find is seek without waiting for what other nodes have put away just now.
func (s *Store) find(ctx context.Context, id match.ID) (record, error) {
	for _, seq := range s.names.find(id) {
		m, err := s.fetch(ctx, seq)
		if err != nil {
			return record{}, unavailable(err)
		}
		if name, err := recordID(m.body); err == nil && name == id {
			return opened(id, m.body)
		}
	}
	return record{}, noSuchMatch(id)
}

// fetch gets a message of ARCHIVE, one without a body if it is not there.
func (s *Store) fetch(ctx context.Context, seq uint64) (message, error) {
	for {
		m, err := getMessage(ctx, s.searches, archiveStream, map[string]any{"seq": seq})
		var api *jetstream.APIError
		switch {
		case err == nil:
			return m, nil
		case errors.As(err, &api) && api.ErrorCode == jetstream.JSErrCodeMessageNotFound:
			return message{}, nil
		case !isTransient(err) || ctx.Err() != nil:
			return message{}, err
		}
		wait(ctx, 50*time.Millisecond)
	}
}

func opened(id match.ID, body []byte) (record, error) {
	r, err := decodeRecord(body)
	if err != nil {
		return record{}, damaged(id, "in the archive", err)
	}
	return r, nil
}
