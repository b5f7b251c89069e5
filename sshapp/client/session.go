package client

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"notakto/match"
	"notakto/match/history"
	"notakto/match/manager"
	"notakto/match/store"
	"notakto/rules"
	"notakto/rules/strategy"
)

const (
	// CallTimeout is how long a front end waits for the answer to one request before it reports to the player that it
	// failed.
	CallTimeout = 15 * time.Second
	// OfferComputerAfter is how long a player waits in a queue before the computer is offered.
	OfferComputerAfter = 15 * time.Second
)

var (
	// ErrEnded says that the session ended before its request was granted.
	ErrEnded = errors.New("the session has ended")
	// ErrClosedAtOnce says that a table closed before its first snapshot. It is a [match.ErrClosed].
	ErrClosedAtOnce = fmt.Errorf("it told nothing: %w", match.ErrClosed)
)

// Session opens tables and places in the queue for one session, and closes what is still open when that ends. Who plays
// is an argument of each request, as a guest's code may lead to another identity.
type Session struct {
	IsBot bool // the player is a program; to be set before the first request

	manager *manager.Manager

	mu      sync.Mutex
	closed  bool
	open    []closer
	unrated []match.ID     // the last games of pairs that have ended and are not in the tally
	beaten  strategy.Level // the highest rung that the player has beaten; zero for none
	tally   Tally
}

// Tally is what the games that ended in a session add up to.
type Tally struct {
	Won, Lost, Drawn int
	Rated            history.RatedPair // from before the first pair to after the last one; zero without one
	Standing         history.Standing  // after the last pair
}

// maxUnrated is how many pairs wait for their ratings.
const maxUnrated = 4

// closer is a handle on a table or a place in a queue.
type closer interface{ Close() }

// New is the session of a player who has just logged in.
func New(m *manager.Manager) *Session { return &Session{manager: m} }

// Close gives every table and place in a queue back, those too that are being opened by another goroutine. It may be
// called again.
func (s *Session) Close() {
	s.mu.Lock()
	open := s.open
	s.open, s.closed = nil, true
	s.mu.Unlock()
	for _, c := range open {
		c.Close()
	}
}

// keep takes charge of c. False means that the session has ended, and that c is closed.
func (s *Session) keep(c closer) bool {
	s.mu.Lock()
	closed := s.closed
	if !closed {
		s.open = append(s.open, c)
	}
	s.mu.Unlock()
	if closed {
		c.Close()
	}
	return !closed
}

// forget drops what was closed, or is over.
func (s *Session) forget(c closer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open = slices.DeleteFunc(s.open, func(other closer) bool { return other == c })
}

// Sit takes the seat of p at a match, with its first snapshot. The errors are those of [manager.Manager.Sit],
// [ErrClosedAtOnce], [ErrEnded] and that of ctx.
func (s *Session) Sit(ctx context.Context, id match.ID, p match.PlayerID) (*Table, error) {
	seat, err := s.manager.Sit(ctx, id, p)
	if err != nil {
		return nil, err
	}
	seat.IsBot = s.IsBot
	return s.awaitFirstSnapshot(ctx, &Table{Side: seat.Side(), Player: p, session: s, seat: seat, handle: seat})
}

// Watch watches a match, or the busiest one if none is named; a player of the match sits down there instead. The
// errors are those of [Session.Sit] and of [manager.Manager.Watch]; [match.ErrNoSuchMatch] if there is nothing to look
// on at.
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

// Spectate watches a match, also one of the player's own: the seat there is not taken. Errors as of [Session.Watch].
func (s *Session) Spectate(ctx context.Context, id match.ID, p match.PlayerID) (*Table, error) {
	spectator, err := s.manager.Watch(ctx, id, p)
	if err != nil {
		return nil, err
	}
	return s.awaitFirstSnapshot(ctx, &Table{Player: p, session: s, handle: spectator})
}

// awaitFirstSnapshot takes charge of a new table and waits for its first snapshot.
func (s *Session) awaitFirstSnapshot(ctx context.Context, t *Table) (*Table, error) {
	if !s.keep(t.handle) {
		return nil, ErrEnded
	}
	err := ErrClosedAtOnce
	select {
	case snapshot, open := <-t.handle.Snapshots():
		if open {
			t.Snapshot = snapshot
			return t, nil
		}
	case <-ctx.Done():
		err = ctx.Err()
	}
	s.forget(t.handle)
	t.handle.Close()
	return nil, err
}

// Join follows a code. The player is p, or the guest whose seat the code leads back to. A code of p's own table leads
// there. Other errors are those of [manager.Manager.Join].
func (s *Session) Join(ctx context.Context, p match.Player, code match.Code) (match.ID, match.Player, error) {
	id, player, err := s.manager.Join(ctx, p, code)
	if errors.Is(err, match.ErrOwnTable) && id != "" {
		return id, p, nil
	}
	return id, player, err
}

// Recall reads from the history which rungs a player has beaten in earlier sessions; h may be nil, and a guest has
// none.
func (s *Session) Recall(ctx context.Context, h *store.History, p match.Player) error {
	if h == nil || p.Guest {
		return nil
	}
	beaten, err := h.BeatenComputers(ctx, p.ID)
	for _, level := range strategy.Ladder() {
		if slices.Contains(beaten, match.Computer(level).ID) {
			s.countWin(level)
		}
	}
	return err
}

// NextRung returns the computer player to offer: the lowest rung of [strategy.Ladder] that the player has not beaten,
// as far as the session knows, or the highest if the player has beaten all. A win counts for the rungs below too. If
// the level chosen last is a higher rung, NextRung returns that.
func (s *Session) NextRung(last strategy.Level) strategy.Level {
	s.mu.Lock()
	defer s.mu.Unlock()
	ladder := strategy.Ladder()
	next := slices.Index(ladder, s.beaten) + 1
	return ladder[min(max(next, slices.Index(ladder, last)), len(ladder)-1)]
}

// Beaten returns how many rungs of [strategy.Ladder], from the lowest on, the player has beaten as far as the session
// knows.
func (s *Session) Beaten() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Index(strategy.Ladder(), s.beaten) + 1
}

// Tally returns what the games of the player that have ended in this session add up to.
func (s *Session) Tally() Tally {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tally
}

// RatedPair returns what the rated pair that has ended at a table changed for the player, and where the player stands
// then. ok is false if the match ended no pair, if the player only watched, if h is nil, or if it
// cannot be read.
func (s *Session) RatedPair(ctx context.Context, h *store.History, m *match.State, p match.PlayerID) (
	pair history.RatedPair, standing history.Standing, ok bool,
) {
	side := m.Side(p)
	if h == nil || side == rules.Nobody || !m.IsPairOver() {
		return pair, standing, false
	}
	pair, standing, err := h.RatedPair(ctx, m, side)
	if err != nil {
		return pair, standing, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if slices.Contains(s.unrated, m.ID) {
		s.unrated = slices.DeleteFunc(s.unrated, func(id match.ID) bool { return id == m.ID })
		total := pair
		if s.tally.Rated.Match != "" {
			total.Before = s.tally.Rated.Before
		}
		s.tally.Rated, s.tally.Standing = total, standing
	}
	return pair, standing, true
}

// countResult counts a match that has just ended: for the tally, and against a rung. A match that was played on from a
// review does not count: its position may have been won already.
func (s *Session) countResult(t *Table) {
	if !t.IsSeated() || t.Outcome.IsVoid() || !t.Outcome.Over() || t.Origin == match.ReviewOrigin {
		return
	}
	s.mu.Lock()
	switch t.Outcome.Winner {
	case t.Side:
		s.tally.Won++
	case t.Side.Other():
		s.tally.Lost++
	default:
		s.tally.Drawn++
	}
	if t.IsPairOver() {
		s.unrated = append(s.unrated[max(0, len(s.unrated)-maxUnrated+1):], t.ID)
	}
	s.mu.Unlock()
	opponent := t.SeatState(t.Opponent()).Player
	if t.Outcome.Winner != t.Side || !opponent.IsComputer() {
		return
	}
	s.countWin(opponent.Level)
}

// countWin counts a win against a level, if that is a rung.
func (s *Session) countWin(level strategy.Level) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ladder := strategy.Ladder()
	if slices.Index(ladder, level) > slices.Index(ladder, s.beaten) {
		s.beaten = level
	}
}
