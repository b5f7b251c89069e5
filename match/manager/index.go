package manager

import (
	"cmp"
	"errors"
	"slices"
	"sync"
	"time"

	"notakto/match"
	"notakto/match/limit"
	"notakto/rules"
)

// index holds what a manager knows of all matches: their states, folded from the journal, the tables of this node, the
// seats and the codes. It is safe for concurrent use and calls nothing that blocks.
type index struct {
	cfg    Config
	starts *limit.Starts // matches started or entered
	stats  *Stats

	mu      sync.Mutex
	matches map[match.ID]entry // those that are not archived
	seats   seats
	codes   codeIndex
	spoiled []*match.State // by a player; for the lobby
	missed  missed
	ended   *match.State // as of [Manager.LastEnded]
	newest  time.Time    // of the newest event of the matches that are not archived
}

// entry is a match as folded from its events.
type entry struct {
	state     *match.State
	broken    error // the log cannot be folded beyond state
	isSurplus bool  // parked, and beyond the limit of a network
}

// isLive reports whether the match is in progress, or waits for a player.
func (e entry) isLive() bool { return e.state != nil && e.broken == nil && !e.state.Over() }

// seats are the seats of players at unfinished matches, including those that they are about to take.
type seats struct {
	byPlayer map[match.PlayerID][]match.ID
	bySource limit.Seats
}

func (s *seats) enter(p match.PlayerID, id match.ID) {
	if ids := s.byPlayer[p]; !slices.Contains(ids, id) {
		s.byPlayer[p] = append(ids[:len(ids):len(ids)], id) // exact capacity: most players have one match
		s.bySource.Take(limit.Claim{Player: p, Match: id})
	}
}

func (s *seats) exit(p match.PlayerID, id match.ID) {
	s.bySource.Release(limit.Claim{Player: p, Match: id})
	ids := slices.DeleteFunc(s.byPlayer[p], func(other match.ID) bool { return other == id })
	if len(ids) == 0 {
		delete(s.byPlayer, p)
	} else {
		s.byPlayer[p] = ids
	}
}

func newIndex(cfg Config) *index {
	return &index{
		cfg: cfg, stats: new(Stats), starts: limit.NewStarts(cfg.MaxMatchRate), matches: make(map[match.ID]entry),
		seats: seats{make(map[match.PlayerID][]match.ID), limit.NewSeats(cfg.MaxSeats, cfg.Networks)},
		codes: newCodeIndex(),
	}
}

// charge counts one more match of p, or returns an error: [match.ErrTooMany], [match.ErrAddressFull],
// [match.ErrRateLimited].
func (r *index) charge(p match.PlayerID) error {
	r.mu.Lock()
	err := r.chargeLocked(p)
	r.mu.Unlock()
	return r.cfg.reportLimit(p, err)
}

// reportLimit calls OnLimit if err is that of a limit, and returns err.
func (c Config) reportLimit(p match.PlayerID, err error) error {
	if errors.Is(err, match.ErrTooMany) || errors.Is(err, match.ErrAddressFull) || errors.Is(err, match.ErrRateLimited) {
		c.OnLimit(p, err)
	}
	return err
}

// chargeLocked is charge for callers that hold the lock.
func (r *index) chargeLocked(p match.PlayerID) error {
	now, who := time.Now(), r.cfg.accountable(p)
	for _, id := range r.seats.byPlayer[p] { // those taken before this process started
		if s := r.matches[id].state; s == nil || !isParked(s) {
			r.seats.bySource.Take(limit.Claim{Player: p, Match: id})
		}
	}
	switch {
	case r.counted(p) >= r.cfg.MaxMatches:
		return match.ErrTooMany
	case r.seats.bySource.IsFull(p):
		return match.ErrAddressFull
	case !r.starts.TryCharge(now, who):
		return match.ErrRateLimited
	}
	return nil
}

// counted returns how many matches count against the limit of a player: all but those in which an opponent from the
// queue has not made the first move yet.
func (r *index) counted(p match.PlayerID) int {
	n := 0
	for _, id := range r.seats.byPlayer[p] {
		s := r.matches[id].state
		if s == nil || s.Origin != match.QueueOrigin || !s.HasMoveLimit() || !s.IsFirstMove() || s.Side(p) == s.Turn() {
			n++
		}
	}
	return n
}

// claim is charge, and counts a match that p is about to enter until that is recorded or released.
func (r *index) claim(p match.PlayerID, id match.ID) error {
	r.mu.Lock()
	err := r.chargeLocked(p)
	if err == nil {
		r.seats.enter(p, id)
	}
	r.mu.Unlock()
	return r.cfg.reportLimit(p, err)
}

// release undoes a claim unless p has entered.
func (r *index) release(p match.PlayerID, id match.ID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e := r.matches[id]; !e.isLive() || e.state.Side(p) == rules.Nobody {
		r.seats.exit(p, id)
	}
}

// forget drops the codes drawn for a match that was not opened.
func (r *index) forget(id match.ID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.matches[id].state == nil {
		r.codes.forget(id)
	}
}

// drop removes an archived match.
func (r *index) drop(id match.ID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stats.changed(r.matches[id], entry{})
	delete(r.matches, id)
}

// matchesOf returns the unfinished matches of p, oldest first: of a pair the first game until the second one has begun.
func (r *index) matchesOf(p match.PlayerID) []match.ID {
	r.mu.Lock()
	defer r.mu.Unlock()
	ids := make([]match.ID, 0, len(r.seats.byPlayer[p]))
	for _, id := range r.seats.byPlayer[p] {
		if e := r.matches[id]; (e.isLive() || e.isBetweenGames()) && e.state.Side(p) != rules.Nobody {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b match.ID) int {
		return cmp.Or(r.matches[a].state.OpenedAt.Compare(r.matches[b].state.OpenedAt), cmp.Compare(a, b))
	})
	return ids
}

// isPlaying reports whether p is about to enter a match, or has an unfinished one that started, or had a move,
// recently.
func (r *index) isPlaying(p match.PlayerID, now time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.ContainsFunc(r.seats.byPlayer[p], func(id match.ID) bool {
		e := r.matches[id]
		if e.state == nil || !e.isLive() {
			return e.state == nil || e.isBetweenGames()
		}
		since := now.Add(-stalledAfter)
		if e.state.IsAgainstComputer() {
			since = now.Add(-computerStalledAfter)
		}
		return e.state.OpenedAt.After(since) || e.state.TurnSince.After(since)
	})
}

// match returns the state of a match; nil if it is unknown here or archived. [match.ErrBadEvent] if its log is invalid.
func (r *index) match(id match.ID) (*match.State, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	e := r.matches[id]
	return e.state, e.broken
}

// draw reserves a code for a target.
func (r *index) draw(d *rng, to codeTarget) (match.Code, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.codes.draw(d, to)
}

// find returns the recorded target of a code.
func (r *index) find(c match.Code) (codeTarget, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.codes.find(c)
}
