package store

import (
	"context"
	"fmt"

	"notakto/match"
	"notakto/match/internal/codec"
	"notakto/rules/strategy"
)

// rebuildPage is how many matches are folded before they are written.
const rebuildPage = 1_000

// Rebuild computes the history anew from all matches, in the order in which they ended, for a version of the program
// that computes it otherwise; which results are unseen stays. Nothing else is written meanwhile, and no server may use
// the database: it has the ladder in memory.
func (s *Store) Rebuild(ctx context.Context) error {
	err := s.exclusively(ctx, func(g *group, flush func() error) error {
		ended, err := s.listEnded(ctx)
		if err != nil {
			return err
		}
		for _, table := range [...]string{"finished", "played", "player", "pairing", "rating", "rated", "meeting"} {
			g.batch.add(statement(`DELETE FROM ` + table))
		}
		g.known = newAnswers()
		for n, m := range ended {
			if err := s.rebuildMatch(ctx, g, m); err != nil {
				return fmt.Errorf("the match %s: %w", m.id, err)
			}
			if n%rebuildPage == rebuildPage-1 {
				g.results.write(g)
				g.results = results{}
				if err := flush(); err != nil {
					return err
				}
			}
		}
		return nil // what is left is written with the commit
	})
	if err != nil {
		return err
	}
	err = s.read(ctx, func(db querier) error { return s.history.ladders.read(ctx, db) })
	s.mu.Lock()
	defer s.mu.Unlock()
	s.memory.ended++ // others are told to read again
	return err
}

// endedMatch is a match and the position of its end.
type endedMatch struct {
	id       match.ID
	position int64
}

// listEnded returns all matches that may have ended, in the order of their ends. An end that is not in the history has
// the position of the record, or of the last event.
func (s *Store) listEnded(ctx context.Context) (all []endedMatch, err error) {
	err = s.engine.ask(ctx, query{`SELECT a.match, coalesce(f.position, a.position) FROM archive a
		LEFT JOIN finished f ON f.match = a.match
		UNION ALL SELECT e.match, coalesce(f.position, max(e.position)) FROM event e
		LEFT JOIN finished f ON f.match = e.match GROUP BY e.match, f.position ORDER BY 2`, nil, func(scan scan) error {
		var m endedMatch
		err := scan(&m.id, &m.position)
		all = append(all, m)
		return err
	}})
	return all, err
}

// rebuildMatch adds a match to the history if it belongs there.
func (s *Store) rebuildMatch(ctx context.Context, g *group, m endedMatch) error {
	log := s.memory.live[m.id].copy()
	if log.events == nil {
		var events []match.Event
		text := `SELECT body FROM archive WHERE match = $1`
		err := s.engine.ask(ctx, query{text, []any{string(m.id)}, func(scan scan) error {
			var body []byte
			err := scan(&body)
			if record, err := codec.DecodeRecord(body); err == nil {
				events = record.Events
			}
			return err
		}})
		if err != nil {
			return err
		}
		for _, e := range events {
			log.fold(e)
		}
	}
	if log.isOdd || log.damage != nil || !isFinished(&log.state) {
		return nil
	}
	g.known.askRatings(&log.state) // the answer is what was computed so far
	g.results.add(g, &log.state, strategy.Review(log.state.Start, log.state.Moves), m.position)
	return nil
}
