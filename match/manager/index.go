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

// index is what a manager knows of all matches at once: how they stand, folded from what the journal tells, which
// tables are alive here, who sits where, and where the codes lead. It may be used from any goroutine and calls nothing
// that waits.
type index struct {
	cfg    Config
	starts *limit.Starts // matches begun or entered

	mu      sync.Mutex
	matches map[match.ID]entry // that were not archived
	seats   seats
	codes   codeIndex
	spoiled []*match.State // by a player, for the lobby
	missed  missed
}

// entry is a match as its events tell it.
type entry struct {
	state     *match.State
	broken    error // the log cannot be folded beyond state
	isSurplus bool  // parked, and one of more than a network may have
}

// isLive reports whether the match is being played, or waits for a player.
func (e entry) isLive() bool { return e.state != nil && e.broken == nil && !e.state.Over() }

// seats are those that players have at matches that are not over, or that they are about to enter.
type seats struct {
	byPlayer map[match.PlayerID][]match.ID
	bySource limit.Seats
}

func (s *seats) enter(p match.PlayerID, id match.ID) {
	if ids := s.byPlayer[p]; !slices.Contains(ids, id) {
		s.byPlayer[p] = append(ids[:len(ids):len(ids)], id) // as long as it need be: most players have one
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
		cfg: cfg, starts: limit.NewStarts(cfg.MaxMatchRate), matches: make(map[match.ID]entry), seats: seats{make(map[match.PlayerID][]match.ID), limit.NewSeats(cfg.MaxSeats, cfg.Networks)},
		codes: newCodeIndex(),
	}
}

// charge charges the rate of p for one more match, or refuses it: [match.ErrTooMany], [match.ErrAddressFull],
// [match.ErrRateLimited].
func (r *index) charge(p match.PlayerID) error {
	r.mu.Lock()
	err := r.chargeLocked(p)
	r.mu.Unlock()
	return r.cfg.reportLimit(p, err)
}

// reportLimit lets it be heard if one of the limits has kept a player from a match.
func (c Config) reportLimit(p match.PlayerID, err error) error {
	if errors.Is(err, match.ErrTooMany) || errors.Is(err, match.ErrAddressFull) || errors.Is(err, match.ErrRateLimited) {
		c.OnLimit(p, err)
	}
	return err
}

// chargeLocked is charge for those who hold the lock.
func (r *index) chargeLocked(p match.PlayerID) error {
	now, who := time.Now(), r.cfg.accountable(p)
	for _, id := range r.seats.byPlayer[p] { // those that were taken before this process began
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

// counted is how many matches count against the limit of a player: not those in which an opponent from the queue has
// yet to move for the first time.
func (r *index) counted(p match.PlayerID) int {
	n := 0
	for _, id := range r.seats.byPlayer[p] {
		s := r.matches[id].state
		if s == nil || !s.HasMoveLimit() || !s.IsFirstMove() || s.Side(p) == s.Turn() {
			n++
		}
	}
	return n
}

// claim is welcome, and counts a match that p is about to enter until it is noted or released.
func (r *index) claim(p match.PlayerID, id match.ID) error {
	r.mu.Lock()
	err := r.chargeLocked(p)
	if err == nil {
		r.seats.enter(p, id)
	}
	r.mu.Unlock()
	return r.cfg.reportLimit(p, err)
}

// release gives a claim back unless p did enter.
func (r *index) release(p match.PlayerID, id match.ID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e := r.matches[id]; !e.isLive() || e.state.Side(p) == rules.Nobody {
		r.seats.exit(p, id)
	}
}

// forget drops the codes that were drawn for a match that was not opened.
func (r *index) forget(id match.ID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.matches[id].state == nil {
		r.codes.forget(id)
	}
}

// drop forgets a match that was archived.
func (r *index) drop(id match.ID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.matches, id)
}

// matchesOf is the matches of p that are not over, oldest first.
func (r *index) matchesOf(p match.PlayerID) []match.ID {
	r.mu.Lock()
	defer r.mu.Unlock()
	ids := make([]match.ID, 0, len(r.seats.byPlayer[p]))
	for _, id := range r.seats.byPlayer[p] {
		if e := r.matches[id]; e.isLive() && e.state.Side(p) != rules.Nobody {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b match.ID) int {
		return cmp.Or(r.matches[a].state.OpenedAt.Compare(r.matches[b].state.OpenedAt), cmp.Compare(a, b))
	})
	return ids
}

// isPlaying reports whether p is about to enter a match, or has one that is not over and was begun, or moved in, not
// long ago.
func (r *index) isPlaying(p match.PlayerID, now time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.ContainsFunc(r.seats.byPlayer[p], func(id match.ID) bool {
		e := r.matches[id]
		if e.state == nil || !e.isLive() {
			return e.state == nil
		}
		since := now.Add(-stalledAfter)
		if e.state.IsAgainstComputer() {
			since = now.Add(-computerStalledAfter)
		}
		return e.state.OpenedAt.After(since) || e.state.TurnSince.After(since)
	})
}

// match is how a match stands; nil if the journal has told nothing of it, or it was archived. [ErrBadEvent] if its
// log makes no sense.
func (r *index) match(id match.ID) (*match.State, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	e := r.matches[id]
	return e.state, e.broken
}

// draw takes a code for a spot.
func (r *index) draw(d *rng, to codeTarget) (match.Code, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.codes.draw(d, to)
}

// find is where a code leads, by what the journal has told.
func (r *index) find(c match.Code) (codeTarget, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.codes.find(c)
}
