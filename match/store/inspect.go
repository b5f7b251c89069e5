package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"notakto/match"
	"notakto/match/account"
	"notakto/match/internal/disk"
)

// The errors of [OpenStopped].
var (
	ErrRunning = errors.New("the server of this directory runs: stop it first")
	ErrNoStore = errors.New("the directory has no database of a server: name one that has with --data")
	ErrServed  = errors.New("servers use the database: stop them, wait 15 seconds, and try again")
)

// OpenStopped opens a store that no server uses, for a command that must have it alone. Errors: [ErrRunning],
// [ErrNoStore], [ErrServed], and those of [Open].
func OpenStopped(ctx context.Context, c Config) (*Store, error) {
	_, err := os.Stat(filepath.Join(c.Dir, FileName))
	if c.URL == "" && errors.Is(err, fs.ErrNotExist) && !hasOldData(c.Dir) {
		return nil, fmt.Errorf("%w (%s)", ErrNoStore, c.Dir)
	}
	s, err := Open(ctx, c)
	if errors.Is(err, disk.ErrLocked) {
		err = fmt.Errorf("%w (%s)", ErrRunning, c.Dir)
	}
	if err == nil && s.isServed() {
		return nil, errors.Join(ErrServed, s.Close())
	}
	return s, err
}

// isServed reports whether the store has entries. Every running server renews its entry every few seconds.
func (s *Store) isServed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.memory.entries) > 0
}

// ErrBroken says that a database is damaged: SQLite finds its file inconsistent, or an event of the accounts cannot be
// read.
var ErrBroken = errors.New("the database is damaged: restore a backup")

// Contents counts what Inspect found in a store.
type Contents struct {
	Finished int // matches that are over, or in the archive
	Live     int // matches in progress
	Damaged  int // of both, matches that cannot be read
	Unlisted int // matches that the history lacks, or has and should not have
}

// Inspect reads everything, computes the states of all matches, and compares them with the history. Other goroutines
// may use the store. Then a match that ends before it returns may count as unlisted. The error is [ErrBroken] if the
// database is damaged beyond single matches.
func (s *Store) Inspect(ctx context.Context) (c Contents, err error) {
	if !s.engine.isShared() {
		if err := s.checkIntegrity(ctx); err != nil {
			return c, err
		}
	}
	listed := make(map[match.ID]bool)
	err = s.read(ctx, func(db querier) error {
		return each(ctx, db, `SELECT match FROM finished`, nil, func(scan scan) error {
			var id match.ID
			err := scan(&id)
			listed[id] = true
			return err
		})
	})
	if err != nil {
		return c, s.unavailable(err)
	}
	err = s.eachMatch(ctx, func(m storedMatch) error {
		log := liveMatch{damage: m.damage}
		for _, e := range m.events {
			log.fold(e)
		}
		if m.isArchived || log.state.Over() {
			c.Finished++
		} else {
			c.Live++
		}
		switch {
		case m.damage != nil || log.isOdd || len(m.events) == 0:
			c.Damaged++
		case isFinished(&log.state) && !listed[m.id]:
			c.Unlisted++
		}
		if isFinished(&log.state) && !log.isOdd {
			delete(listed, m.id)
		}
		return nil
	})
	if err != nil {
		return c, err
	}
	for _, e := range s.accountEvents() {
		if e.Kind == account.Unreadable {
			return c, fmt.Errorf("%w: event %d of the accounts cannot be read", ErrBroken, e.Seq)
		}
	}
	c.Unlisted += len(listed)
	return c, nil
}

// checkIntegrity makes SQLite check its file. The error is [ErrBroken].
func (s *Store) checkIntegrity(ctx context.Context) error {
	var found []string
	err := s.read(ctx, func(db querier) error {
		return each(ctx, db, `PRAGMA integrity_check(10)`, nil, func(scan scan) error {
			var line string
			err := scan(&line)
			found = append(found, line)
			return err
		})
	})
	if err == nil && len(found) == 1 && found[0] == "ok" {
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return fmt.Errorf("%w: %w", ErrBroken, errors.Join(err, errors.New(strings.Join(found, "; "))))
}

// accountEvents returns the events of all accounts.
func (s *Store) accountEvents() (all []account.Event) {
	s.Accounts().Subscribe(func(e account.Event) { all = append(all, e) })()
	return all
}
