package client

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"notakto/match"
	"notakto/match/manager"
	"notakto/rules"
	"notakto/rules/strategy"
)

const (
	// CallTimeout limits how long a front end waits for the answer to one request. After that the player reads that the
	// request failed.
	CallTimeout = 15 * time.Second
	// OfferComputerAfter is the wait in a queue before a front end offers the computer.
	OfferComputerAfter = 15 * time.Second
)

var (
	// ErrEnded says that the session ended before its request was granted.
	ErrEnded = errors.New("the session has ended")
	// ErrClosedAtOnce says that a table closed before its first snapshot. It is a [match.ErrClosed].
	ErrClosedAtOnce = fmt.Errorf("it told nothing: %w", match.ErrClosed)
)

// Session opens tables and places in the queue for one session of a player. Each request names the player, because
// a guest's code can change the identity of the session.
type Session struct {
	IsBot bool // the player is a program; to be set before the first request

	manager *manager.Manager
	changed chan struct{} // has room for one value

	mu     sync.Mutex
	closed bool
	opened []releaser // tables, including those without a snapshot yet, and places in the queue
	results
}

// releaser is a [Table] or a [Queue].
type releaser interface{ release() }

// New returns the session of a player who has just logged in.
func New(m *manager.Manager) *Session { return &Session{manager: m, changed: make(chan struct{}, 1)} }

// Close closes every table and gives up every place in the queue, including one that another goroutine is opening.
// It may be called again.
func (s *Session) Close() {
	s.mu.Lock()
	opened := s.opened
	s.opened, s.closed = nil, true
	s.mu.Unlock()
	for _, r := range opened {
		r.release()
	}
}

// Changed receives a value when a table or a place in the queue has news for [Table.Poll] or [Queue.Poll]. One
// value may stand for several changes, or for one that the caller has already taken.
func (s *Session) Changed() <-chan struct{} { return s.changed }

// keep makes Close release r. If the session has ended, keep releases r itself and returns [ErrEnded].
func (s *Session) keep(r releaser) error {
	s.mu.Lock()
	closed := s.closed
	if !closed {
		s.opened = append(s.opened, r)
	}
	s.mu.Unlock()
	if closed {
		r.release()
		return ErrEnded
	}
	return nil
}

// forget removes r from those that Close releases.
func (s *Session) forget(r releaser) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.opened = slices.DeleteFunc(s.opened, func(other releaser) bool { return other == r })
}

// Play opens a match of p against the computer, which begins with moves, if any. Level zero is that of
// [Session.NextRung]. Errors: those of [manager.Manager.Play].
func (s *Session) Play(ctx context.Context, p match.Player, terms match.Terms, level strategy.Level, side rules.Side,
	moves ...rules.Move) (match.ID, error) {
	return s.manager.Play(ctx, p, terms, cmp.Or(level, s.NextRung(0)), side, moves...)
}

// OpenPrivate opens a table of p for a guest with a code. Errors as of [manager.Manager.OpenPrivate].
func (s *Session) OpenPrivate(ctx context.Context, p match.Player, terms match.Terms) (match.ID, match.Code, error) {
	return s.manager.OpenPrivate(ctx, p, terms)
}

// Join follows a code. It returns the match and the player of the seat: p, or the guest that the code belongs to. The
// code of p's own table leads there, but a program gets [match.ErrOwnTable]. Errors as of [manager.Manager.Join].
func (s *Session) Join(ctx context.Context, p match.Player, code match.Code) (match.ID, match.Player, error) {
	id, player, err := s.manager.Join(ctx, p, code)
	if errors.Is(err, match.ErrOwnTable) && id != "" && !s.IsBot {
		return id, p, nil
	}
	return id, player, err
}

// Sit takes the seat of p at a match and waits for its first snapshot. Errors: those of [manager.Manager.Sit],
// [ErrClosedAtOnce], [ErrEnded] and the error of ctx.
func (s *Session) Sit(ctx context.Context, id match.ID, p match.PlayerID) (*Table, error) {
	seat, err := s.manager.Sit(ctx, id, p)
	if err != nil {
		return nil, err
	}
	seat.IsBot = s.IsBot
	return s.open(ctx, &Table{Side: seat.Side(), Player: p, session: s, seat: seat, handle: seat})
}

// Watch watches a match, or the busiest match if id is empty. A player of the match takes their seat instead.
// Errors: those of [Session.Sit] and [manager.Manager.Watch], and [match.ErrNoSuchMatch] if there is no match to
// watch.
func (s *Session) Watch(ctx context.Context, id match.ID, p match.PlayerID) (*Table, error) {
	if id == "" {
		list := s.manager.List()
		if len(list) == 0 {
			return nil, match.ErrNoSuchMatch
		}
		id = list[0].ID
	}
	if slices.Contains(s.manager.MatchesOf(p), id) {
		return s.Sit(ctx, id, p)
	}
	return s.Spectate(ctx, id, p)
}

// Spectate watches a match without taking a seat, even if p plays in it. Errors: those of [Session.Watch].
func (s *Session) Spectate(ctx context.Context, id match.ID, p match.PlayerID) (*Table, error) {
	spectator, err := s.manager.Watch(ctx, id, p)
	if err != nil {
		return nil, err
	}
	return s.open(ctx, &Table{Player: p, session: s, spectator: spectator, handle: spectator})
}

// open keeps a new table and waits for its first snapshot.
func (s *Session) open(ctx context.Context, t *Table) (*Table, error) {
	if err := s.keep(t); err != nil {
		return nil, err
	}
	err := ErrClosedAtOnce
	select {
	case snapshot, open := <-t.handle.Snapshots():
		if open {
			t.Snapshot = snapshot
			t.handle.Notify(s.changed)
			return t, nil
		}
	case <-ctx.Done():
		err = ctx.Err()
	}
	t.Close()
	return nil, err
}
