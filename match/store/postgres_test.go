//go:build postgres

package store

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"

	"notakto/match"
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

func TestPostgresRelease(t *testing.T) { testRelease(t, share(t, database(t))) }

func TestPostgresAndAKilledServer(t *testing.T) { testKilled(t, Config{URL: database(t)}) }

// Neither the log nor a player reads where the database is and who uses it.
func TestPostgresIsAway(t *testing.T) {
	const url = "postgres://somebody:secret@127.0.0.1:1/private?sslmode=disable"
	if s, err := Open(t.Context(), Config{URL: url}); err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("opened %v, %v", s, err)
	}
	c, through := cutBefore(t, database(t))
	s := share(t, through)
	mustAppend(t, s, "m", 1, 1)
	c.stop()
	_, err := s.Append(t.Context(), left("m", 2))
	if want := match.ErrUnavailable.Error() + ": the database does not answer"; match.UserMessage(err) != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
}
