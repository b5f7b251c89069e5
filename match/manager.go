package match

import (
	"context"

	"notakto/rules"
	"notakto/rules/strategy"
)

// Manager opens, finds and closes tables. Its methods may be called from any goroutine.
type Manager struct {
	lobby Lobby
}

// NewManager is a manager of no tables yet.
func NewManager(cfg Config) *Manager { return &Manager{} }

// Lobby is where players wait for an opponent.
func (m *Manager) Lobby() *Lobby { return &m.lobby }

// Play opens a match of p against the computer. [ErrTooMany], [ErrDraining].
func (m *Manager) Play(ctx context.Context, p Player, v rules.Variant, level strategy.Level, side rules.Side) (ID, error) {
	return "", ErrDraining
}

// OpenPrivate lays a table for p and whoever brings the code. [ErrTooMany], [ErrDraining].
func (m *Manager) OpenPrivate(ctx context.Context, p Player, v rules.Variant) (ID, Code, error) {
	return "", "", ErrDraining
}

// Join sits p down at a private table.
func (m *Manager) Join(ctx context.Context, p Player, c Code) (ID, Player, error) {
	return "", p, ErrNoSuchTable
}

// Sit is a new handle on the seat of p. [ErrNoSuchMatch], [ErrNotSeated].
func (m *Manager) Sit(ctx context.Context, id ID, p PlayerID) (*Seat, error) {
	return nil, ErrNoSuchMatch
}

// Watch is a handle for looking on. [ErrNoSuchMatch].
func (m *Manager) Watch(ctx context.Context, id ID) (*Spectator, error) { return nil, ErrNoSuchMatch }

// Of is the matches of p that are not over, oldest first.
func (m *Manager) Of(p PlayerID) []ID { return nil }

// List is the matches in progress, busiest first: by spectators, then by plies.
func (m *Manager) List() []Summary { return nil }

// Drain refuses new matches and seeks from now on, and cancels the seeks that wait. Matches go on.
func (m *Manager) Drain() {}

// Close drains, ends every table and waits until nothing of them is left. Matches are not ended by it: their logs stay as they are.
func (m *Manager) Close() {}
