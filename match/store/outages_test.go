package store

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"notakto/match"
)

// running opens a store and checks it once a second for d, as a manager does.
func running(t *testing.T, dir string, d time.Duration) *Store {
	t.Helper()
	s := openIn(t, dir)
	for end := s.Now().Add(d); s.Now().Before(end); <-time.After(time.Second) {
		ok(t, s.Check(t.Context()))
	}
	return s
}

func (s *Store) mustClose(t *testing.T) {
	t.Helper()
	ok(t, s.Close())
}

// checkOutages compares the outages with their wanted lengths, the latest first.
func checkOutages(t *testing.T, s *Store, within time.Duration, want ...time.Duration) {
	t.Helper()
	isClose := func(o match.Period, d time.Duration) bool { return (o.To.Sub(o.From) - d).Abs() <= within }
	if all := s.Outages(); !slices.EqualFunc(all, want, isClose) {
		t.Errorf("the outages are %v, want %v", all, want)
	}
}

func TestOnlyTheTimeWithoutAServerIsAnOutage(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		running(t, dir, time.Hour).mustClose(t)
		<-time.After(3 * time.Hour)
		running(t, dir, time.Hour).mustClose(t)
		<-time.After(leastOutage / 2) // a quick restart
		running(t, dir, 10*time.Second).mustClose(t)
		<-time.After(5 * time.Hour)
		s := running(t, dir, time.Hour)
		checkOutages(t, s, time.Second, 5*time.Hour, 3*time.Hour)
		s.mustClose(t)

		<-time.After(time.Hour)
		s = openIn(t, dir) // by a command: no server runs
		<-time.After(time.Hour)
		s.mustClose(t)
		s = openIn(t, dir)
		checkOutages(t, s, time.Second, time.Hour, time.Hour, 5*time.Hour, 3*time.Hour)
		s.mustClose(t)
		<-time.After(outageAge + time.Second)
		openIn(t, dir).mustClose(t)
		s = openIn(t, dir)
		checkOutages(t, s, time.Second, outageAge)
		s.mustClose(t)
	})
}

// A killed server has committed the time within the last minute, although no player did anything.
func TestAnIdleServerCommitsTheTimeOnceAMinute(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		s := running(t, dir, time.Hour+aliveEvery-time.Second)
		if n := s.stats.Commits.Load(); n < 59 || n > 61 {
			t.Errorf("%d commits in an idle hour", n)
		}
		s.checked.Store(0) // Close commits nothing then
		s.mustClose(t)
		<-time.After(3 * time.Hour)
		s = openIn(t, dir)
		checkOutages(t, s, aliveEvery, 3*time.Hour+aliveEvery/2)
		s.mustClose(t)
	})
}

// A server may start on a full disk. What it could not record then, the first commit records.
func TestAnOutageThatCannotBeRecordedIsRecordedLater(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		s := running(t, dir, time.Minute)
		execSQLite(t, s, `CREATE TRIGGER full BEFORE INSERT ON outage BEGIN SELECT RAISE(FAIL, 'full'); END`)
		s.mustClose(t)
		<-time.After(time.Hour)
		s = openIn(t, dir)
		checkOutages(t, s, time.Second, time.Hour)
		if err := s.Check(t.Context()); err == nil {
			t.Error("the server is ready")
		}
		<-time.After(time.Hour)
		s.mustClose(t)
		s = openIn(t, dir)
		checkOutages(t, s, time.Second, 2*time.Hour)
		execSQLite(t, s, `DROP TRIGGER full`)
		mustAppend(t, s, "m", 1, 1)
		s.mustClose(t)
		s = openIn(t, dir)
		checkOutages(t, s, time.Second, 2*time.Hour)
		s.mustClose(t)
	})
}
