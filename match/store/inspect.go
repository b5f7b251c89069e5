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

// OpenStopped opens a store that no server uses, for a command that needs it for itself. [ErrRunning], [ErrNoStore],
// [ErrServed], [ErrOldData].
func OpenStopped(ctx context.Context, c Config) (*Store, error) {
	if _, err := os.Stat(filepath.Join(c.Dir, FileName)); c.URL == "" && errors.Is(err, fs.ErrNotExist) && !isOf1(c.Dir) {
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

// isServed reports whether the store has entries: a server renews its own every few seconds.
func (s *Store) isServed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.memory.entries) > 0
}

// ErrBroken says that a database is damaged: what it says of itself does not fit.
var ErrBroken = errors.New("the database is damaged: restore a backup")

// Contents is what a store was found to hold.
type Contents struct {
	Finished int // matches that are over, or in the archive
	Live     int // matches in progress
	Damaged  int // of these, matches that cannot be read
	Unlisted int // finished matches that the history should have and has not, or has and should not have
}

// Inspect reads everything, folds all matches, and compares them with the history. Other goroutines may use the store;
// then a match that ends meanwhile may count as unlisted. [ErrBroken].
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
	count := func(id match.ID, events []match.Event, isArchived bool, damage error) {
		log := liveMatch{damage: damage}
		for _, e := range events {
			log.fold(e)
		}
		if isArchived || log.state.Over() {
			c.Finished++
		} else {
			c.Live++
		}
		switch {
		case damage != nil || log.isOdd || len(events) == 0:
			c.Damaged++
		case isFinished(&log.state) && !listed[id]:
			c.Unlisted++
		}
		if isFinished(&log.state) && !log.isOdd {
			delete(listed, id)
		}
	}
	live, err := s.eachRecord(ctx, func(m match.ArchivedMatch) error {
		count(m.ID, m.Events, true, nil)
		return nil
	})
	if err != nil {
		return c, err
	}
	for id, log := range live {
		count(id, log.events, false, log.damage)
	}
	for _, e := range s.accountEvents() {
		if e.Kind == account.Unreadable {
			return c, fmt.Errorf("%w: event %d of the accounts cannot be read", ErrBroken, e.Seq)
		}
	}
	c.Unlisted += len(listed)
	return c, nil
}

// checkIntegrity has SQLite read its file.
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

// eachRecord calls fn with all matches of the archive, and returns the logs of those that are not in it. A match that
// is archived meanwhile is in one of both.
func (s *Store) eachRecord(ctx context.Context, fn func(match.ArchivedMatch) error) (map[match.ID]liveMatch, error) {
	s.mu.Lock()
	others, end := make(map[match.ID]liveMatch, len(s.memory.live)), uint64(s.memory.archiveEnd)
	for id, log := range s.memory.live {
		others[id] = log.copy()
	}
	s.mu.Unlock()
	for after := uint64(0); after < end; {
		page, err := s.readArchivePage(ctx, after)
		if err != nil {
			return nil, s.unavailable(err)
		}
		if len(page) == 0 {
			break
		}
		for _, m := range page {
			if after = m.Position; after > end {
				break // its log is among the others
			}
			if err := fn(m); err != nil {
				return nil, err
			}
		}
	}
	return others, nil
}

// accountEvents returns what was decided about all accounts.
func (s *Store) accountEvents() (all []account.Event) {
	s.Accounts().Subscribe(func(e account.Event) { all = append(all, e) })()
	return all
}
