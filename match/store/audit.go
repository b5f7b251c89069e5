package store

import (
	"context"
	"slices"
	"time"
)

const auditAge = 365 * 24 * time.Hour

const forgetAudit statement = `DELETE FROM audit WHERE at < (SELECT at FROM {at bigint})`

// Audit holds the records of administrators' commands for a year. Its methods may be called from any goroutine.
type Audit struct{ store *Store }

// Audit returns the records of administrators' commands.
func (s *Store) Audit() *Audit { return &Audit{s} }

// Append stores the record of a command and deletes records older than auditAge. The errors wrap
// [match.ErrUnavailable].
func (a *Audit) Append(ctx context.Context, command string, record []byte) error {
	return a.store.do(ctx, &request{decide: func(g *group) error {
		g.add(auditRow, command, 0, record)
		if g.batch.rows[forgetAudit] == nil {
			g.batch.add(forgetAudit, g.time().Add(-auditAge).UnixMicro())
		}
		return nil
	}})
}

// Read calls fn with the records of all servers that are not older than since, the oldest first. If there are more than
// limit records, Read leaves out the oldest. Read returns the first error of fn.
func (a *Audit) Read(
	ctx context.Context, since time.Time, limit int, fn func(at time.Time, record []byte) error,
) error {
	type record struct {
		at   int64
		body []byte
	}
	var all []record
	err := a.store.read(ctx, func(db querier) error {
		query := `SELECT at, body FROM audit WHERE at >= $1 ORDER BY position DESC LIMIT $2`
		return each(ctx, db, query, []any{since.UnixMicro(), limit}, func(scan scan) error {
			var r record
			err := scan(&r.at, &r.body)
			all = append(all, r)
			return err
		})
	})
	if err != nil {
		return a.store.unavailable(err)
	}
	for _, r := range slices.Backward(all) {
		if err := fn(time.UnixMicro(r.at), r.body); err != nil {
			return err
		}
	}
	return nil
}
