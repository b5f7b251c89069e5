package journal

import (
	"context"
	"encoding/json"
	"errors"
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
	// initialScan is how far back the archive is searched at first, then twice as far, and so on: most of those who ask do so soon, and the server
	// reads whole files of 8 MB, of which this is about one.
	initialScan = 30_000
)

// findArchived finds the record of a match in its bucket of the archive. [match.ErrNoSuchMatch], [match.ErrDamaged],
// [match.ErrUnavailable].
func (s *Store) findArchived(ctx context.Context, id match.ID) (record, error) {
	if !nameable(id) {
		return record{}, noSuchMatch(id)
	}
	select {
	case s.searching <- struct{}{}: // a bucket is read whole: few at a time
		defer func() { <-s.searching }()
	case <-ctx.Done():
		return record{}, unavailable(ctx.Err())
	}
	ctx, cancel := context.WithTimeout(ctx, publishTimeout)
	defer cancel()
	begin := s.archiveEnd.Load() + 1
	for end, far := ^uint64(0), s.near; end > 1; end, far = begin, far*2 {
		begin -= min(begin-1, far)
		var found *nats.Msg
		err := s.scan(ctx, bucket(id), begin, end, func(name match.ID, msg *nats.Msg) bool {
			if name == id {
				found = msg
			}
			return found != nil
		})
		if err != nil {
			return record{}, unavailable(err)
		}
		if found != nil {
			return opened(id, found)
		}
	}
	return record{}, noSuchMatch(id)
}

func opened(id match.ID, msg *nats.Msg) (record, error) {
	r, err := decodeRecord(msg.Data)
	if err != nil {
		return record{}, damaged(id, "in the archive", err)
	}
	return r, nil
}

// scan shows the records of a subject from one sequence until before another, in order, until it has been enough.
func (s *Store) scan(ctx context.Context, subject string, from, end uint64, enough func(match.ID, *nats.Msg) bool) error {
	for from != 0 && from < end {
		next, err := s.page(ctx, subject, from, enough)
		switch {
		case err == nil:
			from = next
		case !isTransient(err) || ctx.Err() != nil:
			return err
		default:
			wait(ctx, 50*time.Millisecond)
		}
	}
	return nil
}

// page shows the next records of a subject. next is where to go on, 0 at the end and after enough.
func (s *Store) page(ctx context.Context, subject string, from uint64, enough func(match.ID, *nats.Msg) bool) (next uint64, err error) {
	request, err := json.Marshal(map[string]any{"seq": from, "next_by_subj": subject, "batch": page, "max_bytes": pageBytes})
	if err != nil {
		return 0, err
	}
	sub, err := s.searches.SubscribeSync(s.searches.NewInbox())
	if err != nil {
		return 0, err
	}
	defer func() { _ = sub.Unsubscribe() }()
	if err := s.searches.PublishRequest("$JS.API.DIRECT.GET."+archiveStream, sub.Subject, request); err != nil {
		return 0, err
	}
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	for {
		msg, err := sub.NextMsgWithContext(ctx)
		if err != nil {
			return 0, err
		}
		switch status := msg.Header.Get("Status"); status {
		case "":
			id, err := recordID(msg.Data)
			if err != nil {
				s.cfg.Log.Error("a record of the archive is damaged", "sequence", msg.Header.Get("Nats-Sequence"))
			}
			if enough(id, msg) {
				return 0, nil
			}
		case "404":
			return 0, nil
		case "204":
			return nextPage(msg), nil
		case "503":
			return 0, nats.ErrNoResponders
		default:
			return 0, errors.New(status + " " + msg.Header.Get("Description"))
		}
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
