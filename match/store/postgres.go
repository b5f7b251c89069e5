package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

const (
	// postgresReaders is the number of connections for reading.
	postgresReaders = 4
	// hostTimeout is the time for each host of the URL to accept a connection, unless the URL has a connect_timeout. A
	// host that has failed does not answer, and the next host may have taken its place.
	hostTimeout = 2 * time.Second
	// connectTimeout is the time to make a connection and its settings, for all hosts together.
	connectTimeout = groupTimeout
	// leastPostgres is the oldest version that is tested.
	leastPostgres = 15
	migrationLock = 0x6e6f74616b746f
	notifyChannel = "notakto"
)

// postgresEngine is the engine for a PostgreSQL database that several servers may share. A group of requests takes
// two round trips, begin with its questions and commit with its rows. Reading rows of other servers takes one more.
type postgresEngine struct {
	config   *pgx.ConnConfig
	settings []string
	readers  *sql.DB
	lock     io.Closer // of the data directory, nil without a directory
	log      *slog.Logger
	warned   sync.Map // statements that isRejected has logged

	conn          *pgx.Conn // the connection that writes, nil before the first
	hasLockedHead bool      // conn has locked head, and connect must not replace conn
	identity      string    // of the database server and timeline of conn, empty if unknown
}

// errConnectionLost says that conn closed after begin or readHead, and that the engine did not send the statements of
// the failed call.
var errConnectionLost = errors.New("the connection to the database was lost")

// ErrDatabaseURL says that a text is no URL of a PostgreSQL database. Errors that wrap it do not contain the
// password.
var ErrDatabaseURL = errors.New("invalid database URL: want postgres://USER:PASSWORD@HOST/DATABASE")

// ErrOldPostgres says that the database server is too old.
var ErrOldPostgres = fmt.Errorf("PostgreSQL is too old: want version %d or newer", leastPostgres)

func openPostgres(ctx context.Context, url string, log *slog.Logger) (*postgresEngine, error) {
	scheme, rest, _ := strings.Cut(url, "://")
	if scheme != "postgres" && scheme != "postgresql" {
		return nil, ErrDatabaseURL // an error of pgx may show the password of such a text
	}
	rest, _, _ = strings.Cut(rest, "?")
	if user, _, found := strings.Cut(rest, "@"); found && (strings.Contains(user, "/") || strings.Count(rest, "@") > 1) {
		return nil, fmt.Errorf(`%w: in the password write "@" as %%40 and "/" as %%2F`, ErrDatabaseURL)
	}
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDatabaseURL, err)
	}
	config.ConnectTimeout = cmp.Or(config.ConnectTimeout, hostTimeout)
	// A server that stops in a transaction holds up all others, and PostgreSQL therefore ends such a transaction soon. The
	// settings jit and enable_seqscan are off, because PostgreSQL has no statistics of new tables and plans badly for
	// them. The connection of listen has no settings.
	settings := []string{
		"SET idle_in_transaction_session_timeout = '1s'", "SET lock_timeout = '8s'", "SET statement_timeout = '8s'",
		"SET tcp_keepalives_idle = 2", "SET tcp_keepalives_interval = 1", "SET tcp_keepalives_count = 3",
		"SET tcp_user_timeout = 5000", "SET client_connection_check_interval = '1s'",
		"SET jit = off", "SET enable_seqscan = off",
	}
	e := &postgresEngine{config: config, settings: settings, log: log}
	if err := e.connect(ctx); err != nil {
		return nil, fmt.Errorf("connect to the database: %w", err)
	}
	err = e.checkVersion(ctx)
	if err == nil {
		err = e.migrate(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, e.conn.Close(ctx))
	}
	e.readers = stdlib.OpenDB(*config, stdlib.OptionAfterConnect(e.applySettings))
	e.readers.SetMaxOpenConns(postgresReaders)
	e.readers.SetMaxIdleConns(postgresReaders)
	e.readers.SetConnMaxIdleTime(time.Minute)
	return e, nil
}

// connect opens conn unless conn is open. The error is errConnectionLost if conn was lost while it held the lock of
// head.
func (e *postgresEngine) connect(ctx context.Context) error {
	if e.conn != nil && !e.conn.IsClosed() {
		return nil
	}
	if e.hasLockedHead {
		return errConnectionLost
	}
	ctx, stop := context.WithTimeout(ctx, connectTimeout)
	defer stop()
	conn, err := pgx.ConnectConfig(ctx, e.config.Copy())
	if err != nil {
		return connectError{err}
	}
	if err := e.applySettings(ctx, conn); err != nil {
		return errors.Join(err, conn.Close(ctx))
	}
	identity := ""
	err = conn.QueryRow(ctx, `SELECT s.system_identifier::text || '/' || c.timeline_id::text
		FROM pg_control_system() s, pg_control_checkpoint() c`).Scan(&identity)
	if err != nil && !e.isRejected("the identity of the server", err) {
		return errors.Join(err, conn.Close(ctx))
	}
	e.conn, e.identity = conn, identity
	return nil
}

// withAdvice adds advice for the operator to an error of PostgreSQL from [Open].
func withAdvice(err error) error {
	advice := ""
	switch sqlState(err) {
	case "":
		if !errors.As(err, new(connectError)) {
			return err
		}
		advice = "check that PostgreSQL answers there, or name another database with --database"
	case "3D000":
		advice = "create it, or name another database with --database"
	case "28000", "28P01":
		advice = "check the user in --database, and the password"
	case "42501":
		advice = "the user in --database must own the database"
	case "25006":
		advice = "name a host that takes writes, or add target_session_attrs=read-write to --database"
	case "42P05", "26000": // a prepared statement of another connection, or of a missing one
		advice = "name PostgreSQL itself with --database, and no pool in transaction mode"
	default:
		return err
	}
	return fmt.Errorf("%w; %s", err, advice)
}

// connectError makes one line of an error of pgx, because pgx writes a line for each host.
type connectError struct{ error }

func (e connectError) Error() string { return strings.Join(strings.Fields(e.error.Error()), " ") }

func (e connectError) Unwrap() error { return e.error }

// checkVersion returns [ErrOldPostgres] if PostgreSQL is too old, and logs a warning for another database that
// speaks the protocol of PostgreSQL.
func (e *postgresEngine) checkVersion(ctx context.Context) error {
	var version string
	if err := e.conn.QueryRow(ctx, `SELECT version()`).Scan(&version); err != nil && !isNotExecuted(err) {
		return err
	}
	major, ok := postgresMajor(version)
	switch {
	case !ok:
		e.log.Warn("the database does not say that it is PostgreSQL: only PostgreSQL is tested",
			"event", "store-not-postgres", "version", version)
	case major < leastPostgres:
		return fmt.Errorf("%w (it is %.40q)", ErrOldPostgres, version)
	}
	return nil
}

func postgresMajor(version string) (major int, ok bool) {
	rest, ok := strings.CutPrefix(version, "PostgreSQL ")
	if end := strings.IndexFunc(rest, func(r rune) bool { return r < '0' || r > '9' }); end >= 0 {
		rest = rest[:end] // of 15.4 (Debian 15.4-1), or of 16beta1
	}
	major, err := strconv.Atoi(rest)
	return major, ok && err == nil
}

// applySettings makes the settings of a connection at once, or one by one if the database rejects any.
func (e *postgresEngine) applySettings(ctx context.Context, conn *pgx.Conn) error {
	if _, err := conn.PgConn().Exec(ctx, strings.Join(e.settings, ";")).ReadAll(); err == nil {
		return nil
	}
	for _, setting := range e.settings {
		if _, err := conn.PgConn().Exec(ctx, setting).ReadAll(); err != nil && !e.isRejected(setting, err) {
			return err
		}
	}
	return nil
}

// isRejected reports whether the database has rejected a statement and still works, and logs that once. Databases that
// only speak the protocol of PostgreSQL lack some of its features.
func (e *postgresEngine) isRejected(what string, err error) bool {
	if !isNotExecuted(err) {
		return false
	}
	if _, told := e.warned.LoadOrStore(what, true); !told {
		e.log.Warn("the database does not know a setting; the server continues without it",
			"event", "store-setting-skipped", "setting", what, "error", err)
	}
	return true
}

// migrate creates or migrates the tables. If another server does that, migrate waits.
func (e *postgresEngine) migrate(ctx context.Context) error {
	noTimeouts := `SET lock_timeout = 0; SET statement_timeout = 0`
	if _, err := e.conn.PgConn().Exec(ctx, noTimeouts).ReadAll(); err != nil && !e.isRejected(noTimeouts, err) {
		return err
	}
	tx, err := e.conn.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback(ctx) }()
	_, err = e.conn.Exec(ctx, `SAVEPOINT locking`)
	if err == nil {
		_, err = e.conn.Exec(ctx, `SELECT pg_advisory_xact_lock($1)`, int64(migrationLock))
	}
	if err != nil {
		if !e.isRejected("advisory locks", err) {
			return err
		}
		if _, err := e.conn.Exec(ctx, `ROLLBACK TO locking`); err != nil {
			return err
		}
	}
	var isThere bool
	var version int64
	err = tx.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM information_schema.tables
		WHERE table_name = 'head' AND table_schema = current_schema())`).Scan(&isThere)
	if err == nil && isThere {
		err = tx.QueryRow(ctx, `SELECT version FROM head`).Scan(&version)
	}
	if err != nil {
		return err
	}
	todo, err := pending(version)
	if err != nil {
		return err
	}
	for i, text := range todo {
		if _, err := e.conn.PgConn().Exec(ctx, text).ReadAll(); err != nil {
			return fmt.Errorf("migrate the database from version %d: %w", version+int64(i), err)
		}
	}
	if err := tx.Commit(ctx); err != nil {
		return err
	}
	return e.applySettings(ctx, e.conn)
}

func (e *postgresEngine) isShared() bool { return true }

func (e *postgresEngine) name() string { return "postgres" }

// roundTrip collects statements that are sent to the database together.
type roundTrip struct {
	pgx.Batch
	results []func(pgx.BatchResults) error
}

func (r *roundTrip) exec(query string, args ...any) {
	r.Queue(query, args...)
	r.results = append(r.results, func(results pgx.BatchResults) error {
		_, err := results.Exec()
		return err
	})
}

func (r *roundTrip) query(fn func(scan) error, query string, args ...any) {
	r.Queue(query, args...)
	r.results = append(r.results, func(results pgx.BatchResults) error {
		rows, err := results.Query()
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			if err := fn(rows.Scan); err != nil {
				return err
			}
		}
		return rows.Err()
	})
}

func (r *roundTrip) add(b *batch) {
	for _, s := range b.statements {
		text, arrays := s.postgres(b.rows[s])
		r.exec(text, arrays...)
	}
}

func (e *postgresEngine) send(ctx context.Context, trip *roundTrip) error {
	if err := e.connect(ctx); err != nil {
		return err
	}
	answers := e.conn.SendBatch(ctx, &trip.Batch)
	for _, result := range trip.results {
		if err := result(answers); err != nil {
			_ = answers.Close() // returns err again
			return err
		}
	}
	return answers.Close()
}

const selectNow = `SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint`

// begin locks head before it reads the time and the answers, because both must follow the transaction of the server
// that held the lock before.
func (e *postgresEngine) begin(ctx context.Context, questions []question) (h head, err error) {
	trip := &roundTrip{}
	trip.exec(`BEGIN ISOLATION LEVEL READ COMMITTED`)
	trip.query(func(scan scan) error { return scan(&h.position, &h.clock, &h.version) }, selectHead+` FOR UPDATE`)
	trip.query(func(scan scan) error { return scan(&h.now) }, selectNow)
	for _, asked := range questions {
		if len(asked.rows) > 0 {
			text, arrays := asked.postgres(asked.rows)
			trip.query(asked.answer, text, arrays...)
		}
	}
	if err := e.send(ctx, trip); err != nil {
		e.rollback()
		return h, err
	}
	e.hasLockedHead = true
	h.identity = e.identity
	return h, nil
}

func (e *postgresEngine) readHead(ctx context.Context) (h head, err error) {
	trip := &roundTrip{}
	trip.query(func(scan scan) error { return scan(&h.position, &h.clock, &h.version) }, selectHead)
	trip.query(func(scan scan) error { return scan(&h.now) }, selectNow)
	if err := e.send(ctx, trip); err != nil {
		e.disconnect()
		return h, err
	}
	h.identity = e.identity
	return h, nil
}

func (e *postgresEngine) runQueries(ctx context.Context, queries ...pipelinedQuery) error {
	trip := &roundTrip{}
	for _, one := range queries {
		trip.query(one.answer, one.text, one.args...)
	}
	// A new connection may lead to a server that lacks the rows up to head.
	if e.conn == nil || e.conn.IsClosed() {
		return errConnectionLost
	}
	return e.send(ctx, trip)
}

func (e *postgresEngine) write(ctx context.Context, b *batch) error {
	trip := &roundTrip{}
	trip.add(b)
	return e.send(ctx, trip)
}

func (e *postgresEngine) disableTimeouts(ctx context.Context) error {
	trip := &roundTrip{}
	trip.exec(`SET LOCAL statement_timeout = 0`)
	trip.exec(`SET LOCAL idle_in_transaction_session_timeout = '1min'`) // the caller computes between statements
	return e.send(ctx, trip)
}

// commit waits for a synchronous standby without a timeout of the database. PostgreSQL reports a commit as done when
// a timeout ends the wait, although the commit is not on the standby.
func (e *postgresEngine) commit(ctx context.Context, b *batch, h head) (isUnknown bool, err error) {
	trip := &roundTrip{}
	trip.add(b)
	trip.exec(updateHead, h.position, h.clock)
	trip.exec(`SELECT pg_notify($1, $2)`, notifyChannel, strconv.FormatInt(h.position, 10))
	trip.exec(`SET LOCAL statement_timeout = 0`)
	trip.exec(`COMMIT`)
	err = e.send(ctx, trip)
	if err == nil {
		e.hasLockedHead = false
	}
	return err != nil && !errors.Is(err, errConnectionLost) && !isNotExecuted(err), err
}

// isNotExecuted reports whether the database has answered that it did not execute a statement. The connection stays
// open then.
func isNotExecuted(err error) bool {
	var failed *pgconn.PgError
	return errors.As(err, &failed) && failed.SeverityUnlocalized == "ERROR"
}

func (e *postgresEngine) rollback() {
	e.hasLockedHead = false
	if e.conn == nil || e.conn.IsClosed() {
		return
	}
	ctx, stop := context.WithTimeout(context.Background(), time.Second)
	defer stop()
	if _, err := e.conn.Exec(ctx, "ROLLBACK"); err != nil {
		e.disconnect()
	}
}

// disconnect closes conn. The next round trip opens a new connection.
func (e *postgresEngine) disconnect() {
	if e.conn == nil {
		return
	}
	ctx, stop := context.WithTimeout(context.Background(), time.Second)
	defer stop()
	_ = e.conn.Close(ctx)
}

// settle locks head first. The lost connection may still commit, and holds the lock until its transaction ends.
func (e *postgresEngine) settle(ctx context.Context, last row) (committed bool, err error) {
	e.disconnect()
	h, err := e.begin(ctx, nil)
	if err != nil {
		return false, err
	}
	defer e.rollback()
	isPresent := false
	err = e.runQueries(ctx, pipelinedQuery{last.kind.selectStatement(), []any{last.position}, func(scan scan) error {
		var there row
		err := there.read(scan)
		isPresent, committed = true, there.isSame(last)
		return err
	}})
	if err == nil && !isPresent && h.position >= last.position {
		err = errUnknown
	}
	return committed, err
}

func sqlState(err error) string {
	var failed *pgconn.PgError
	if !errors.As(err, &failed) || len(failed.Code) != 5 {
		return ""
	}
	return failed.Code
}

func (e *postgresEngine) reason(err error) string {
	if sqlState(err) == "53100" {
		return "the disk is full"
	}
	return ""
}

func (e *postgresEngine) isBadValue(err error) bool {
	state := sqlState(err)
	if state == "" {
		return false
	}
	switch state[:2] {
	case "22", "23", "54": // data exception, integrity violation, a limit of the program
		return true
	}
	return false
}

func (e *postgresEngine) read(_ context.Context, fn func(querier) error) error { return fn(e.readers) }

func (e *postgresEngine) snapshot(ctx context.Context, fn func(querier) error) error {
	tx, err := e.readers.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		return err
	}
	return errors.Join(fn(tx), tx.Rollback())
}

func (e *postgresEngine) measure(ctx context.Context) (f facts, err error) {
	f.isFreeUnknown = true
	err = e.readers.QueryRowContext(ctx, `SELECT pg_database_size(current_database())`).Scan(&f.size)
	return f, err
}

func (e *postgresEngine) close() error {
	e.disconnect()
	err := e.readers.Close()
	if e.lock != nil {
		err = errors.Join(err, e.lock.Close())
	}
	return err
}

// listen only shortens the wait for the next poll. Notifications are lost with a connection, and behind a connection
// pool.
func (e *postgresEngine) listen(ctx context.Context, wake func(position int64)) {
	for ctx.Err() == nil {
		conn, err := pgx.ConnectConfig(ctx, e.config.Copy())
		if err == nil {
			_, err = conn.Exec(ctx, "LISTEN "+notifyChannel)
			if err != nil && e.isRejected("LISTEN", err) {
				_ = conn.Close(ctx)
				return
			}
		}
		for position := int64(0); err == nil; {
			wake(position)
			var n *pgconn.Notification
			if n, err = conn.WaitForNotification(ctx); err == nil {
				position, _ = strconv.ParseInt(n.Payload, 10, 64) // 0 if another program notifies
			}
		}
		if conn != nil {
			_ = conn.Close(context.WithoutCancel(ctx))
		}
		select {
		case <-time.After(200 * time.Millisecond):
		case <-ctx.Done():
		}
	}
}
