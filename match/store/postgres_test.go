//go:build postgres

package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

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
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(ctx) }()
	name := fmt.Sprintf("test_%d_%d", os.Getpid(), databases.Add(1))
	if _, err := conn.Exec(ctx, "CREATE DATABASE "+name); err != nil {
		t.Fatal(err)
	}
	return base + "/" + name + "?sslmode=disable"
}

// share opens a store of a database.
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

// A change of the whole database takes longer than a move may.
func TestPostgresIsPatientWithLongChanges(t *testing.T) {
	s := share(t, database(t))
	var timeout string
	err := s.exclusively(t.Context(), func(*group, func() error) error {
		show := query{`SHOW statement_timeout`, nil, func(scan scan) error { return scan(&timeout) }}
		return s.engine.ask(t.Context(), show)
	})
	if err != nil || timeout != "0" {
		t.Errorf("a statement may take %s, %v", timeout, err)
	}
}

// A command that needs a database for itself waits for its servers to stop.
func TestADatabaseThatServersUseIsNotOpenedAlone(t *testing.T) {
	c := Config{URL: database(t)}
	s := share(t, c.URL)
	e, err := s.Put(t.Context(), match.Entry{Key: "node.a", Text: []byte("up")})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := OpenStopped(t.Context(), c); !errors.Is(err, ErrServed) {
		t.Errorf("beside a server: %v", err)
	}
	if err := s.Delete(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	alone, err := OpenStopped(t.Context(), c)
	if err != nil {
		t.Fatalf("after it has stopped: %v", err)
	}
	if err := alone.Close(); err != nil {
		t.Error(err)
	}
}

// A server that cannot use its database says what to do, in one line that has no password.
func TestPostgresThatCannotBeUsed(t *testing.T) {
	base := os.Getenv("NOTAKTO_POSTGRES")
	for url, want := range map[string]string{
		"postgres://ann:s3cret@127.0.0.1:1/n":             "connection refused; see that PostgreSQL answers there",
		base + "/nosuch":                                  `database "nosuch" does not exist (SQLSTATE 3D000); create it`,
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
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	openWith(t, c)
}

func TestPostgresRelease(t *testing.T) { testRelease(t, share(t, database(t))) }

func TestPostgresAndAKilledServer(t *testing.T) { testKilled(t, Config{URL: database(t)}) }

// Neither the log nor a player reads where the database is and who uses it.
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
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if text := log.String(); !strings.Contains(text, "event=store-failed") || strings.Contains(text, "secret") {
		t.Errorf("the log says\n%s", text)
	}
}

// change changes a part of a URL.
func change(t *testing.T, text string, edit func(u *url.URL, query url.Values)) string {
	t.Helper()
	u, err := url.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	query := u.Query()
	edit(u, query)
	u.RawQuery = query.Encode()
	return u.String()
}

// nameOf returns the name of the database of a URL.
func nameOf(t *testing.T, text string) (name string) {
	t.Helper()
	change(t, text, func(u *url.URL, _ url.Values) { name = path.Base(u.Path) })
	return name
}

// A host that says nothing, as one whose machine is gone, does not keep a server from the next one: at its start, or
// when the one in use goes away.
func TestSeveralHosts(t *testing.T) {
	mute, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = mute.Close() }()
	direct := database(t)
	c, through := cutBefore(t, direct)
	s := share(t, change(t, through, func(u *url.URL, query url.Values) {
		query.Set("target_session_attrs", "read-write")
		u.Host = mute.Addr().String() + "," + u.Host + "," + c.to
	}))
	mustAppend(t, s, "m", 1, 1)
	c.stop()
	mustAppend(t, s, "m", 2, 2)
	if n := length(t, share(t, direct), "m"); n != 2 {
		t.Errorf("the match has %d events", n)
	}
}

// With target_session_attrs=read-write a database that cannot be written, such as a standby, is not used.
func TestAReadOnlyHost(t *testing.T) {
	direct := database(t)
	writing := change(t, direct, func(_ *url.URL, query url.Values) { query.Set("target_session_attrs", "read-write") })
	execute(t, direct, `ALTER DATABASE `+nameOf(t, direct)+` SET default_transaction_read_only = on`)
	if s, err := Open(t.Context(), Config{URL: writing}); err == nil || !strings.Contains(err.Error(), "read only") {
		t.Errorf("opened %v, %v", s, err)
	}
	execute(t, direct+"&default_transaction_read_only=off",
		`ALTER DATABASE `+nameOf(t, direct)+` RESET default_transaction_read_only`)
	mustAppend(t, share(t, writing), "m", 1, 1)
}

// An old PostgreSQL is refused before it gets tables, with the version that is needed. A database that does not say
// that it is PostgreSQL gets a warning.
func TestVersionOfTheDatabase(t *testing.T) {
	for version, want := range map[string]error{"PostgreSQL 14.9 (Debian)": ErrOldPostgres, "SomethingElse 1.0": nil} {
		direct := database(t)
		execute(t, direct, `CREATE FUNCTION public.version() RETURNS text LANGUAGE sql AS 'SELECT ''`+version+`'''`)
		execute(t, direct, `ALTER DATABASE `+nameOf(t, direct)+` SET search_path = public, pg_catalog`)
		var log bytes.Buffer
		s, err := Open(t.Context(), Config{URL: direct, Log: slog.New(slog.NewTextHandler(&log, nil))})
		if !errors.Is(err, want) || err != nil && !strings.Contains(err.Error(), "want version 15 or newer") {
			t.Errorf("%s: %v", version, err)
		}
		if s == nil {
			continue
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if !strings.Contains(log.String(), "event=store-not-postgres") {
			t.Errorf("%s: the log says\n%s", version, &log)
		}
	}
}

// A setting that the database does not know is skipped with one line of the log, and the others hold.
func TestUnknownSettings(t *testing.T) {
	var log bytes.Buffer
	e := postgresOf(t, database(t))
	defer func() { _ = e.close() }()
	e.log = slog.New(slog.NewTextHandler(&log, nil))
	e.settings = append([]string{"SET nonsense = 1"}, e.settings...)
	for range 2 {
		e.hangUp()
		if err := e.connect(t.Context()); err != nil {
			t.Fatal(err)
		}
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

// A server that starts waits while another one migrates the database.
func TestAServerWaitsForAMigration(t *testing.T) {
	direct := database(t)
	migrating, err := pgx.Connect(t.Context(), direct)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = migrating.Close(context.Background()) }()
	run := func(query string, args ...any) {
		t.Helper()
		if _, err := migrating.Exec(t.Context(), query, args...); err != nil {
			t.Fatal(err)
		}
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
		err := migrating.QueryRow(t.Context(), `SELECT EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory'
			AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))`).Scan(&waits)
		if err != nil {
			t.Fatal(err)
		}
	}
	run(`CREATE TABLE head (version bigint)`)
	run(`INSERT INTO head VALUES (1000)`)
	run(`COMMIT`)
	if err := <-opened; !errors.Is(err, ErrNewerSchema) {
		t.Errorf("after the migration: %v", err)
	}
}
