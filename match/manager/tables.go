package manager

import (
	"context"
	"errors"
	"sync"
	"time"

	"notakto/match"
)

// tables are the tables of this node. It opens matches, resumes orphaned ones, and finds the table of a match. It is
// safe for concurrent use. Its lock and the index's are never held together.
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
	x := &tables{
		cfg: cfg, ctx: ctx, rng: newRNG(cfg.Seed), index: newIndex(cfg), membership: newMembership(cfg),
		live: make(map[match.ID]*table),
	}
	x.membership.stats = x.index.stats
	return x
}

// now returns the journal's time.
func (x *tables) now() time.Time { return x.cfg.Journal.Now() }

// apply folds an event of the journal and wakes the table of its match.
func (x *tables) apply(e match.Event) {
	x.index.apply(e)
	if t := x.get(e.Match); t != nil {
		t.wakeUp()
	}
}

// get returns the table of a match; nil if it has none here.
func (x *tables) get(id match.ID) *table {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.live[id]
}

// getOrBegin returns the table of a match; if there is none, one starts by the plan. [match.ErrDraining], and
// [match.ErrConflict] if a plan is given and a table exists.
func (x *tables) getOrBegin(id match.ID, p plan) (*table, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	isOpening := len(p.events) > 0
	t := x.live[id]
	switch {
	case x.state == noTables || x.state != allTables && isOpening && t == nil:
		return nil, match.ErrDraining
	case t != nil && isOpening && !p.shared:
		return nil, match.ErrConflict
	case t == nil:
		t = x.newTable(id)
		x.live[id] = t
		x.running.Go(func() { t.run(p) })
	}
	return t, nil
}

// remove removes a table whose goroutine is about to end.
func (x *tables) remove(t *table) {
	x.mu.Lock()
	defer x.mu.Unlock()
	delete(x.live, t.id)
}

// limit restricts which tables may start from now on.
func (x *tables) limit(to tablesState) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.state = max(x.state, to)
}

// unpause allows all tables to start again, unless the server drains.
func (x *tables) unpause() (all bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.state == pausedTables {
		x.state = allTables
	}
	return x.state == allTables
}

// isDraining reports whether no new match may begin.
func (x *tables) isDraining() bool { return x.isAtLeast(pausedTables) }

func (x *tables) isAtLeast(state tablesState) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.state >= state
}

// wakeAll makes every table check what is due.
func (x *tables) wakeAll() {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, t := range x.live {
		t.wakeUp()
	}
}

// knows reports whether a match or a table has that ID.
func (x *tables) knows(id match.ID) bool {
	state, _ := x.index.match(id)
	return state != nil || x.get(id) != nil
}

// claim counts a match that p is about to enter until that is recorded or released. [match.ErrDraining], and the errors
// of [index.claim].
func (x *tables) claim(p match.PlayerID, id match.ID) error {
	if x.isDraining() {
		return match.ErrDraining
	}
	return x.index.claim(p, id)
}

// at calls use with the table of a match, resumed from the log if necessary. If the table closes before the call,
// another is resumed.
func (x *tables) at(ctx context.Context, id match.ID, use func(*table) error) error {
	err := match.ErrClosed
	for range 3 {
		t, missing := x.getOrBegin(id, plan{})
		if missing != nil {
			return missing
		}
		if err = use(t); !errors.Is(err, match.ErrClosed) || errors.Is(err, errBroken) || ctx.Err() != nil || !t.isDone() {
			return err
		}
	}
	return err
}

// archive archives a finished match. It reports whether the journal accepted that within a time.
func (x *tables) archive(id match.ID, within time.Duration) bool {
	ctx, cancel := context.WithTimeout(x.ctx, min(within, x.cfg.JournalTimeout))
	defer cancel()
	switch err := x.cfg.Journal.Archive(ctx, id); {
	case err == nil, errors.Is(err, match.ErrNoSuchMatch):
		x.index.drop(id)
		return true
	case x.ctx.Err() == nil:
		x.cfg.Log.Warn("a match that is over could not be put away",
			"event", "archive-failed", "match", string(id), "error", err)
	}
	return false
}
