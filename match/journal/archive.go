package journal

import (
	"context"
	"errors"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/synadia-io/orbit.go/jetstreamext"

	"notakto/match"
	"notakto/match/journal/internal/codec"
	"notakto/match/journal/natsd"
)

// archive finds the records of finished matches.
type archive struct {
	node       *natsd.Node
	names      *names
	index      *index                          // of which archived matches are removed
	checkpoint *checkpoint                     // may be nil
	end        atomic.Uint64                   // the last sequence that is known here
	upgraded   func(match.Player) match.Player // as that of the index
}

// find returns the record of a match. [match.ErrNoSuchMatch], [match.ErrDamaged], [match.ErrUnavailable].
func (a *archive) find(ctx context.Context, id match.ID) (codec.Record, error) {
	if !nameable(id) {
		return codec.Record{}, noSuchMatch(id)
	}
	ctx, cancel := context.WithTimeout(ctx, publishTimeout)
	defer cancel()
	if err := a.await(ctx); err != nil {
		return codec.Record{}, natsd.Unavailable(err)
	}
	return a.lookUp(ctx, id)
}

// await waits until the follower of ARCHIVE has delivered all records.
func (a *archive) await(ctx context.Context) error {
	for {
		info, err := natsd.StreamInfo(ctx, a.node.JetStream, natsd.ArchiveStream)
		switch {
		case err == nil && info.State.LastSeq <= a.end.Load():
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && !natsd.IsTransient(err):
			return err
		}
		natsd.Wait(ctx, 50*time.Millisecond)
	}
}

// lookUp returns find without waiting for records that other nodes have just written.
func (a *archive) lookUp(ctx context.Context, id match.ID) (codec.Record, error) {
	all, err := a.names.find(ctx, id)
	if err != nil {
		return codec.Record{}, natsd.Unavailable(err)
	}
	for _, seq := range all {
		var body []byte // empty if there is no such message
		err := persist(ctx, func(ctx context.Context) error {
			m, err := a.node.Streams.Searches.GetMsg(ctx, seq)
			if errors.Is(err, jetstream.ErrMsgNotFound) {
				return nil
			}
			if err == nil {
				body = m.Data
			}
			return err
		})
		if err != nil {
			return codec.Record{}, err
		}
		if name, err := codec.RecordID(body); err == nil && name == id {
			return a.opened(id, body)
		}
	}
	return codec.Record{}, noSuchMatch(id)
}

// checkNew refuses to begin a match that was archived, however long ago: the stream has forgotten it.
func (a *archive) checkNew(ctx context.Context, id match.ID) error {
	switch _, err := a.lookUp(ctx, id); {
	case errors.Is(err, match.ErrNoSuchMatch):
		return nil
	case err == nil || errors.Is(err, match.ErrDamaged) || errors.Is(err, match.ErrNewer):
		return conflict(id, 1)
	default:
		return natsd.Unavailable(err)
	}
}

func (a *archive) opened(id match.ID, body []byte) (codec.Record, error) {
	r, err := a.decode(body)
	if err != nil {
		return codec.Record{}, damaged(id, "in the archive", err)
	}
	return r, nil
}

// decode decodes a record, whose players are as this version records them.
func (a *archive) decode(body []byte) (codec.Record, error) {
	r, err := codec.DecodeRecord(body)
	for i := range r.Events {
		r.Events[i].Player = a.upgraded(r.Events[i].Player)
	}
	return r, err
}

// deliver takes a message of ARCHIVE.
func (a *archive) deliver(m message) {
	if id, err := codec.RecordID(m.body); err == nil {
		a.names.add(id, m.seq)
	}
	if m.seq <= a.end.Load() {
		return // it was there when the journal was opened
	}
	a.end.Store(m.seq)
	a.checkpoint.archive(m.seq)
	r, err := a.decode(m.body)
	if errors.Is(err, match.ErrNewer) {
		a.node.Config.Log.Warn("a finished match was written by a newer version of the program: it is left as it is, "+
			"and not shown", "event", "match-newer", "sequence", m.seq)
		return
	}
	if err != nil {
		a.node.Config.Log.Error("a record of the archive cannot be read",
			"event", "archive-unreadable", "subject", m.subject, "sequence", m.seq, "error", err)
		return
	}
	a.index.finish(r)
}

// lose logs that ARCHIVE has lost all records after a sequence. It is read again from the start: a record that was
// delivered before changes nothing.
func (a *archive) lose(_ context.Context, _, missing uint64) (from uint64, err error) {
	a.names.detach()
	a.end.Store(0)
	a.node.Config.Log.Error("finished matches are missing from NATS: it was emptied, or is an older copy",
		"event", "archive-incomplete",
		"stream", natsd.ArchiveStream, "missing", missing)
	return 1, nil
}

// bucket returns the subject of a match's record.
func bucket(id match.ID) string { return natsd.ArchiveSubject + string(id[:min(2, len(id))]) }

// archiveReader is a [match.Archive].
type archiveReader struct {
	clock   clock
	archive *archive
}

// ReadArchive implements [match.Archive]. The position of a match is its sequence in ARCHIVE. It reads on its own, so
// that a slow reader holds up no one else, and may be called by several goroutines.
func (a archiveReader) ReadArchive(ctx context.Context, after uint64, fn func(match.ArchivedMatch) error) error {
	reading, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	f := newFollower(a.archive.node, a.clock, a.archive.node.Streams.Searches, after+1, func(m message) {
		if reading.Err() != nil {
			return
		}
		if err := fn(a.archive.matchOf(m)); err != nil {
			stop(err)
		}
	})
	// Old records are asked for: a consumer would have the server send far ahead of a slow reader.
	for f.next <= a.archive.end.Load() && reading.Err() == nil && (a.readSome(reading, f) > 0 || f.catchUp(reading) > 0) {
	}
	if reading.Err() == nil {
		f.run(reading)
	}
	return context.Cause(reading)
}

// How much the server sends of the archive for one request.
const (
	readMatches = 256
	readBytes   = 1 << 20
)

// readSome delivers the next records that a copy of the archive has, the nearest to this node, and returns how many
// those were. A record never changes, so that any copy will do.
func (a archiveReader) readSome(ctx context.Context, f *follower) (n int) {
	records, err := jetstreamext.GetBatch(ctx, a.archive.node.Streams.Searcher(), natsd.ArchiveStream, readMatches,
		jetstreamext.GetBatchSeq(f.next), jetstreamext.GetBatchSubject(natsd.ArchiveSubject+"*"),
		jetstreamext.GetBatchMaxBytes(readBytes))
	if err != nil {
		return 0
	}
	last := uint64(0)
	for m, err := range records {
		if err != nil || !follows(m, last) {
			break
		}
		f.deliver(message{subject: m.Subject, seq: m.Sequence, stamp: m.Time, header: m.Header, body: m.Data})
		last = m.Sequence
		n++
	}
	return n
}

// follows reports whether a message of a batch is the one after another, 0 for none: else one was lost on the way.
func follows(m *jetstream.RawStreamMsg, last uint64) bool {
	return m.Header.Get(server.JSLastSequence) == strconv.FormatUint(last, 10)
}

// ArchiveEnd implements [match.Archive].
func (a archiveReader) ArchiveEnd() uint64 { return a.archive.end.Load() }

// matchOf decodes a message of ARCHIVE.
func (a *archive) matchOf(m message) match.ArchivedMatch {
	archived := match.ArchivedMatch{Position: m.seq, Stamp: m.stamp.UTC()}
	if id, err := codec.RecordID(m.body); err == nil {
		archived.ID = id
	}
	if r, err := a.decode(m.body); err == nil {
		archived.Events = r.Events
	}
	return archived
}
