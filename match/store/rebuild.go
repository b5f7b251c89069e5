package store

import (
	"context"
	"fmt"

	"notakto/match"
	"notakto/match/internal/codec"
	"notakto/rules/strategy"
)

// rebuildPage is the number of matches whose history is computed before it is written.
const rebuildPage = 1_000

// Rebuild computes the history anew from all matches, in the order of their ends. A version of the program that
// computes the history in another way needs it. Unseen results stay. Until Rebuild returns, no other change is written.
// No other server may use the database, because its ladder in memory would be out of date.
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
		return nil // the commit writes the rest
	})
	if err != nil {
		return err
	}
	err = s.read(ctx, func(db querier) error { return s.history.ladders.read(ctx, db) })
	s.mu.Lock()
	defer s.mu.Unlock()
	s.memory.ended++ // History.Version has to change
	return err
}

// endedMatch names a match that may have ended, and the position of its end.
type endedMatch struct {
	id       match.ID
	position int64
}

// listEnded returns all matches, in the order of their ends, also those in progress. If the history lacks a match, the
// position of its record or of its last event counts as the end.
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

// rebuildMatch adds a match to the history if it is finished and can be read.
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
	g.known.askRatings(&log.state) // never sent: the answers are the standings computed so far
	g.results.add(g, &log.state, strategy.Review(log.state.Start, log.state.Moves), m.position)
	return nil
}
