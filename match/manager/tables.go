package manager

import (
	"context"
	"errors"
	"sync"
	"time"

	"notakto/match"
)

// tables are those of this node. It opens matches, takes up those that were left, and finds the table of a match. It
// may be used from any goroutine. Its lock and the index's are never held together.
type tables struct {
	cfg        Config
	ctx        context.Context // of every table
	rng        *rng
	index      *index
	membership *membership

	mu      sync.Mutex
	state   tablesState
	live    map[match.ID]*table
	running sync.WaitGroup // their goroutines
}

// tablesState is which tables may begin.
type tablesState uint8

const (
	allTables   tablesState = iota
	knownTables             // of matches that are on: the server drains
	noTables                // the server closes
)

func newTables(ctx context.Context, cfg Config) *tables {
	return &tables{
		cfg: cfg, ctx: ctx, rng: newRNG(cfg.Seed), index: newIndex(cfg), membership: newMembership(cfg),
		live: make(map[match.ID]*table),
	}
}

// now is the journal's time.
func (x *tables) now() time.Time { return x.cfg.Journal.Now() }

// apply takes in what the journal tells, and wakes the table that shows it.
func (x *tables) apply(e match.Event) {
	x.index.apply(e)
	if t := x.get(e.Match); t != nil {
		t.wakeUp()
	}
}

// get is the table of a match; nil if it has none here.
func (x *tables) get(id match.ID) *table {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.live[id]
}

// getOrBegin is the table of a match; if there is none, one begins by the plan. [match.ErrDraining], and
// [match.ErrConflict] where only a new table would do.
func (x *tables) getOrBegin(id match.ID, p plan) (*table, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	isOpening := len(p.events) > 0
	t := x.live[id]
	switch {
	case x.state == noTables || x.state == knownTables && isOpening && t == nil:
		return nil, match.ErrDraining
	case t != nil && isOpening && !p.shared:
		return nil, match.ErrConflict
	case t == nil:
		t = newTable(x, id)
		x.live[id] = t
		x.running.Go(func() { t.run(p) })
	}
	return t, nil
}

// remove says that a table's goroutine is about to end.
func (x *tables) remove(t *table) {
	x.mu.Lock()
	defer x.mu.Unlock()
	delete(x.live, t.id)
}

// limit lets fewer tables begin from now on.
func (x *tables) limit(to tablesState) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.state = max(x.state, to)
}

func (x *tables) isDraining() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.state != allTables
}

// wakeAll has every table look again at what is due.
func (x *tables) wakeAll() {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, t := range x.live {
		t.wakeUp()
	}
}

// knows reports whether there is a match or a table of that name.
func (x *tables) knows(id match.ID) bool {
	state, _ := x.index.match(id)
	return state != nil || x.get(id) != nil
}

// claim counts a match that p is about to enter until it is noted or released. [match.ErrDraining], and the errors of
// [index.claim].
func (x *tables) claim(p match.PlayerID, id match.ID) error {
	if x.isDraining() {
		return match.ErrDraining
	}
	return x.index.claim(p, id)
}

// at finds the table of a match, from its log if it is not alive here, and uses it. A table that closes meanwhile is
// taken up again.
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

// archive retires a match that is over. It reports whether the journal took it within a time.
func (x *tables) archive(id match.ID, within time.Duration) bool {
	ctx, cancel := context.WithTimeout(x.ctx, min(within, x.cfg.JournalTimeout))
	defer cancel()
	switch err := x.cfg.Journal.Archive(ctx, id); {
	case err == nil, errors.Is(err, match.ErrNoSuchMatch):
		x.index.drop(id)
		return true
	case x.ctx.Err() == nil:
		x.cfg.Log.Warn("a match that is over could not be put away", "match", string(id), "error", err)
	}
	return false
}
