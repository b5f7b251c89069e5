package manager

import (
	"context"
	"errors"
	"sync"
	"time"

	"notakto/match"
)

// tables are the tables of this node. It starts, finds and ends the table of a match, and holds what all tables share.
// It implements [lobby.Opener]. It is safe for concurrent use.
type tables struct {
	cfg     Config
	ctx     context.Context // of all tables
	rng     *rng
	index   *index
	peers   *peers
	running sync.WaitGroup // the goroutines of the tables
}

// tablesState is which tables may start.
type tablesState uint8

const (
	allTables    tablesState = iota
	pausedTables             // of live matches, until all may start again
	knownTables              // of live matches, and none of another node's; the server drains
	noTables                 // the server closes
)

func newTables(ctx context.Context, cfg Config) *tables {
	index := newIndex(cfg)
	return &tables{
		cfg: cfg, ctx: ctx, rng: newRNG(cfg.Seed), index: index, peers: newPeers(cfg, index.stats),
	}
}

// now returns the journal's time.
func (t *tables) now() time.Time { return t.cfg.Journal.Now() }

// getOrBegin returns the table of a match; if there is none, one starts by the plan. [match.ErrDraining], and
// [match.ErrConflict] if a plan is given and a table exists.
func (t *tables) getOrBegin(id match.ID, p plan) (*table, error) {
	t.index.mu.Lock()
	defer t.index.mu.Unlock()
	isOpening, e := len(p.events) > 0, t.index.matches[id]
	switch {
	case t.index.allowed == noTables || t.index.allowed != allTables && isOpening && e.table == nil:
		return nil, match.ErrDraining
	case e.table != nil && isOpening && !p.shared:
		return nil, match.ErrConflict
	case e.table == nil:
		here := t.newTable(id)
		e.table = here
		t.index.set(id, e)
		t.running.Go(func() { here.run(p) })
	}
	return e.table, nil
}

// limit restricts which tables may start from now on.
func (i *index) limit(to tablesState) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.allowed = max(i.allowed, to)
}

// unpause allows all tables to start again, unless the server drains.
func (i *index) unpause() (all bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.allowed == pausedTables {
		i.allowed = allTables
	}
	return i.allowed == allTables
}

// isAtLeast reports whether tables are restricted as much as state says, or more.
func (i *index) isAtLeast(state tablesState) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.allowed >= state
}

// isDraining reports whether no new match may begin.
func (t *tables) isDraining() bool { return t.index.isAtLeast(pausedTables) }

// knows reports whether a match or a table has that ID.
func (i *index) knows(id match.ID) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.matches[id].state != nil || i.matches[id].table != nil
}

// claim counts a match that p is about to enter until that is recorded or released. [match.ErrDraining], and the errors
// of [index.claim].
func (t *tables) claim(p match.PlayerID, id match.ID) error {
	if t.isDraining() {
		return match.ErrDraining
	}
	return t.index.claim(p, id)
}

// at calls use with the table of a match, resumed from the log if necessary. If the table closes before the call,
// another is resumed.
func (t *tables) at(ctx context.Context, id match.ID, use func(*table) error) error {
	err := match.ErrClosed
	for range 3 {
		here, missing := t.getOrBegin(id, plan{})
		if missing != nil {
			return missing
		}
		if err = use(here); !errors.Is(err, match.ErrClosed) || errors.Is(err, errBroken) || ctx.Err() != nil ||
			!here.isDone() {
			return err
		}
	}
	return err
}

// archive archives a finished match. It reports whether the journal accepted that within a time.
func (t *tables) archive(id match.ID, within time.Duration) bool {
	ctx, cancel := context.WithTimeout(t.ctx, min(within, t.cfg.JournalTimeout))
	defer cancel()
	switch err := t.cfg.Journal.Archive(ctx, id); {
	case err == nil, errors.Is(err, match.ErrNoSuchMatch):
		t.index.drop(id)
		return true
	case t.ctx.Err() == nil:
		t.cfg.Log.Warn("a match that is over could not be put away",
			"event", "archive-failed", "match", string(id), "error", err)
	}
	return false
}
