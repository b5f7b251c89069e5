package journal

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/nats-io/nats.go/jetstream"

	"notakto/match"
)

// forceFullScan makes an embedded server read all its files when it starts. With its index it would take them for good
// and find a damaged message only when somebody asks for it, and everything after that message never. A million
// finished matches take it a third of a second more.
func forceFullScan(dir string) error {
	for _, stream := range [...]string{matchesStream, archiveStream} {
		err := os.Remove(filepath.Join(files(dir, stream), "msgs", "index.db"))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}

// audit compares what was read at the start with the checkpoint, puts right what can be, and says what is missing.
func (s *Store) audit(ctx context.Context, archive jetstream.StreamState) error {
	t := s.checkpoint
	lacks := t != nil && (t.previous.matchesEnd == 0 || s.index.loadedUpTo(t.previous.matchesEnd) != t.previous.setDigest)
	if s.cfg.Cluster.Listen != "" || lacks {
		// A node that was killed replays its log, and NATS 2.15 then loses which messages were purged before: finished
		// matches seem to be live.
		if err := s.finishAll(ctx); err != nil {
			return err
		}
	}
	if t == nil {
		return nil
	}
	had := t.previous
	found := s.index.loadedUpTo(had.matchesEnd)
	if lack := max(had.entries, found.entries) - found.entries; lack > 0 || found != had.setDigest && had.matchesEnd > 0 {
		s.cfg.Log.Error("acknowledged events are missing from the journal: its files were damaged, or are an older copy; matches go on from what is left",
			"dir", s.diskMonitor.dir, "missing", max(lack, 1))
	}
	if end := max(had.archiveEnd, archive.LastSeq); archive.Msgs < end {
		s.cfg.Log.Error("finished matches are missing from the archive: its files were damaged, or are an older copy",
			"dir", s.diskMonitor.dir, "missing", end-archive.Msgs)
	}
	return nil
}

// finishAll looks for live matches in the archive: the process may have died before they were purged, or a damaged
// server forgot that they were.
func (s *Store) finishAll(ctx context.Context) error {
	for _, id := range s.index.ids() {
		r, err := s.find(ctx, id)
		if err == nil {
			err = s.finishArchive(ctx, r)
		}
		if err != nil && !errors.Is(err, match.ErrNoSuchMatch) && !errors.Is(err, match.ErrDamaged) {
			return err
		}
	}
	return nil
}

// finishArchive takes a match that has a record for what it is.
func (s *Store) finishArchive(ctx context.Context, r record) error {
	s.index.finish(r)
	return s.purge(ctx, r.id)
}
