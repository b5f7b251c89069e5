package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"notakto/match"
	"notakto/match/internal/codec"
	"notakto/rules/strategy"
)

// isName reports whether a text can be the name of a match.
func isName(text string) bool {
	return 0 < len(text) && len(text) <= 64 && !strings.ContainsFunc(text, func(r rune) bool {
		return r != '-' && (r < '0' || r > '9') && (r < 'a' || r > 'z')
	})
}

// appending is a request to append events to a match.
type appending struct {
	store  *Store
	id     match.ID
	events []match.Event
	first  uint64

	// plan sets these before head is locked, because reviewing the moves of a match takes time.
	isPlanned bool                  // the events come next in the log that plan was given
	after     match.State           // after the events; fold sets it again with head locked
	ends      bool                  // the events end the match: see isFinished
	reviews   []strategy.MoveReview // of all moves, if the match ends
}

// Append implements [match.Journal].
func (s *Store) Append(ctx context.Context, events ...match.Event) (match.Event, error) {
	return s.AppendWith(ctx, nil, events...)
}

// AppendWith implements [match.Store].
func (s *Store) AppendWith(ctx context.Context, entries []match.Entry, events ...match.Event) (
	last match.Event, err error,
) {
	began := time.Now()
	defer func() { s.stats.appended(err, time.Since(began)) }()
	if err := ctx.Err(); err != nil {
		return last, err
	}
	a := &appending{store: s, id: events[0].Match, events: events, first: events[0].Seq}
	if a.first == 0 {
		return last, a.conflict()
	}
	if !isName(string(a.id)) {
		return last, fmt.Errorf("%w: %.40q cannot be the name of a match", codec.ErrUnwritable, a.id)
	}
	body, err := codec.EncodeEvents(events)
	if err != nil {
		return last, err
	}
	s.mu.Lock()
	log := s.memory.live[a.id].copy()
	s.mu.Unlock()
	a.plan(log)
	r := &request{keys: []string{matchKey(a.id)}, isHeavy: a.ends, ask: a.ask, decide: func(g *group) error {
		if err := s.checkEntries(g, entries); err != nil {
			return err
		}
		if err := a.decide(g, body); err != nil {
			return err
		}
		s.putEntries(g, entries)
		return nil
	}}
	for _, e := range entries {
		r.keys = append(r.keys, entryKey(e.Key))
	}
	if err := s.do(ctx, r); err != nil {
		return last, err
	}
	recorded, err := s.Load(ctx, a.id, a.first+uint64(len(events))-2)
	if err != nil {
		return last, err
	}
	return recorded[0], nil
}

func (a *appending) conflict() error {
	return fmt.Errorf("%w: %s has no place for event %d", match.ErrConflict, a.id, a.first)
}

// copy returns a copy of a log, for use without the store's lock; an empty log if l is nil. Later events are not in it.
func (l *liveMatch) copy() liveMatch {
	if l == nil {
		return liveMatch{}
	}
	return *l
}

// plan computes the state after the events, and reviews the match if the events end it. If they do not come next in the
// log, plan does nothing.
func (a *appending) plan(log liveMatch) {
	if a.isPlanned = a.first == uint64(len(log.events))+1; !a.isPlanned {
		return
	}
	if a.ends = a.fold(log, a.store.Now()) && !log.state.Outcome.Over(); a.ends {
		a.reviews = strategy.Review(a.after.Start, a.after.Moves)
	}
}

// fold sets the state after the events, which it dates at, and reports whether the match is finished then.
func (a *appending) fold(log liveMatch, at time.Time) bool {
	log.events = nil
	for _, e := range a.events {
		e.At = at.Truncate(time.Millisecond)
		log.fold(e)
	}
	a.after = log.state
	return !log.isOdd && isFinished(&a.after)
}

// ask is the ask of the request.
func (a *appending) ask(g *group) {
	log := a.store.memory.live[a.id]
	if !a.isPlanned {
		a.plan(log.copy())
	}
	if log == nil {
		g.known.askArchived(a.id)
	}
	if a.ends {
		g.known.askRatings(&a.after)
	}
}

// decide is the decide of the request. body is the encoded events.
func (a *appending) decide(g *group, body []byte) error {
	live := a.store.memory.live[a.id]
	log := live.copy()
	archived, asked := g.known.archived[a.id]
	switch {
	case live == nil && !asked:
		return errAgain
	case live == nil && archived && a.first > 1:
		return match.ErrArchived
	case log.damage != nil:
		return log.damage
	case archived, a.first != uint64(len(log.events))+1:
		return a.conflict()
	}
	isEnd := a.fold(log, g.time()) && !log.state.Outcome.Over()
	if isEnd && (!a.ends || !g.known.hasRatings(&a.after)) {
		a.isPlanned = false
		return errAgain
	}
	r := g.add(eventRow, string(a.id), int64(a.first), body)
	if isEnd {
		g.results.add(g, &a.after, a.reviews, r.position)
		addUnseen(g, &a.after, r.position)
	}
	return nil
}

// Load implements [match.Journal].
func (s *Store) Load(ctx context.Context, id match.ID, after uint64) ([]match.Event, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.mu.Lock()
	log := s.memory.live[id]
	live := log.copy()
	s.mu.Unlock()
	if log == nil {
		record, err := s.loadRecord(ctx, id)
		if err != nil {
			return nil, err
		}
		live.events = record
	}
	if live.damage != nil || after >= uint64(len(live.events)) {
		return nil, live.damage
	}
	return slices.Clone(live.events[after:]), nil
}

// loadRecord returns the events of a match in the archive.
func (s *Store) loadRecord(ctx context.Context, id match.ID) ([]match.Event, error) {
	var body []byte
	err := s.read(ctx, func(db querier) error {
		return db.QueryRowContext(ctx, `SELECT body FROM archive WHERE match = $1`, string(id)).Scan(&body)
	})
	if errors.Is(err, sql.ErrNoRows) || !isName(string(id)) {
		return nil, fmt.Errorf("%w: %.40q", match.ErrNoSuchMatch, id)
	}
	if err != nil {
		return nil, s.unavailable(err)
	}
	r, err := codec.DecodeRecord(body)
	switch {
	case errors.Is(err, match.ErrNewer):
		return nil, fmt.Errorf("%w: match %s", err, id)
	case err != nil:
		return nil, fmt.Errorf("%w: match %s: %w", match.ErrDamaged, id, err)
	}
	return r.Events, nil
}

// Subscribe implements [match.Journal].
func (s *Store) Subscribe(fn func(match.Event)) (stop func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, log := range s.memory.live {
		if log.damage != nil {
			continue
		}
		for _, e := range log.events {
			fn(e)
		}
	}
	return s.memory.eventWatchers.Add(&s.mu, fn)
}
