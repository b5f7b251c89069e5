//go:build postgres

package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"notakto/match"
	"notakto/match/internal/disk"
)

var databases atomic.Int64

// database makes an empty database in the cluster of .ci/e2e/postgres.sh, and returns its URL.
func database(t testing.TB) string {
	t.Helper()
	base := os.Getenv("NOTAKTO_POSTGRES")
	if base == "" {
		t.Fatal("NOTAKTO_POSTGRES is not set: run .ci/e2e/postgres.sh")
	}
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, base+"/postgres?sslmode=disable")
	ok(t, err)
	defer func() { _ = conn.Close(ctx) }()
	name := fmt.Sprintf("test_%d_%d", os.Getpid(), databases.Add(1))
	ok(t, errOf(conn.Exec(ctx, "CREATE DATABASE "+name)))
	return base + "/" + name + "?sslmode=disable"
}

// nameOf returns the name of a database by its URL.
func nameOf(url string) string { return strings.TrimSuffix(path.Base(url), "?sslmode=disable") }

func share(t testing.TB, url string) *Store {
	t.Helper()
	return openWith(t, Config{URL: url})
}

func TestPostgresContract(t *testing.T) {
	testContract(t, func(t *testing.T) *Store { return share(t, database(t)) })
}

func TestPostgresHistory(t *testing.T) {
	testHistory(t, func(t *testing.T) *Store { return share(t, database(t)) })
}

func TestPostgresProgress(t *testing.T) {
	testProgress(t, func(t *testing.T) *Store { return share(t, database(t)) })
}

func TestPostgresNotices(t *testing.T) {
	url := database(t)
	testNotices(t, share(t, url), share(t, url))
}

func TestPostgresOutageEndsWithTheFirstServer(t *testing.T) {
	url := database(t)
	one := share(t, url)
	ok(t, one.Check(t.Context()))
	checkOutages(t, share(t, url), 0)
	db := one.engine.(*postgresEngine).readers
	ok(t, errOf(db.ExecContext(t.Context(), `UPDATE head SET clock = clock - 3600000000`)))
	for range 2 {
		checkOutages(t, share(t, url), time.Minute, time.Hour)
	}
}

// A change of the whole database may take longer than the time limit of a move.
func TestPostgresIsPatientWithLongChanges(t *testing.T) {
	s := share(t, database(t))
	var timeout string
	err := s.doFirst(t.Context(), func(*group, func() error) error {
		show := pipelinedQuery{`SHOW statement_timeout`, nil, func(scan scan) error { return scan(&timeout) }}
		return s.engine.runQueries(t.Context(), show)
	})
	if err != nil || timeout != "0" {
		t.Errorf("a statement may take %s, %v", timeout, err)
	}
}

// A command that needs the database alone fails while a server uses it.
func TestADatabaseThatServersUseIsNotOpenedAlone(t *testing.T) {
	c := Config{URL: database(t)}
	s := share(t, c.URL)
	e, err := s.Put(t.Context(), match.Entry{Key: "node.a", Text: []byte("up")})
	ok(t, err)
	errorIs(t, errOf(OpenStopped(t.Context(), c)), ErrInUse)
	ok(t, s.Delete(t.Context(), e))
	alone, err := OpenStopped(t.Context(), c)
	if err != nil {
		t.Fatalf("after it has stopped: %v", err)
	}
	ok(t, alone.Close())
}

// The error of a database that cannot be used says what to do, in one line without the password.
func TestPostgresThatCannotBeUsed(t *testing.T) {
	base := os.Getenv("NOTAKTO_POSTGRES")
	for url, want := range map[string]string{
		"postgres://ann:s3cret@127.0.0.1:1/n":             "connection refused; check that PostgreSQL answers there",
		base + "/nosuch":                                  `"nosuch" does not exist (SQLSTATE 3D000); create it`,
		database(t) + "&default_transaction_read_only=on": "target_session_attrs=read-write",
		strings.Replace(base, "postgres@", "nobody@", 1):  "check the user",
	} {
		s, err := Open(t.Context(), Config{URL: url})
		if err == nil || !strings.Contains(err.Error(), want) || strings.ContainsAny(err.Error(), "\n\t") ||
			strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s: opened %v, %q, want %q", url, s, err, want)
		}
	}
}

// Two servers of a database must not share the control socket in a data directory.
func TestPostgresAndASharedDirectory(t *testing.T) {
	c := Config{URL: database(t), Dir: t.TempDir()}
	s := openWith(t, c)
	if second, err := Open(t.Context(), c); !errors.Is(err, disk.ErrLocked) {
		t.Errorf("opened twice: %v, %v", second, err)
	}
	openWith(t, Config{URL: c.URL, Dir: filepath.Join(c.Dir, "missing")})
	ok(t, s.Close())
	openWith(t, c)
}

func TestPostgresRelease(t *testing.T) { testRelease(t, share(t, database(t))) }

func TestPostgresAndAKilledServer(t *testing.T) { testKilled(t, Config{URL: database(t)}) }

// The log and the errors for players do not name the host and the user of the database.
func TestPostgresIsAway(t *testing.T) {
	const url = "postgres://somebody:secret@127.0.0.1:1/private?sslmode=disable"
	if s, err := Open(t.Context(), Config{URL: url}); err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("opened %v, %v", s, err)
	}
	var log bytes.Buffer
	c, through := cutBefore(t, database(t))
	s := openWith(t, Config{
		URL: strings.Replace(through, "postgres@", "postgres:secret@", 1),
		Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	})
	mustAppend(t, s, "m", 1, 1)
	c.stop()
	_, err := s.Append(t.Context(), left("m", 2))
	if want := match.ErrUnavailable.Error() + ": the database does not answer"; match.UserMessage(err) != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
	ok(t, s.Close())
	if text := log.String(); !strings.Contains(text, "event=store-failed") || strings.Contains(text, "secret") {
		t.Errorf("the log says\n%s", text)
	}
}

const readWrite = "&target_session_attrs=read-write"

// A host that does not answer must not keep a server from the next host, at the start or after a failure.
func TestSeveralHosts(t *testing.T) {
	mute, err := net.Listen("tcp", "127.0.0.1:0")
	ok(t, err)
	defer func() { _ = mute.Close() }()
	direct := database(t)
	c, through := cutBefore(t, direct)
	host := c.listener.Addr().String()
	s := share(t, strings.Replace(through, host, mute.Addr().String()+","+host+","+c.to, 1)+readWrite)
	mustAppend(t, s, "m", 1, 1)
	c.stop()
	mustAppend(t, s, "m", 2, 2)
	if n := length(t, share(t, direct), "m"); n != 2 {
		t.Errorf("the match has %d events", n)
	}
}

// With target_session_attrs=read-write a server skips a database that cannot be written, such as a standby.
func TestAReadOnlyHost(t *testing.T) {
	direct := database(t)
	alter := `ALTER DATABASE ` + nameOf(direct)
	execute(t, direct, alter+` SET default_transaction_read_only = on`)
	s, err := Open(t.Context(), Config{URL: direct + readWrite})
	if err == nil || !strings.Contains(err.Error(), "read only") {
		t.Errorf("opened %v, %v", s, err)
	}
	execute(t, direct+"&default_transaction_read_only=off", alter+` RESET default_transaction_read_only`)
	mustAppend(t, share(t, direct+readWrite), "m", 1, 1)
}

// An old PostgreSQL is refused before tables are created, and the error has the required version. For a database
// with another name a warning is logged.
func TestVersionOfTheDatabase(t *testing.T) {
	for version, want := range map[string]error{"PostgreSQL 14.9 (Debian)": ErrOldPostgres, "SomethingElse 1.0": nil} {
		direct := database(t)
		execute(t, direct, `CREATE FUNCTION public.version() RETURNS text LANGUAGE sql AS 'SELECT ''`+version+`'''`)
		execute(t, direct, `ALTER DATABASE `+nameOf(direct)+` SET search_path = public, pg_catalog`)
		var log bytes.Buffer
		s, err := Open(t.Context(), Config{URL: direct, Log: slog.New(slog.NewTextHandler(&log, nil))})
		if !errors.Is(err, want) || err != nil && !strings.Contains(err.Error(), "want version 15 or newer") {
			t.Errorf("%s: %v", version, err)
		}
		if s == nil {
			continue
		}
		ok(t, s.Close())
		if !strings.Contains(log.String(), "event=store-not-postgres") {
			t.Errorf("%s: the log says\n%s", version, &log)
		}
	}
}

// A setting that the database rejects is logged once, and the remaining settings hold.
func TestUnknownSettings(t *testing.T) {
	var log bytes.Buffer
	e := postgresOf(t, database(t))
	defer func() { _ = e.close() }()
	e.log = slog.New(slog.NewTextHandler(&log, nil))
	e.settings = append([]string{"SET nonsense = 1"}, e.settings...)
	for range 2 {
		e.disconnect()
		ok(t, e.connect(t.Context()))
	}
	var timeout string
	err := e.conn.QueryRow(t.Context(), `SHOW idle_in_transaction_session_timeout`).Scan(&timeout)
	if err != nil || timeout != "1s" {
		t.Errorf("the timeout is %q, %v", timeout, err)
	}
	if text := log.String(); strings.Count(text, "\n") != 1 || !strings.Contains(text, `setting="SET nonsense = 1"`) {
		t.Errorf("the log says\n%s", text)
	}
}

// A server waits at its start while another server migrates the database.
func TestAServerWaitsForAMigration(t *testing.T) {
	direct := database(t)
	migrating, err := pgx.Connect(t.Context(), direct)
	ok(t, err)
	defer func() { _ = migrating.Close(context.Background()) }()
	run := func(query string, args ...any) {
		t.Helper()
		ok(t, errOf(migrating.Exec(t.Context(), query, args...)))
	}
	run(`BEGIN`)
	run(`SELECT pg_advisory_xact_lock($1)`, int64(migrationLock))
	opened := make(chan error, 1)
	go func() {
		s, err := Open(t.Context(), Config{URL: direct})
		if err == nil {
			err = s.Close()
		}
		opened <- err
	}()
	for waits := false; !waits; {
		select {
		case err := <-opened:
			t.Fatalf("it did not wait: %v", err)
		default:
		}
		ok(t, migrating.QueryRow(t.Context(), `SELECT EXISTS (SELECT 1 FROM pg_locks
			WHERE locktype = 'advisory' AND NOT granted
			AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))`).Scan(&waits))
	}
	run(`CREATE TABLE head (version bigint)`)
	run(`INSERT INTO head VALUES (1000)`)
	run(`COMMIT`)
	errorIs(t, <-opened, ErrNewerSchema)
}
