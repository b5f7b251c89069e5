package store

import (
	"context"
	"database/sql"
	"errors"
)

// engine hides how SQLite and PostgreSQL differ. Once the store has started, only the committing goroutine calls begin,
// look, ask, write, commit, rollback and settle. The other methods may be called from any goroutine.
type engine interface {
	// isShared reports whether other servers may write to the database.
	isShared() bool
	name() string // for [Stats.Engine]
	// begin starts a transaction, locks head, answers questions, and returns head. After an error there is no
	// transaction.
	begin(ctx context.Context, questions []question) (head, error)
	// look returns head without a transaction.
	look(ctx context.Context) (head, error)
	// ask executes queries on the connection that begin and look use, all in one round trip.
	ask(ctx context.Context, queries ...query) error
	// write executes the statements of a batch without committing them.
	write(ctx context.Context, b *batch) error
	// patient lets each statement of the transaction take as long as it needs.
	patient(ctx context.Context) error
	// commit executes the statements of a batch, writes head, and commits. With isDurable it returns once the rows are
	// on the disk. After an error the caller calls rollback. If isUnknown, the rows may be committed in spite of the
	// error, and the caller asks settle.
	commit(ctx context.Context, b *batch, h head, isDurable bool) (isUnknown bool, err error)
	rollback()
	// settle reports whether a commit with an unknown outcome has written its last row. It returns errUnknown if that
	// cannot be told any more, because another server has archived the match or changed the entry.
	settle(ctx context.Context, last row) (committed bool, err error)
	// listen calls wake with the new position when a server has written, until ctx ends. The position is 0 if it is
	// unknown.
	listen(ctx context.Context, wake func(position int64))
	// reason returns why the database cannot write, in words for players; empty if players should not read it.
	reason(err error) string
	// isRefusal reports whether the database has refused a row because of its values.
	isRefusal(err error) bool

	// read calls fn with a querier on connections that do not hold up begin.
	read(ctx context.Context, fn func(querier) error) error
	// snapshot is like read, but all queries of fn see the database as it was at one moment.
	snapshot(ctx context.Context, fn func(querier) error) error
	// measure returns how much space the database takes.
	measure(ctx context.Context) (facts, error)
	close() error
}

// head is the one row of table head, the lock and the clock of the log, with what a look at it tells of the database.
type head struct {
	position int64 // of the last row of the log
	clock    int64 // the time of that row, in microseconds
	version  int64 // of the schema

	now      int64  // the time of the database in microseconds; 0 if it has no clock
	identity string // of the database server and its timeline; empty if unknown
}

const (
	selectHead = `SELECT position, clock, version FROM head`
	updateHead = `UPDATE head SET position = $1, clock = $2`
)

// query is a query and the function that takes each row of its answer.
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

// each executes a query and calls fn for each row of its answer.
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
