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
	// CallTimeout is the longest wait of a front end for the answer to one request. The player then reads that the
	// request failed.
	CallTimeout = 15 * time.Second
	// OfferComputerAfter is the wait in a queue before a front end offers the computer.
	OfferComputerAfter = 15 * time.Second
)

var (
	// ErrEnded says that [Session.Close] was called before the request was granted.
	ErrEnded = errors.New("the session has ended")
	// ErrClosedAtOnce says that a table closed before its first snapshot. errors.Is reports it as [match.ErrClosed].
	ErrClosedAtOnce = fmt.Errorf("%w before its first snapshot", match.ErrClosed)
)

// Session opens tables and places in the queue for one session. Every request names its player, because the code of a
// guest's seat makes [Session.Join] return that guest as the player.
type Session struct {
	IsBot bool // set before the first request, for a player that is a program
	// OnChange is called in place of a send to Changed, if it is set before the first request. It must not block, and
	// must not call the session.
	OnChange func()

	manager *manager.Manager
	changed chan struct{}

	mu     sync.Mutex
	closed bool
	opened []releaser // places in the queue and tables, also tables without a snapshot yet
	results
}

// releaser is a [Table] or a [Place].
type releaser interface{ release() }

// New returns the session of a player after the login.
func New(m *manager.Manager) *Session { return &Session{manager: m, changed: make(chan struct{}, 1)} }

// Close closes every table and gives up every place in the queue, including one that another goroutine is opening.
// Further calls have no effect.
func (s *Session) Close() {
	s.mu.Lock()
	opened := s.opened
	s.opened, s.closed = nil, true
	s.mu.Unlock()
	for _, r := range opened {
		r.release()
	}
}

// Changed returns a channel, which gets a value when a table or a place in the queue has news for [Table.Poll] or
// [Place.Poll]. One value may stand for several changes, or for a change that the caller has already polled.
func (s *Session) Changed() <-chan struct{} { return s.changed }

func (s *Session) ring() {
	if s.OnChange != nil {
		s.OnChange()
		return
	}
	select {
	case s.changed <- struct{}{}:
	default:
	}
}

// track makes Close release r. If the session has ended, track releases r itself and returns [ErrEnded].
func (s *Session) track(r releaser) error {
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

func (s *Session) isClosed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closed
}

func (s *Session) untrack(r releaser) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.opened = slices.DeleteFunc(s.opened, func(other releaser) bool { return other == r })
}

// PlayComputer opens a match of p against the computer, which begins with moves. For level zero,
// the opponent is that of [Session.NextRung]. Errors are those of [manager.Manager.PlayComputer].
func (s *Session) PlayComputer(ctx context.Context, p match.Player, terms match.Terms, level strategy.Level,
	side rules.Side, moves ...rules.Move) (match.ID, error) {
	return s.manager.PlayComputer(ctx, p, terms, cmp.Or(level, s.NextRung(0)), side, moves...)
}

// OpenPrivate opens a private table of p, and returns its code for the opponent. Errors are those of
// [manager.Manager.OpenPrivate].
func (s *Session) OpenPrivate(ctx context.Context, p match.Player, terms match.Terms) (match.ID, match.Code, error) {
	return s.manager.OpenPrivate(ctx, p, terms)
}

// Join takes the seat that a code stands for, and returns the match and the player. The player is p or the guest that
// the code belongs to. The code of p's own table leads there, but a bot gets [match.ErrOwnTable]. Errors are those of
// [manager.Manager.Join].
func (s *Session) Join(ctx context.Context, p match.Player, code match.Code) (match.ID, match.Player, error) {
	id, player, err := s.manager.Join(ctx, p, code)
	if errors.Is(err, match.ErrOwnTable) && id != "" && !s.IsBot {
		return id, p, nil
	}
	return id, player, err
}

// Sit takes the seat of p at a match and waits for its first snapshot. Errors are those of [manager.Manager.Sit],
// [ErrClosedAtOnce], [ErrEnded] and the error of ctx.
func (s *Session) Sit(ctx context.Context, id match.ID, p match.PlayerID) (*Table, error) {
	seat, err := s.manager.Sit(ctx, id, p)
	if err != nil {
		return nil, err
	}
	seat.IsBot = s.IsBot
	return s.open(ctx, &Table{Side: seat.Side(), Player: p, session: s, seat: seat, handle: seat})
}

// Watch watches a match. If id is empty, Watch takes the match of [Session.BusiestMatch], or else a demonstration. A
// player of the match takes their seat instead. Errors are those of [Session.Sit] and [manager.Manager.Watch].
func (s *Session) Watch(ctx context.Context, id match.ID, p match.PlayerID) (*Table, error) {
	if id == "" {
		id = s.BusiestMatch()
	}
	if id == "" {
		d := newDemonstration(s.manager, s.manager.Now().Format(time.RFC3339Nano)+" for "+string(p))
		return s.open(ctx, &Table{Player: p, session: s, handle: d})
	}
	if slices.Contains(s.manager.PlayerMatches(p), id) {
		return s.Sit(ctx, id, p)
	}
	return s.Spectate(ctx, id, p)
}

// Spectate watches a match without taking a seat, even if p plays in it. Errors are those of
// [manager.Manager.Watch], [ErrClosedAtOnce], [ErrEnded] and the error of ctx.
func (s *Session) Spectate(ctx context.Context, id match.ID, p match.PlayerID) (*Table, error) {
	spectator, err := s.manager.Watch(ctx, id, p)
	if err != nil {
		return nil, err
	}
	return s.open(ctx, &Table{Player: p, session: s, spectator: spectator, handle: spectator})
}

// open waits for the first snapshot of t. After an error, t is closed.
func (s *Session) open(ctx context.Context, t *Table) (*Table, error) {
	if err := s.track(t); err != nil {
		return nil, err
	}
	err := ErrClosedAtOnce
	select {
	case snapshot, open := <-t.handle.Snapshots():
		if open {
			t.Snapshot = snapshot
			t.handle.Notify(s.ring)
			return t, nil
		}
		if s.isClosed() {
			err = ErrEnded
		}
	case <-ctx.Done():
		err = ctx.Err()
	}
	t.Close()
	return nil, err
}
