package store

import (
	"context"
	"fmt"

	"notakto/match"
	"notakto/match/internal/codec"
)

// archivePage is the number of records that a query reads.
const archivePage = 200

const deleteEvents statement = `DELETE FROM event WHERE match IN (SELECT match FROM {match text})`

// Archive implements [match.Journal].
func (s *Store) Archive(ctx context.Context, id match.ID) error {
	return s.do(ctx, &request{
		keys: []string{matchKey(id)}, isHeavy: true,
		addQuestions: func(g *group) {
			if s.memory.live[id] == nil {
				g.answers.askArchived(id)
			}
		},
		decide: func(g *group) error {
			live := s.memory.live[id]
			archived, asked := g.answers.archived[id]
			switch {
			case live == nil && !asked:
				return errAgain
			case live == nil && !archived:
				return fmt.Errorf("%w: %.40q", match.ErrNoSuchMatch, id)
			case live == nil:
				return nil
			case live.damage != nil:
				return live.damage
			}
			body, err := codec.EncodeRecord(codec.Record{ID: id, Events: live.events})
			if err != nil {
				return err
			}
			g.add(archiveRow, string(id), int64(len(live.events)), body)
			g.batch.add(deleteEvents, string(id))
			return nil
		},
	})
}

type storedMatch struct {
	id         match.ID
	events     []match.Event
	isArchived bool
	damage     error // why events or the record cannot be read, nil if they can
}

// eachMatch calls fn for each match that exists at the call. Archived matches come first, in the order of their
// records, and then live ones. A match that is archived after the call counts as live. The first error of fn ends
// eachMatch.
func (s *Store) eachMatch(ctx context.Context, fn func(storedMatch) error) error {
	s.mu.Lock()
	live, end := make([]storedMatch, 0, len(s.memory.live)), s.memory.position
	for id, m := range s.memory.live {
		live = append(live, storedMatch{id: id, events: m.events, damage: m.damage})
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
