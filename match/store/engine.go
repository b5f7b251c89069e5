package store

import (
	"context"
	"database/sql"
	"errors"
)

// engine hides how SQLite and PostgreSQL differ. Once the store has started, only the committing goroutine calls
// begin, readHead, runQueries, write, disableTimeouts, commit, rollback and settle. Any goroutine may call the rest.
type engine interface {
	// isShared reports whether other servers may write to the database.
	isShared() bool
	name() string // for [Stats.Engine]
	// begin starts a transaction, locks head, passes the rows of each question to its answer, and returns head. After an
	// error there is no transaction.
	begin(ctx context.Context, questions []question) (head, error)
	// readHead returns head without a transaction.
	readHead(ctx context.Context) (head, error)
	// runQueries executes queries on the connection of begin and readHead, all in one round trip.
	runQueries(ctx context.Context, queries ...pipelinedQuery) error
	// write executes the statements of a batch without committing them.
	write(ctx context.Context, b *batch) error
	// disableTimeouts removes the time limits of the statements in the transaction. Between two statements a minute may
	// pass.
	disableTimeouts(ctx context.Context) error
	// commit executes the statements of a batch, writes head, and commits. commit returns once the rows are on the disk.
	// After an error the caller must call rollback. With isUnknown the rows may be committed in spite of the error, and
	// the caller calls settle.
	commit(ctx context.Context, b *batch, h head) (isUnknown bool, err error)
	rollback()
	// settle reports whether a commit with an unknown outcome has written its last row. The error is errUnknown if head
	// has reached the position of last but the row is missing, because another server may have deleted or replaced it.
	settle(ctx context.Context, last row) (committed bool, err error)
	// listen calls wake with the new position when a server has written, until ctx ends. The position is 0 if it is
	// unknown.
	listen(ctx context.Context, wake func(position int64))
	// reason returns words for players if the disk is full, and an empty text for any other error.
	reason(err error) string
	// isBadValue reports whether the database has refused a row because of its values.
	isBadValue(err error) bool

	// read calls fn with a querier. The querier's connections do not hold up begin, unless SQLite has only one connection.
	// read and begin then wait for each other.
	read(ctx context.Context, fn func(querier) error) error
	// snapshot calls fn as read does, with queries that see the database as it was at one moment.
	snapshot(ctx context.Context, fn func(querier) error) error
	measure(ctx context.Context) (facts, error)
	close() error
}

// head is the row of table head, the lock and the clock of the log, with facts about the database when it was read.
type head struct {
	position int64 // of the last row of the log
	clock    int64 // the time of that row in microseconds
	version  int64 // of the schema

	now      int64  // the time of the database in microseconds, 0 if it has no clock
	identity string // of the database server and its timeline, empty if unknown
}

const (
	selectHead = `SELECT position, clock, version FROM head`
	updateHead = `UPDATE head SET position = $1, clock = $2`
)

// pipelinedQuery is one query of a round trip. answer gets each row.
type pipelinedQuery struct {
	text   string
	args   []any
	answer func(scan) error
}

type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

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
