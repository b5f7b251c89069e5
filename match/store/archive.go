package store

import (
	"context"
	"fmt"

	"notakto/match"
	"notakto/match/internal/codec"
)

// archivePage is the number of records that one query reads.
const archivePage = 200

// deleteEvents deletes the logs of matches that were moved to the archive.
const deleteEvents statement = `DELETE FROM event WHERE match IN (SELECT match FROM {match text})`

// Archive implements [match.Journal].
func (s *Store) Archive(ctx context.Context, id match.ID) error {
	return s.do(ctx, &request{
		keys: []string{matchKey(id)}, isHeavy: true,
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

// storedMatch is a live or archived match with all its events.
type storedMatch struct {
	id         match.ID
	events     []match.Event
	isArchived bool
	damage     error // why the log or the record cannot be read; nil if it can
}

// eachMatch calls fn for each match that the memory or the archive has at the call: first for those in the archive, in
// the order of their records, then for the live ones. Matches that are archived after the call count as live.
func (s *Store) eachMatch(ctx context.Context, fn func(storedMatch) error) error {
	s.mu.Lock()
	live, end := make([]storedMatch, 0, len(s.memory.live)), s.memory.position
	for id, log := range s.memory.live {
		live = append(live, storedMatch{id: id, events: log.events, damage: log.damage})
	}
	s.mu.Unlock()
	for after, isEnd := int64(0), false; !isEnd; {
		var page []storedMatch
		err := s.read(ctx, func(db querier) error {
			query := selectArchive + afterAndUpTo + ` ORDER BY position LIMIT $3`
			return each(ctx, db, query, []any{after, end, archivePage}, func(scan scan) error {
				var r row
				err := r.read(scan)
				m := storedMatch{id: match.ID(r.name), isArchived: true}
				record, damage := codec.DecodeRecord(r.body)
				if m.events, m.damage = record.Events, damage; damage == nil && record.ID != m.id {
					m.events, m.damage = nil, match.ErrDamaged
				}
				page, after = append(page, m), r.position
				return err
			})
		})
		if err != nil {
			return s.unavailable(err)
		}
		for _, m := range page {
			if err := fn(m); err != nil {
				return err
			}
		}
		isEnd = len(page) < archivePage
	}
	for _, m := range live {
		if err := fn(m); err != nil {
			return err
		}
	}
	return nil
}
