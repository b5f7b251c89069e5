package store

import (
	"cmp"
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

// isIDText reports whether a text can be the ID of a match, or a part of an entry's key.
func isIDText(text string) bool {
	return 0 < len(text) && len(text) <= 64 && !strings.ContainsFunc(text, func(r rune) bool {
		return r != '-' && (r < '0' || r > '9') && (r < 'a' || r > 'z')
	})
}

type appendRequest struct {
	store  *Store
	id     match.ID
	events []match.Event
	first  uint64
	body   []byte   // the encoded events
	keys   []string // see [request]

	// plan sets the fields below before head is locked, because reviewing the moves of a match takes time.
	isPlanned bool                  // plan has set the fields below
	after     match.State           // of the match after the events. check sets it again with head locked.
	ends      bool                  // the events end the match (see isFinished)
	reviews   []strategy.MoveReview // of all moves, if the match ends

	isEnd bool // as ends, set by check with head locked
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
		return last, s.unavailable(err)
	}
	r := &request{}
	var a *appendRequest
	var all []*appendRequest
	for _, run := range match.ByMatch(events) {
		if a, err = s.newAppend(run); err != nil {
			return last, err
		}
		all = append(all, a)
		r.keys, r.isHeavy = append(r.keys, a.keys...), r.isHeavy || a.ends
	}
	r.addQuestions = func(g *group) {
		for _, a := range all {
			a.addQuestions(g)
		}
	}
	r.decide = func(g *group) error {
		if err := s.checkEntries(g, entries); err != nil {
			return err
		}
		for _, a := range all {
			if err := a.check(g); err != nil {
				return err
			}
		}
		for _, a := range all {
			a.add(g)
		}
		s.putEntries(g, entries)
		return nil
	}
	for _, e := range entries {
		r.keys = append(r.keys, entryKey(e.Key))
	}
	if err := s.do(ctx, r); err != nil {
		return last, err
	}
	recorded, err := s.Load(ctx, a.id, a.first+uint64(len(a.events))-2)
	if err != nil {
		return last, err
	}
	return recorded[0], nil
}

// newAppend returns the request to append events of one match, planned with the match as it is in memory.
func (s *Store) newAppend(events []match.Event) (a *appendRequest, err error) {
	a = &appendRequest{store: s, id: events[0].Match, events: events, first: events[0].Seq}
	if a.first == 0 {
		return a, a.conflict()
	}
	if !isIDText(string(a.id)) {
		return a, fmt.Errorf("%w: %.40q cannot be the name of a match", codec.ErrUnwritable, a.id)
	}
	if a.body, err = codec.EncodeEvents(events); err != nil {
		return a, err
	}
	s.mu.Lock()
	live := s.memory.live[a.id].copy()
	s.mu.Unlock()
	a.plan(live)
	// The games of a pair may not end in one group, because at the later end fold needs the earlier end delivered.
	a.keys = []string{matchKey(a.id), matchKey(cmp.Or(live.state.PairID(), a.id))}
	return a, nil
}

// liveState returns the state of a match that is not archived, or the zero State.
func (s *Store) liveState(id match.ID) match.State {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.memory.live[id].copy().state
}

func (a *appendRequest) conflict() error {
	return fmt.Errorf("%w: %s has no place for event %d", match.ErrConflict, a.id, a.first)
}

// copy returns a copy of l for use without the store's lock, empty if l is nil. Later events do not appear in the copy.
func (l *liveMatch) copy() liveMatch {
	if l == nil {
		return liveMatch{}
	}
	return *l
}

// plan computes the state after the events, and reviews the match if they end it. If the events do not come next after
// those of live, plan only clears isPlanned.
func (a *appendRequest) plan(live liveMatch) {
	if a.isPlanned = a.first == uint64(len(live.events))+1; !a.isPlanned {
		return
	}
	if a.ends = a.fold(live, a.store.Now()) && !live.state.IsOver(); a.ends {
		a.reviews = strategy.Review(a.after.Start, a.after.Moves)
	}
}

// fold sets a.after to the state after the events, with appended as the time of each event. fold also gives the events
// the result of the pair's other game. fold reports whether the match is then finished.
func (a *appendRequest) fold(live liveMatch, appended time.Time) bool {
	live.events = nil
	for i, e := range a.events {
		e = live.state.WithOtherGame(e, a.store.liveState)
		a.events[i] = e
		e.At = appended.Truncate(time.Millisecond)
		live.fold(e)
	}
	a.after = live.state
	return !live.isInvalid && isFinished(&a.after)
}

func (a *appendRequest) addQuestions(g *group) {
	current := a.store.memory.live[a.id]
	if !a.isPlanned {
		a.plan(current.copy())
	}
	if current == nil {
		g.answers.askArchived(a.id)
	}
	if a.ends {
		g.answers.askRatings(&a.after)
	}
}

// check returns nil if add may record the events in group g, else the reason why not.
func (a *appendRequest) check(g *group) (err error) {
	current := a.store.memory.live[a.id]
	live := current.copy()
	archived, asked := g.answers.archived[a.id]
	switch {
	case current == nil && !asked:
		return errAgain
	case current == nil && archived && a.first > 1:
		return match.ErrArchived
	case live.damage != nil:
		return live.damage
	case archived, a.first != uint64(len(live.events))+1:
		return a.conflict()
	}
	a.isEnd = a.fold(live, g.time()) && !live.state.IsOver()
	if a.isEnd && (!a.ends || !g.answers.hasRatings(&a.after)) {
		a.isPlanned = false
		return errAgain
	}
	if a.isEnd && a.after.IsSimultaneous() {
		a.body, err = codec.EncodeEvents(a.events)
	}
	return err
}

func (a *appendRequest) add(g *group) {
	r := g.add(eventRow, string(a.id), int64(a.first), a.body)
	if a.isEnd {
		g.results.add(g, &a.after, a.reviews, r.position)
		addUnseen(g, &a.after, r.position)
		addSlips(g, &a.after, a.reviews)
	}
}

// Load implements [match.Journal].
func (s *Store) Load(ctx context.Context, id match.ID, after uint64) ([]match.Event, error) {
	if err := ctx.Err(); err != nil {
		return nil, s.unavailable(err)
	}
	s.mu.Lock()
	current := s.memory.live[id]
	live := current.copy()
	s.mu.Unlock()
	if current == nil {
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

func (s *Store) loadRecord(ctx context.Context, id match.ID) ([]match.Event, error) {
	var body []byte
	err := s.read(ctx, func(db querier) error {
		return db.QueryRowContext(ctx, `SELECT body FROM archive WHERE match = $1`, string(id)).Scan(&body)
	})
	if errors.Is(err, sql.ErrNoRows) || !isIDText(string(id)) {
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
	for _, live := range s.memory.live {
		if live.damage != nil {
			continue
		}
		for _, e := range live.events {
			fn(e)
		}
	}
	return s.memory.eventWatchers.Add(&s.mu, fn)
}
