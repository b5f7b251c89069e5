package manager

import (
	"cmp"
	"context"
	"sync"
	"time"

	"notakto/match"
	"notakto/match/limit"
	"notakto/match/lobby"
	"notakto/rules"
	"notakto/rules/strategy"
)

// Manager opens, finds and closes tables. Its methods may be called from any goroutine.
type Manager struct {
	cfg      Config
	dice     *dice
	register *register
	list     *list
	hearing  func() // ends it
	looking  func() // likewise
	living   sync.WaitGroup
	lobby    *lobby.Lobby
	nodes    *nodes
	guesses  *limit.Attempts // wrong codes
	searches *limit.Attempts // for matches that are not on
	ctx      context.Context // of every table; ends with Close
	cancel   context.CancelFunc
}

// New is a manager of the matches that the journal tells of. [Manager.Close] ends it.
func New(cfg Config) *Manager {
	cfg = cfg.withDefaults()
	m := &Manager{
		cfg: cfg, dice: newDice(cfg.Seed), register: newRegister(cfg),
		nodes:   newNodes(cmp.Or(cfg.node, drawNode()), cfg.Journal.Now()),
		guesses: limit.NewAttempts(limit.CodeRate), searches: limit.NewAttempts(limit.LookupRate),
	}
	m.list = &list{register: m.register}
	m.ctx, m.cancel = context.WithCancel(context.Background())
	m.lobby = lobby.New(m.ctx, lobby.Config{
		Opener: opener{m}, Journal: cfg.Journal, Board: cfg.Board, Log: cfg.Log,
		Patience: cfg.Patience, Networks: cfg.Networks, Node: m.nodes.self,
	})
	m.hearing, m.looking = cfg.Journal.Hear(m.register.hear), cfg.Board.Look(m.look)
	m.living.Go(m.live)
	return m
}

// look takes in what has changed on the board.
func (m *Manager) look(n match.Note) {
	m.nodes.look(n)
	m.lobby.OnNote(n)
}

// Grace is how long a player may be away while it is their turn.
func (m *Manager) Grace() time.Duration { return m.cfg.Grace }

// Now is the time by the journal's clock, which all times of a match and of the queue are told by.
func (m *Manager) Now() time.Time { return m.cfg.Journal.Now() }

// Lobby is where players wait for an opponent.
func (m *Manager) Lobby() *lobby.Lobby { return m.lobby }

// Play opens a match of p against the computer; p plays the side, or a drawn one if it is nobody's. p is to [Manager.Sit] down in it.
// [ErrTooMany], [ErrTooFast], [ErrDraining], strategy.ErrBadLevel, [ErrUnavailable] at once if this node is cut off, and what kept the journal from recording it.
func (m *Manager) Play(ctx context.Context, p match.Player, v rules.Variant, level strategy.Level, side rules.Side) (match.ID, error) {
	if level.String() == "" {
		return "", strategy.ErrBadLevel
	}
	if err := m.refuse(); err != nil {
		return "", err
	}
	if !side.Valid() {
		side = m.dice.side()
	}
	o := match.Opening{Variant: v, Players: match.OnSide(side, p, match.Computer(level)), Origin: match.ComputerOrigin, Claimant: p.ID}
	id, _, err := m.open(ctx, o)
	return id, err
}

// OpenPrivate lays a table for p, at a drawn side, and whoever brings the code. Errors as for [Manager.Play].
func (m *Manager) OpenPrivate(ctx context.Context, p match.Player, v rules.Variant) (match.ID, match.Code, error) {
	if err := m.refuse(); err != nil {
		return "", "", err
	}
	o := match.Opening{Variant: v, Players: match.OnSide(m.dice.side(), p, match.Player{}), Origin: match.PrivateOrigin, Claimant: p.ID}
	return m.open(ctx, o)
}

// Sit is a new handle on the seat of p; there may be several. A match that is not alive here is taken up from its log.
// [ErrNoSuchMatch], [ErrNotSeated], [ErrSearching].
func (m *Manager) Sit(ctx context.Context, id match.ID, p match.PlayerID) (*Seat, error) {
	var seat *Seat
	err := m.atFor(ctx, p, id, func(t *table) error {
		seat = &Seat{reader: newReader(t)}
		return t.receive(ctx, seat.reader, func() (err error) {
			seat.side, err = t.sit(seat.reader, p)
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	return seat, nil
}

// Watch is a handle of p for looking on, at a match that is over too as long as its log is kept. [ErrNoSuchMatch], and [ErrSearching] after too
// many looks for matches that are not on.
func (m *Manager) Watch(ctx context.Context, id match.ID, p match.PlayerID) (*Spectator, error) {
	var spectator *Spectator
	err := m.atFor(ctx, p, id, func(t *table) error {
		spectator = &Spectator{newReader(t)}
		return t.receive(ctx, spectator.reader, func() error {
			t.watch(spectator.reader)
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	return spectator, nil
}

// Of is the matches of p that are not over, oldest first.
func (m *Manager) Of(p match.PlayerID) []match.ID { return m.register.of(p) }

// stalledAfter is how long after its last move a match still counts as being played.
const stalledAfter = 10 * time.Minute

// IsPlaying reports whether p waits for an opponent here, or has a match that is not over and was begun, or moved in,
// in the last ten minutes.
func (m *Manager) IsPlaying(p match.PlayerID) bool {
	return m.lobby.HasSeek(p) || m.register.hasMatchSince(p, m.Now().Add(-stalledAfter))
}

// List is the matches in progress but for those of private tables, busiest first: by spectators, then by plies. It is
// shared, so not to be changed, and where there are hundreds it may be a quarter of a second old.
func (m *Manager) List() []match.Summary { return m.list.current() }

// Summaries are those of the given matches that are in progress, in the order given.
func (m *Manager) Summaries(ids []match.ID) []match.Summary { return m.register.summaries(ids) }

// Drain refuses new matches and seeks from now on, and cancels the seeks that wait. Matches go on, and players may return to them.
func (m *Manager) Drain() {
	m.register.drain()
	m.lobby.Drain()
}

// Close drains, ends every table and waits until nothing of them is left. Matches are not ended by it: their logs stay as they are.
func (m *Manager) Close() {
	m.Drain()
	m.register.close()
	m.cancel()
	m.register.running.Wait()
	m.living.Wait()
	m.hearing()
	m.looking()
	m.lobby.Close()
}
