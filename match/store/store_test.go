package store

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"notakto/match"
	"notakto/match/account"
	"notakto/match/journaltest"
)

// ok ends the test if err is not nil.
func ok(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// errorIs checks that err is want.
func errorIs(t testing.TB, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("the error is %v, want %v", err, want)
	}
}

// equal checks that got is want. about names the value.
func equal[T any](t testing.TB, got, want T, about ...any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s%+v\nwant\n%+v", fmt.Sprintln(about...), got, want)
	}
}

func errOf[T any](_ T, err error) error { return err }

// openIn opens a store in a directory. The cleanup of the test closes it.
func openIn(t testing.TB, dir string) *Store {
	t.Helper()
	return openWith(t, Config{Dir: dir})
}

func openWith(t testing.TB, c Config) *Store {
	t.Helper()
	s, err := Open(t.Context(), c)
	ok(t, err)
	t.Cleanup(func() { ok(t, s.Close()) })
	return s
}

func TestContract(t *testing.T) {
	testContract(t, func(t *testing.T) *Store { return openIn(t, t.TempDir()) })
}

func testContract(t *testing.T, open func(t *testing.T) *Store) {
	t.Run("Journal", func(t *testing.T) {
		journaltest.Journal(t, func(t *testing.T) match.Journal { return open(t) })
	})
	t.Run("Registry", func(t *testing.T) {
		journaltest.Registry(t, func(t *testing.T) match.Store { return open(t) })
	})
	t.Run("Accounts", func(t *testing.T) {
		journaltest.Accounts(t, func(t *testing.T) account.Log { return open(t).Accounts() })
	})
}

// A deadline that has passed before the call gives the error of a deadline that passes during the call.
func TestPassedDeadlineIsUnavailable(t *testing.T) {
	s := openIn(t, t.TempDir())
	ctx, stop := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer stop()
	for call, err := range map[string]error{
		"Append":  errOf(s.Append(ctx, match.Event{Match: "late", Seq: 1})),
		"Load":    errOf(s.Load(ctx, "late", 0)),
		"Put":     errOf(s.Put(ctx, match.Entry{Key: "late", Text: []byte("text")})),
		"Archive": s.Archive(ctx, "late"), "CatchUp": s.CatchUp(ctx), "Check": s.Check(ctx),
	} {
		if !errors.Is(err, match.ErrUnavailable) {
			t.Errorf("%s: %v", call, err)
		}
	}
}
