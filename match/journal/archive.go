package journal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"

	"notakto/match"
)

const (
	// page is how many records are asked for at once.
	page = 256
	// pageBytes bounds what the server sends before it is asked again.
	pageBytes = 1 << 20
	// newest is how far back the archive is searched at first, then twice as far, and so on: most of those who ask do so soon, and the server
	// reads whole files of 8 MB, of which this is about one.
	newest = 30_000
)

// seek finds the record of a match in its bucket of the archive, and when it was written. [match.ErrNoSuchMatch], [match.ErrDamaged],
// [match.ErrUnavailable].
func (s *Store) seek(ctx context.Context, id match.ID) (record, time.Time, error) {
	if !nameable(id) {
		return record{}, time.Time{}, noSuchMatch(id)
	}
	select {
	case s.seeking <- struct{}{}: // a bucket is read whole: few at a time
		defer func() { <-s.seeking }()
	case <-ctx.Done():
		return record{}, time.Time{}, unavailable(ctx.Err())
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	begin := s.archiveEnd.Load() + 1
	for end, far := ^uint64(0), uint64(newest); end > 1; end, far = begin, far*2 {
		begin -= min(begin-1, far)
		found, err := s.search(ctx, id, begin, end)
		if err != nil {
			return record{}, time.Time{}, unavailable(err)
		}
		if found != nil {
			return s.opened(id, found)
		}
	}
	return record{}, time.Time{}, noSuchMatch(id)
}

// search looks for a match among the records of its bucket from one sequence until before another.
func (s *Store) search(ctx context.Context, id match.ID, from, end uint64) (found *nats.Msg, err error) {
	for found == nil && from != 0 && from < end {
		var next uint64
		found, next, err = s.page(ctx, id, from)
		switch {
		case err == nil:
			from = next
		case !passing(err) || ctx.Err() != nil:
			return nil, err
		default:
			wait(ctx, 50*time.Millisecond)
		}
	}
	return found, nil
}

func (s *Store) opened(id match.ID, msg *nats.Msg) (record, time.Time, error) {
	r, err := decodeRecord(msg.Data)
	if err != nil {
		return record{}, time.Time{}, fmt.Errorf("%w: match %s in the archive: %w", match.ErrDamaged, id, err)
	}
	at, _ := time.Parse(time.RFC3339Nano, msg.Header.Get("Nats-Time-Stamp"))
	return r, at, nil
}

// page looks for a match among the next records of its bucket. next is where to go on, 0 at the end.
func (s *Store) page(ctx context.Context, id match.ID, from uint64) (found *nats.Msg, next uint64, err error) {
	request, err := json.Marshal(map[string]any{"seq": from, "next_by_subj": bucket(id), "batch": page, "max_bytes": pageBytes})
	if err != nil {
		return nil, 0, err
	}
	sub, err := s.conn.SubscribeSync(s.conn.NewInbox())
	if err != nil {
		return nil, 0, err
	}
	defer func() { _ = sub.Unsubscribe() }()
	if err := s.conn.PublishRequest("$JS.API.DIRECT.GET."+archiveStream, sub.Subject, request); err != nil {
		return nil, 0, err
	}
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	for {
		msg, err := sub.NextMsgWithContext(ctx)
		if err != nil {
			return nil, 0, err
		}
		switch msg.Header.Get("Status") {
		case "":
			name, err := recordID(msg.Data)
			if err != nil {
				s.cfg.Log.Error("a record of the archive is damaged", "sequence", msg.Header.Get("Nats-Sequence"))
			}
			if name == id {
				return msg, 0, nil
			}
			continue
		case "404":
			return nil, 0, nil
		case "204":
			return nil, nextPage(msg), nil
		case "503":
			return nil, 0, nats.ErrNoResponders
		}
		return nil, 0, errors.New(msg.Header.Get("Description"))
	}
}

// nextPage reads the server's mark at the end of a page.
func nextPage(end *nats.Msg) uint64 {
	last, err := strconv.ParseUint(end.Header.Get("Nats-Last-Sequence"), 10, 64)
	if err != nil || end.Header.Get("Nats-Num-Pending") == "0" {
		return 0
	}
	return last + 1
}
