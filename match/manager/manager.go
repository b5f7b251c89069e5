package manager

import (
	"context"
	"errors"
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
	Stats *Stats // for monitors

	cfg          Config
	tables       *tables
	list         *list
	lobby        *lobby.Lobby
	guesses      *limit.Attempts    // wrong codes
	searches     *limit.Attempts    // for matches that are not on
	cancel       context.CancelFunc // of the context of tables
	subscription func()             // ends it
	watch        func()             // ends the watch
	heartbeats   sync.WaitGroup
}

// New is a manager of the matches that the journal tells of. [Manager.Close] ends it.
func New(cfg Config) *Manager {
	cfg = cfg.withDefaults()
	ctx, cancel := context.WithCancel(context.Background())
	m := &Manager{
		cfg: cfg, tables: newTables(ctx, cfg), cancel: cancel,
		guesses: limit.NewAttempts(limit.CodeRate), searches: limit.NewAttempts(limit.LookupRate),
	}
	m.Stats = m.tables.index.stats
	m.list = &list{tables: m.tables}
	m.lobby = lobby.New(ctx, lobby.Config{
		Opener: opener{m.tables}, Journal: cfg.Journal, Registry: cfg.Registry, Log: cfg.Log,
		JournalTimeout: cfg.JournalTimeout, Networks: cfg.Networks, Node: m.tables.membership.self,
		ShownName: func(p match.Player) string { return cfg.DisambiguateName(p, match.Player{}).Name },
	})
	m.subscription, m.watch = cfg.Journal.Subscribe(m.tables.apply), cfg.Registry.Watch(m.onEntry)
	m.tables.membership.countDowntime(m.tables.index)
	m.heartbeats.Go(func() { m.heartbeatLoop() })
	return m
}

// onEntry applies a change of the registry.
func (m *Manager) onEntry(n match.Entry) {
	m.tables.membership.apply(n)
	m.lobby.OnEntry(n)
}

// TimeLimits are the times after which a player loses.
type TimeLimits struct {
	Grace                time.Duration // away, on the player's turn
	FirstMove, LaterMove time.Duration // for a move, in a match of the queue; without a first move the match is void
}

// TimeLimits are those of all matches.
func (m *Manager) TimeLimits() TimeLimits {
	return m.cfg.limitsOf()
}

// Now is the time by the journal's clock, which all times of a match and of the queue are told by.
func (m *Manager) Now() time.Time { return m.cfg.Journal.Now() }

// Lobby is where players wait for an opponent.
func (m *Manager) Lobby() *lobby.Lobby { return m.lobby }

// Play opens a match of p against the computer; p plays the side, or a drawn one if it is [rules.Nobody]. p is to
// [Manager.Sit] down in it. It may begin with moves of another match, after which it is played on. [ErrTooMany],
// [ErrTooFast], [ErrDraining], strategy.ErrBadLevel, [ErrUnavailable] at once if this node is cut off, what kept the
// journal from recording it, and for the moves [match.ErrMatchOver] and the errors of [rules.Position.Play].
func (m *Manager) Play(
	ctx context.Context, p match.Player, terms match.Terms, level strategy.Level, side rules.Side, moves ...rules.Move,
) (match.ID, error) {
	if level.String() == "" {
		return "", strategy.ErrBadLevel
	}
	if err := m.tables.membership.refuse(); err != nil {
		return "", err
	}
	if !side.Valid() {
		side = m.tables.rng.side()
	}
	o := match.Opening{
		Terms: terms, Players: match.OnSide(side, p, match.Computer(level)), Origin: match.ComputerOrigin,
		Moves: moves, Claimant: p.ID,
	}
	if len(moves) > 0 {
		o.Origin = match.ReviewOrigin
	}
	id, _, err := opener{m.tables}.open(ctx, o)
	return id, err
}

// OpenPrivate opens a table for p, at a drawn side, and for the player who brings the code. Errors as of
// [Manager.Play].
func (m *Manager) OpenPrivate(ctx context.Context, p match.Player, terms match.Terms) (match.ID, match.Code, error) {
	if err := m.tables.membership.refuse(); err != nil {
		return "", "", err
	}
	o := match.Opening{
		Terms: terms, Players: match.OnSide(m.tables.rng.side(), p, match.Player{}), Origin: match.PrivateOrigin,
		Claimant: p.ID,
	}
	return opener{m.tables}.open(ctx, o)
}

// Sit is a new handle on the seat of p; there may be several. A match that is not alive here is taken up from its log.
// [ErrNoSuchMatch], [ErrNotSeated], [ErrSearching].
func (m *Manager) Sit(ctx context.Context, id match.ID, p match.PlayerID) (*Seat, error) {
	var seat *Seat
	err := m.atFor(ctx, p, id, func(t *table) error {
		seat = &Seat{subscription: t.newSubscription()}
		side, err := t.receive(ctx, seat.subscription, p, false)
		seat.side = side
		return err
	})
	if err != nil {
		return nil, err
	}
	return seat, nil
}

// Watch is a handle of p for looking on, at a match that is over too as long as its log is kept. [ErrNoSuchMatch], and
// [match.ErrTooManyLookups] after too many lookups of matches that are not on.
func (m *Manager) Watch(ctx context.Context, id match.ID, p match.PlayerID) (*Spectator, error) {
	var spectator *Spectator
	err := m.atFor(ctx, p, id, func(t *table) error {
		spectator = &Spectator{t.newSubscription()}
		_, err := t.receive(ctx, spectator.subscription, p, true)
		return err
	})
	if err != nil {
		return nil, err
	}
	return spectator, nil
}

// MatchesOf is the matches of p that are not over, oldest first. The first game of a rated pair is among them until the
// second one has begun: who sits down there is taken over.
func (m *Manager) MatchesOf(p match.PlayerID) []match.ID { return m.tables.index.matchesOf(p) }

// stalledAfter is how long after its last move a match still counts as being played; one against the computer, which is
// kept, for less.
const (
	stalledAfter         = 10 * time.Minute
	computerStalledAfter = time.Minute
)

// IsPlaying reports whether p waits for an opponent here, or has a match that is not over and was begun, or moved in,
// in the last ten minutes, or in the last minute if it is against the computer.
func (m *Manager) IsPlaying(p match.PlayerID) bool {
	return m.lobby.HasSeek(p) || m.tables.index.isPlaying(p, m.Now())
}

// List is the matches in progress but for those of private tables, busiest first: by spectators, then by plies. It is
// shared, so not to be changed, and where there are dozens it may be a quarter of a second old.
func (m *Manager) List() []match.Summary { return m.list.current() }

// LastEnded is the match that ended last while this node ran, but for those of private tables and those that do not
// count; nil if there was none.
func (m *Manager) LastEnded() *match.State {
	r := m.tables.index
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.ended
}

// Summaries are those of the given matches that are in progress, or between the games of a pair, in the order given.
func (m *Manager) Summaries(ids []match.ID) []match.Summary { return m.list.of(ids) }

// Drain refuses new matches and seeks from now on, and cancels the seeks that wait. Matches go on, and players may
// return to them.
func (m *Manager) Drain() {
	m.Stats.Draining.Store(true)
	m.tables.limit(knownTables)
	m.lobby.Drain()
}

// Pause refuses new matches and seeks, as [Manager.Drain] does, until [Resume]: the seeks that wait are cancelled.
func Pause(m *Manager) {
	m.Stats.Draining.Store(true)
	m.tables.limit(pausedTables)
	m.lobby.Drain()
}

// Resume accepts new matches and seeks again. It must not be called together with Pause, Drain or Close, and does
// nothing after those two.
func Resume(m *Manager) {
	if m.tables.unpause() {
		m.lobby.Resume()
		m.Stats.Draining.Store(false)
	}
}

// IsSeated reports whether p is at a table of this node, at a match in progress with two players. By the log it is not
// known: a player who has come back to a match often is away there.
func IsSeated(m *Manager, p match.PlayerID) bool {
	sides, r := map[match.ID]rules.Side{}, m.tables.index
	r.mu.Lock()
	for _, id := range r.seats.byPlayer[p] {
		if e := r.matches[id]; e.isLive() && e.state.Started() {
			sides[id] = e.state.Side(p)
		}
	}
	r.mu.Unlock()
	for id, side := range sides {
		if t := m.tables.get(id); t != nil && t.attendance.here[side-1].Load() {
			return true
		}
	}
	return false
}

// Close drains, ends every table and waits until nothing of them is left. Matches are not ended by it: their logs stay
// as they are.
func (m *Manager) Close() {
	m.Drain()
	m.tables.limit(noTables)
	m.cancel()
	m.tables.running.Wait()
	m.heartbeats.Wait()
	m.subscription()
	m.watch()
	m.lobby.Close()
}

// Ready returns nil if this node can record and takes new matches. The text of an error says why it does not:
// [match.ErrDraining], [match.ErrUnavailable]. It does not wait.
func (m *Manager) Ready() error {
	if m.tables.isDraining() {
		return match.ErrDraining
	}
	return m.tables.membership.now().trouble
}

// atFor is at, for a player who names the match. One that is over for long is searched for in the whole archive, in
// vain where there is none, so no player may do that often.
func (m *Manager) atFor(ctx context.Context, p match.PlayerID, id match.ID, use func(*table) error) error {
	if m.tables.knows(id) {
		return m.tables.at(ctx, id, use)
	}
	who := m.cfg.accountable(p)
	if !m.searches.Allows(time.Now(), who) {
		m.cfg.OnLimit(p, match.ErrTooManyLookups)
		return match.ErrTooManyLookups
	}
	m.searches.Charge(time.Now(), who)
	err := m.tables.at(ctx, id, use)
	if errors.Is(err, match.ErrNoSuchMatch) {
		m.searches.ChargeAll(time.Now())
	}
	return err
}

// TakeMissed returns the matches that ended while p was away, the latest last and three at most, once: it is for the
// start of a session, which tells them. A server that has restarted knows of the last few minutes only.
func (m *Manager) TakeMissed(p match.PlayerID) []*match.State { return m.tables.index.takeMissed(p) }
