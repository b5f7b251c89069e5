package journal

import (
	"context"

	"notakto/match"
	"notakto/match/journal/internal/codec"
)

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
	// Old records are asked for one by one: a consumer would have the server send far ahead of a slow reader.
	for f.next <= a.archive.end.Load() && reading.Err() == nil && f.catchUp(reading) > 0 {
	}
	if reading.Err() == nil {
		f.run(reading)
	}
	return context.Cause(reading)
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
