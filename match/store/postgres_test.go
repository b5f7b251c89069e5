//go:build postgres

package store

import (
	"context"
	"fmt"
	"os"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
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

func TestPostgresSeason(t *testing.T) { testSeason(t, share(t, database(t))) }

func TestPostgresRebuild(t *testing.T) { testRebuild(t, share(t, database(t))) }
