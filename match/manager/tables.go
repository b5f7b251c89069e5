package manager

import (
	"context"
	"errors"
	"sync"
	"time"

	"notakto/match"
)

// tables are the tables of this node. It starts, finds and ends the table of a match, and holds what all tables share.
// It is safe for concurrent use. Its lock and the index's are never held together.
type tables struct {
	cfg        Config
	ctx        context.Context // of all tables
	rng        *rng
	index      *index
	membership *membership

	mu      sync.Mutex
	state   tablesState
	live    map[match.ID]*table
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
		cfg: cfg, ctx: ctx, rng: newRNG(cfg.Seed), index: index, membership: newMembership(cfg, index.stats),
		live: make(map[match.ID]*table),
	}
}

// now returns the journal's time.
func (t *tables) now() time.Time { return t.cfg.Journal.Now() }

// apply folds an event of the journal and wakes the tables that it concerns.
func (t *tables) apply(e match.Event) {
	for _, id := range append(t.index.apply(e), e.Match) {
		if here := t.get(id); here != nil {
			here.wakeUp()
		}
	}
}

// get returns the table of a match; nil if it has none here.
func (t *tables) get(id match.ID) *table {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.live[id]
}

// getOrBegin returns the table of a match; if there is none, one starts by the plan. [match.ErrDraining], and
// [match.ErrConflict] if a plan is given and a table exists.
func (t *tables) getOrBegin(id match.ID, p plan) (*table, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	isOpening := len(p.events) > 0
	here := t.live[id]
	switch {
	case t.state == noTables || t.state != allTables && isOpening && here == nil:
		return nil, match.ErrDraining
	case here != nil && isOpening && !p.shared:
		return nil, match.ErrConflict
	case here == nil:
		here = t.newTable(id)
		t.live[id] = here
		t.running.Go(func() { here.run(p) })
	}
	return here, nil
}

// remove removes a table whose goroutine is about to end.
func (t *tables) remove(ended *table) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.live, ended.id)
}

// limit restricts which tables may start from now on.
func (t *tables) limit(to tablesState) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.state = max(t.state, to)
}

// unpause allows all tables to start again, unless the server drains.
func (t *tables) unpause() (all bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.state == pausedTables {
		t.state = allTables
	}
	return t.state == allTables
}

// isDraining reports whether no new match may begin.
func (t *tables) isDraining() bool { return t.isAtLeast(pausedTables) }

func (t *tables) isAtLeast(state tablesState) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.state >= state
}

// wakeAll makes every table check what is due.
func (t *tables) wakeAll() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, each := range t.live {
		each.wakeUp()
	}
}

// knows reports whether a match or a table has that ID.
func (t *tables) knows(id match.ID) bool {
	state, _ := t.index.match(id)
	return state != nil || t.get(id) != nil
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
