package journal

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/nats-io/nats.go/jetstream"

	"notakto/match"
)

// recheck makes an embedded server read all its files when it starts. With its index it would take them for good and find a damaged message
// only when somebody asks for it, and everything after that message never. A million finished matches take it a third of a second more.
func recheck(dir string) error {
	for _, stream := range [...]string{matchesStream, archiveStream} {
		err := os.Remove(filepath.Join(files(dir, stream), "msgs", "index.db"))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}

// audit compares what was read at the start with the tally, puts right what can be, and says what is missing.
func (s *Store) audit(ctx context.Context, archive jetstream.StreamState) error {
	if s.tally == nil {
		return nil
	}
	had := s.tally.had
	if s.view.loadedUpTo(had.matchesEnd) != had.bag && had.matchesEnd > 0 {
		if err := s.bury(ctx); err != nil {
			return err
		}
	}
	found := s.view.loadedUpTo(had.matchesEnd)
	if lack := max(had.entries, found.entries) - found.entries; lack > 0 || found != had.bag && had.matchesEnd > 0 {
		s.cfg.Log.Error("acknowledged events are missing from the journal: its files were damaged, or are an older copy; matches go on from what is left",
			"dir", s.keeper.dir, "missing", max(lack, 1))
	}
	if end := max(had.archiveEnd, archive.LastSeq); archive.Msgs < end {
		s.cfg.Log.Error("finished matches are missing from the archive: its files were damaged, or are an older copy",
			"dir", s.keeper.dir, "missing", end-archive.Msgs)
	}
	return nil
}

// bury looks for the live matches in the archive: a log of which the server forgot that it was purged is not live.
func (s *Store) bury(ctx context.Context) error {
	for _, id := range s.view.ids() {
		r, at, err := s.seek(ctx, id)
		if err == nil {
			s.view.finish(r, at)
			err = s.purge(ctx, id)
		}
		if err != nil && !errors.Is(err, match.ErrNoSuchMatch) && !errors.Is(err, match.ErrDamaged) {
			return err
		}
	}
	return nil
}
