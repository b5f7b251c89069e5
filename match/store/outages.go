package store

import (
	"context"
	"time"

	"notakto/match"
)

// A running server commits the time in Check, with PostgreSQL each second and with SQLite each aliveEvery. A longer
// time without a commit is an outage. The next commit records it.
const (
	aliveEvery  = time.Minute
	leastOutage = 5 * time.Second     // except between commits of one server with SQLite
	outageAge   = 60 * 24 * time.Hour // longer than any turn
	maxOutages  = 1_000               // read by Open
)

const (
	addOutage     statement = `INSERT INTO outage SELECT began, ended FROM {began bigint, ended bigint}`
	forgetOutages statement = `DELETE FROM outage WHERE ended < (SELECT at FROM {at bigint})`
	selectOutages           = `SELECT began, ended FROM outage ORDER BY began DESC LIMIT $1`
)

// Outages implements [match.Journal]. Outages are kept for 60 days.
func (s *Store) Outages() []match.Period { return s.outages }

// isOutage reports whether the time between the last commit and now, in microseconds, is an outage.
func (s *Store) isOutage(last, now int64) bool {
	least := leastOutage
	if !s.engine.isShared() && s.committed.Load() != 0 {
		least = 2 * aliveEvery
	}
	return last != 0 && now-last > least.Microseconds()
}

// addOutage adds the time since the last commit of any server, if that is an outage.
func (s *Store) addOutage(g *group, last int64) {
	if s.isOutage(last, g.clock) {
		g.batch.add(addOutage, last, g.clock)
		g.batch.add(forgetOutages, g.time().Add(-outageAge).UnixMicro())
	}
}

// loadOutages records the outage that load has found before this start, and reads all outages. If the outage cannot be
// recorded now, the first commit records it.
func (s *Store) loadOutages(ctx context.Context) error {
	if len(s.outages) > 0 && s.do(ctx, &request{decide: writeHead}) == nil {
		s.outages = nil // the query below reads the recorded outage, if no other server was alive during it
	}
	return s.read(ctx, func(db querier) error {
		return each(ctx, db, selectOutages, []any{maxOutages}, func(scan scan) error {
			var began, ended int64
			err := scan(&began, &ended)
			s.outages = append(s.outages, match.Period{From: time.UnixMicro(began), To: time.UnixMicro(ended)})
			return err
		})
	})
}

// writeHead is the decide of a request that only commits the time.
func writeHead(g *group) error {
	g.mustWriteHead = true
	return nil
}
