package store

import (
	"context"
	"database/sql"
	"errors"
)

// engine is what SQLite and PostgreSQL do differently. One goroutine uses it, except for read and snapshot.
type engine interface {
	// isShared reports whether other servers may write to the database.
	isShared() bool
	name() string // as [Stats] tells it
	// begin starts a transaction that has head for itself, answers questions, and returns head.
	begin(ctx context.Context, questions []question) (head, error)
	// look returns head without a transaction.
	look(ctx context.Context) (head, error)
	// ask executes queries on the connection of begin and look, all in one round trip.
	ask(ctx context.Context, queries ...query) error
	// write executes the statements of a batch without committing them.
	write(ctx context.Context, b *batch) error
	// commit executes the statements of a batch, writes head, and commits. isDurable says that the rows must be on the
	// disk then. rollback follows an error. isUnknown says that the rows may be there in spite of the error; settle finds
	// it out.
	commit(ctx context.Context, b *batch, h head, isDurable bool) (isUnknown bool, err error)
	rollback()
	// settle reports, after an error of commit with an unknown outcome, whether the last row was written after all. It
	// returns errUnknown if that cannot be told any more: another server has archived the match, or changed the entry.
	settle(ctx context.Context, last row) (committed bool, err error)
	// listen calls wake whenever a server has written up to a position, until ctx ends; with 0 if the position is unknown.
	listen(ctx context.Context, wake func(position int64))
	// hasRoom reports whether the disk is not nearly full, as far as is known.
	hasRoom() bool
	// reason returns what keeps the database from writing, in words for players; empty if that is none of their business.
	reason(err error) string
	// isRefusal reports whether the database has refused a row for what the row says.
	isRefusal(err error) bool

	// read calls fn with connections that do not hold up begin. It may be called from any goroutine.
	read(ctx context.Context, fn func(querier) error) error
	// snapshot is read, and all queries of fn see the database at one moment.
	snapshot(ctx context.Context, fn func(querier) error) error
	// measure may be called from any goroutine.
	measure(ctx context.Context) (facts, error)
	close() error
}

// head is the row that is the lock and the clock of the log.
type head struct {
	position int64 // of the last row of the log
	clock    int64 // the time of that row, in microseconds
	version  int64 // of the schema

	now      int64  // the time of the database; 0 if it has no clock
	identity string // of the database server and its history; empty if unknown
}

const (
	selectHead = `SELECT position, clock, version FROM head`
	updateHead = `UPDATE head SET position = $1, clock = $2`
)

// query is a query with a function for each row of its answer.
type query struct {
	text   string
	args   []any
	answer func(scan) error
}

// querier is a *sql.DB, *sql.Conn or *sql.Tx.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// each calls fn for every row of a query.
func each(ctx context.Context, db querier, query string, args []any, fn func(scan) error) (err error) {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		if err := fn(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}
