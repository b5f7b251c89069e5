package store

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"notakto/match"
)

// TestNotices tests the notices on SQLite. TestPostgresNotices runs these tests on PostgreSQL, on two servers.
func TestNotices(t *testing.T) {
	s := openIn(t, t.TempDir())
	testNotices(t, s, s)
}

func (s *Store) mustClaim(t *testing.T, name, item string, since time.Time, want Claim) {
	t.Helper()
	got, err := s.Notices().Claim(t.Context(), match.PlayerID(name), item, since, MaxNotices)
	if err != nil || got != want {
		t.Errorf("%s of %s: %d, want %d, %v", item, name, got, want, err)
	}
}

// age makes all notices older.
func (s *Store) age(t *testing.T, by time.Duration) {
	t.Helper()
	ok(t, s.do(t.Context(), &request{decide: func(g *group) error {
		g.batch.add(statement(fmt.Sprintf(`UPDATE notice SET at = at - %d`, by.Microseconds())))
		return nil
	}}))
}

func testNotices(t *testing.T, one, other *Store) {
	now := one.Now()
	one.mustClaim(t, "ann", "turn", now, ClaimGranted)
	other.mustClaim(t, "ann", "turn", now, ClaimRefused)
	other.mustClaim(t, "bob", "turn", now, ClaimGranted)

	ok(t, one.Notices().MarkSeen(t.Context(), "cyd", now.Add(-time.Minute)))
	other.mustClaim(t, "cyd", "turn", now, ClaimHeld)
	other.mustClaim(t, "cyd", "before the key", now.Add(-2*time.Minute), ClaimRefused)
	ok(t, other.Notices().MarkSeen(t.Context(), "cyd", now.Add(-7*time.Minute)))
	one.mustClaim(t, "cyd", "turn", now, ClaimGranted)

	for n := range MaxNotices {
		one.mustClaim(t, "dan", fmt.Sprint("turn ", n), now, ClaimGranted)
	}
	one.mustClaim(t, "dan", "one more", now, ClaimRefused)
	one.age(t, 24*time.Hour)
	other.mustClaim(t, "dan", "tomorrow", now, ClaimGranted)
	other.mustClaim(t, "dan", "turn 3", now, ClaimRefused)
	one.age(t, noticeAge)
	one.mustClaim(t, "eve", "turn", now, ClaimGranted)
	other.mustClaim(t, "dan", "turn 3", now, ClaimGranted) // the old row is gone

	ok(t, one.Progress().DeleteAccounts(t.Context(), "dan", "nobody"))
	if rows := one.noticeRows(t); strings.Contains(rows, "dan") || !strings.Contains(rows, "eve turn") {
		t.Errorf("after a deletion the rows are %s", rows)
	}
}

func (s *Store) noticeRows(t *testing.T) (text string) {
	t.Helper()
	err := s.Progress().each(t.Context(), `SELECT account, item FROM notice ORDER BY account, item`, nil,
		func(scan scan) error {
			var account, item string
			err := scan(&account, &item)
			text += account + " " + item + "\n"
			return err
		})
	ok(t, err)
	return text
}
