package store

import (
	"context"
	"fmt"
	"time"

	"notakto/match"
	"notakto/match/internal/codec"
)

// archivePage is how many records are read at once.
const archivePage = 200

// deleteEvents deletes the logs of matches that are in the archive.
const deleteEvents statement = `DELETE FROM event WHERE match IN (SELECT match FROM {match text})`

// Archive implements [match.Journal].
func (s *Store) Archive(ctx context.Context, id match.ID) error {
	return s.do(ctx, &request{
		key: matchKey(id), isHeavy: true,
		ask: func(g *group) {
			if s.memory.live[id] == nil {
				g.known.askArchived(id)
			}
		},
		decide: func(g *group) error {
			log := s.memory.live[id]
			archived, asked := g.known.archived[id]
			switch {
			case log == nil && !asked:
				return errAgain
			case log == nil && !archived:
				return fmt.Errorf("%w: %.40q", match.ErrNoSuchMatch, id)
			case log == nil:
				return nil
			case log.damage != nil:
				return log.damage
			}
			body, err := codec.EncodeRecord(codec.Record{ID: id, Events: log.events})
			if err != nil {
				return err
			}
			g.add(archiveRow, string(id), int64(len(log.events)), body)
			g.batch.add(deleteEvents, string(id))
			return nil
		},
	})
}

// ReadArchive implements [match.Archive].
func (s *Store) ReadArchive(ctx context.Context, after uint64, fn func(match.ArchivedMatch) error) error {
	for {
		s.mu.Lock()
		more, end := s.memory.archived, s.memory.archiveEnd
		s.mu.Unlock()
		for int64(after) < end {
			page, err := s.readArchivePage(ctx, after)
			if err != nil {
				return s.unavailable(err)
			}
			for _, m := range page {
				if err := fn(m); err != nil {
					return err
				}
				after = m.Position
			}
			if len(page) == 0 {
				break // what is at the end was erased
			}
		}
		select {
		case <-more:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// readArchivePage returns the next records after a position; none at the end.
func (s *Store) readArchivePage(ctx context.Context, after uint64) (page []match.ArchivedMatch, err error) {
	err = s.read(ctx, func(db querier) error {
		query := selectArchive + ` WHERE position > $1 ORDER BY position LIMIT $2`
		return each(ctx, db, query, []any{int64(after), archivePage}, func(scan scan) error {
			var r row
			err := r.read(scan)
			m := match.ArchivedMatch{
				Position: uint64(r.position), ID: match.ID(r.name), Stamp: time.UnixMicro(r.at).UTC(),
			}
			if record, err := codec.DecodeRecord(r.body); err == nil && record.ID == m.ID {
				m.Events = record.Events
			}
			page = append(page, m)
			return err
		})
	})
	return page, err
}

// ArchiveEnd implements [match.Archive].
func (s *Store) ArchiveEnd() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return uint64(s.memory.archiveEnd)
}
