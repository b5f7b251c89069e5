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

// Errors of [OpenStopped].
var (
	ErrRunning = errors.New("the server of this directory runs: stop it first")
	ErrNoStore = errors.New("the directory has no database: name the data directory of a server with --data")
	ErrInUse   = errors.New("servers use the database: stop them, wait 15 seconds, and try again")
)

// OpenStopped opens a store for a command that must be its only user. Errors are [ErrRunning], [ErrNoStore],
// [ErrInUse], and those of [Open].
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
		return nil, errors.Join(ErrInUse, s.Close())
	}
	return s, err
}

// isServed reports whether the store has entries, because every running server renews its entry every few seconds. With
// SQLite a store begins without entries, and the lock of the directory keeps a second process out.
func (s *Store) isServed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.memory.entries) > 0
}

// ErrDamagedDatabase says that a database is damaged. SQLite finds its file inconsistent, or an event of the accounts
// cannot be read.
var ErrDamagedDatabase = errors.New("the database is damaged: restore a backup")

// Contents counts the matches that [Store.Inspect] has found, and the accounts that [RestoreBackup] has erased.
type Contents struct {
	Finished int // over or in the archive
	Live     int // in progress, and not in the archive
	Damaged  int // finished or live ones that cannot be read
	Unlisted int // readable ones that are missing in the history, or wrongly there
	Erased   int // accounts that RestoreBackup has erased, because erasedFile in the data directory lists them
}

// Inspect reads everything, computes the states of all matches, and compares them with the history. Other goroutines
// may use the store, but a match that ends before Inspect returns may count as unlisted. The error is
// [ErrDamagedDatabase] if the database is damaged beyond single matches.
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
		live := liveMatch{damage: m.damage}
		for _, e := range m.events {
			live.fold(e)
		}
		if m.isArchived || live.state.IsOver() {
			c.Finished++
		} else {
			c.Live++
		}
		switch {
		case m.damage != nil || live.isInvalid || len(m.events) == 0:
			c.Damaged++
			delete(listed, m.id) // only a readable match can be wrongly in the history
		case isFinished(&live.state):
			if !listed[m.id] {
				c.Unlisted++
			}
			delete(listed, m.id)
		}
		return nil
	})
	if err != nil {
		return c, err
	}
	for _, e := range s.accountEvents() {
		if e.Kind == account.Unreadable {
			return c, fmt.Errorf("%w: event %d of the accounts cannot be read", ErrDamagedDatabase, e.Seq)
		}
	}
	c.Unlisted += len(listed)
	return c, nil
}

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
	return fmt.Errorf("%w: %w", ErrDamagedDatabase, errors.Join(err, errors.New(strings.Join(found, "; "))))
}

func (s *Store) accountEvents() (all []account.Event) {
	s.Accounts().Subscribe(func(e account.Event) { all = append(all, e) })()
	return all
}
