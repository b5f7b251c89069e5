package store

import (
	"context"
	"fmt"

	"notakto/match"
	"notakto/match/internal/codec"
	"notakto/rules/strategy"
)

// rebuildPage is the number of matches after which the computed history is written.
const rebuildPage = 1_000

// Rebuild computes the history anew from all matches, in the order of their ends. A version of the program that
// computes the history in another way needs Rebuild. Unseen results and the progress of accounts stay. Matches that
// cannot be read are missing from the new history. Rebuild writes all rows in one transaction. No match may end during
// Rebuild, because the ladders in memory could miss the result. No other server may use the database, because the
// ladders in the memory of that server would be out of date.
func (s *Store) Rebuild(ctx context.Context) error {
	err := s.doFirst(ctx, func(g *group, flush func() error) error {
		ended, err := s.listByEnd(ctx)
		if err != nil {
			return err
		}
		for _, table := range [...]string{"finished", "played", "player", "pairing", "rating", "rated", "meeting"} {
			g.batch.add(statement(`DELETE FROM ` + table))
		}
		g.answers = newAnswers()
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
	s.memory.historyVersion++
	return err
}

type matchEnd struct {
	id       match.ID
	position int64
}

// listByEnd returns all matches, also matches in progress, in the order of their ends. If the history lacks a match,
// the position of the match's record or last event counts as the end.
func (s *Store) listByEnd(ctx context.Context) (all []matchEnd, err error) {
	err = s.engine.runQueries(ctx, pipelinedQuery{`SELECT a.match, coalesce(f.position, a.position) FROM archive a
		LEFT JOIN finished f ON f.match = a.match
		UNION ALL SELECT e.match, coalesce(f.position, max(e.position)) FROM event e
		LEFT JOIN finished f ON f.match = e.match GROUP BY e.match, f.position ORDER BY 2`, nil, func(scan scan) error {
		var m matchEnd
		err := scan(&m.id, &m.position)
		all = append(all, m)
		return err
	}})
	return all, err
}

func (s *Store) rebuildMatch(ctx context.Context, g *group, m matchEnd) error {
	live := s.memory.live[m.id].copy()
	if live.events == nil {
		var events []match.Event
		text := `SELECT body FROM archive WHERE match = $1`
		err := s.engine.runQueries(ctx, pipelinedQuery{text, []any{string(m.id)}, func(scan scan) error {
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
			live.fold(e)
		}
	}
	if live.isInvalid || live.damage != nil || !isFinished(&live.state) {
		return nil
	}
	g.answers.askRatings(&live.state) // never sent, because the standings computed so far are the answers
	g.results.add(g, &live.state, strategy.Review(live.state.Start, live.state.Moves), m.position)
	return nil
}
