package manager

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"
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
	searches     *limit.Attempts    // lookups of matches that this node does not know
	cancel       context.CancelFunc // of the context of tables
	subscription func()             // ends the subscription to the journal
	watch        func()             // ends the watch of the registry
	heartbeats   sync.WaitGroup     // the goroutines heartbeat and tend
}

// Defaults of a [Config].
const (
	DefaultGrace          = time.Minute
	DefaultFirstMove      = 30 * time.Second
	DefaultLaterMove      = 5 * time.Minute
	DefaultLinger         = 5 * time.Minute
	DefaultJournalTimeout = 10 * time.Second
	DefaultMaxMatches     = 8
	DefaultMaxSeats       = 200
)

// ComputerRetained limits the time for which a match against the computer is kept while its player is away.
// GuestRetained is the limit for a guest, who can come back by code only. After it the match is void. Without these
// limits, the matches of players who never come back would fill the memory of every node.
const (
	ComputerRetained = 30 * 24 * time.Hour
	GuestRetained    = 24 * time.Hour
)

const (
	joinTimeout = 2 * time.Second  // time for a seated player to connect before a no-show is recorded
	closeDelay  = 10 * time.Second // how long the table of a finished match stays without readers
	backOff     = time.Second      // delay before a table or the lobby repeats a failed call of the journal
)

// Config configures a [Manager]. A zero field stands for its default.
type Config struct {
	Journal        match.Store   // default: a new [match.Memory]
	Grace          time.Duration // [DefaultGrace]: how long a player may be away on their turn
	FirstMove      time.Duration // [DefaultFirstMove]: time limit for the first move of a player from the queue
	LaterMove      time.Duration // [DefaultLaterMove]: time limit for every other move of a player from the queue
	ComputerPause  time.Duration // how long the computer thinks about a move; by default it answers at once
	Linger         time.Duration // [DefaultLinger]: how long the table of a finished match stays while it has readers
	JournalTimeout time.Duration // [DefaultJournalTimeout]: limit for recording one event
	Seed           uint64        // of IDs, codes, draws and computers, for reproducible results; random by default
	MaxMatches     int           // [DefaultMaxMatches]: how many unfinished matches one player may have
	Log            *slog.Logger  // default: no log

	// Networks returns a player's networks, such as an address and the networks around it, smallest first. Default:
	// none. The players of one smallest network share limits on wrong codes, lookups, started matches and, by
	// MaxSeats, seats at unfinished matches. Each larger network has four times the limit. Networks must not block or
	// call the manager. The manager does not modify the slice.
	Networks func(match.PlayerID) []string
	MaxSeats int // [DefaultMaxSeats]
	// MaxMatchRate limits the matches that all players of a smallest network may start or enter in a minute, with a
	// burst of five times as many. Each larger network has four times the limit. Once half of a limit is used, each
	// player has a small share of the rest, so that other players can start matches too. Default: no limit.
	MaxMatchRate int
	// OnLimit is called for each player that one of these limits stopped, with [match.ErrTooMany],
	// [match.ErrAddressFull], [match.ErrRateLimited], [match.ErrTooManyCodes] or [match.ErrTooManyLookups], and for
	// each wrong code, with [match.ErrNoSuchTable]. OnLimit must not block or call the manager.
	OnLimit func(match.PlayerID, error)

	// OnGuestResumed is called when p has resumed a guest's seat by the guest's code, so that the caller can put both
	// in the same networks. OnGuestResumed must not block or call the manager.
	OnGuestResumed func(p, guest match.PlayerID)

	// DisambiguateName returns p under a name that differs visibly from that of other: the opponent, or the zero Player
	// for a waiting player, who has no opponent. All nodes must get the same name for the same players. A name that
	// DisambiguateName has made stays as it is. Logs keep the plain names. Default: names do not change.
	DisambiguateName func(p, other match.Player) match.Player

	Node    match.Node // this run of the server: a new [NewNode] at each start, as by default
	Version string     // of the program; [Manager.Servers] of the other servers returns it
	HostKey string     // the fingerprint of the server's key; [Manager.Servers] returns it too
}

// New returns a manager of the matches of a journal. [Manager.Close] ends it.
func New(cfg Config) *Manager {
	cfg = cfg.withDefaults()
	ctx, cancel := context.WithCancel(context.Background())
	stats, matches := new(Stats), make(map[match.ID]entry)
	all := &tables{
		cfg: cfg, ctx: ctx, rng: newRNG(cfg.Seed), peers: newPeers(cfg, stats),
		index: &index{
			cfg: cfg, stats: stats, matches: matches, offers: rematchOffers{},
			seats: seats{
				cfg: cfg, matches: matches, byPlayer: make(map[match.PlayerID][]match.ID),
				byNetwork: limit.NewSeats(cfg.MaxSeats, cfg.Networks), starts: limit.NewStarts(cfg.MaxMatchRate),
			},
			codes: newCodeIndex(),
		},
	}
	m := &Manager{
		Stats: stats, cfg: cfg, tables: all, list: &list{tables: all}, cancel: cancel,
		guesses: limit.NewAttempts(limit.CodeRate), searches: limit.NewAttempts(limit.LookupRate),
	}
	m.lobby = lobby.New(ctx, lobby.Config{
		Opener: m.tables, Store: cfg.Journal, Log: cfg.Log,
		JournalTimeout: cfg.JournalTimeout, Networks: cfg.Networks, Node: m.tables.peers.self,
		ShownName: func(p match.Player) string { return cfg.DisambiguateName(p, match.Player{}).Name },
	})
	m.subscription = cfg.Journal.Subscribe(m.tables.index.apply)
	m.watch = cfg.Journal.Watch(func(n match.Entry) {
		m.tables.peers.apply(n)
		m.lobby.OnEntry(n)
	})
	m.tables.peers.countDowntime(m.tables.index)
	signs := make(chan struct{}, 1)
	m.heartbeats.Go(func() { m.heartbeatLoop(signs) })
	m.heartbeats.Go(func() { m.tendLoop(signs) })
	return m
}

func (c Config) withDefaults() Config {
	c.Grace = cmp.Or(c.Grace, DefaultGrace)
	c.FirstMove, c.LaterMove = cmp.Or(c.FirstMove, DefaultFirstMove), cmp.Or(c.LaterMove, DefaultLaterMove)
	c.Linger = cmp.Or(c.Linger, DefaultLinger)
	c.JournalTimeout = cmp.Or(c.JournalTimeout, DefaultJournalTimeout)
	c.MaxMatches = cmp.Or(c.MaxMatches, DefaultMaxMatches)
	c.MaxSeats = cmp.Or(c.MaxSeats, DefaultMaxSeats)
	if c.Networks == nil {
		c.Networks = func(match.PlayerID) []string { return nil }
	}
	if c.OnLimit == nil {
		c.OnLimit = func(match.PlayerID, error) {}
	}
	if c.OnGuestResumed == nil {
		c.OnGuestResumed = func(match.PlayerID, match.PlayerID) {}
	}
	if c.DisambiguateName == nil {
		c.DisambiguateName = func(p, _ match.Player) match.Player { return p }
	}
	if c.Journal == nil {
		c.Journal = match.NewMemory()
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return c
}

// TimeLimits returns the limits of all matches.
func (m *Manager) TimeLimits() TimeLimits { return m.cfg.limitsOf() }

// Now returns the journal's time. All times of matches and of the queue are of that clock.
func (m *Manager) Now() time.Time { return m.cfg.Journal.Now() }

// Servers returns the servers that share the database, including this one once it has sent a heartbeat. A server that
// stops is removed at once, one without a heartbeat after a minute.
func (m *Manager) Servers() []Server { return m.tables.peers.servers() }

// Lobby returns the queue of this node.
func (m *Manager) Lobby() *lobby.Lobby { return m.lobby }

// Play opens a match of p against the computer at a level; call [Manager.Sit] to take the seat. p plays side, or a
// random one for [rules.Nobody]. The match begins with moves, which may be none.
//
// Errors: [match.ErrTooMany], [match.ErrAddressFull] and [match.ErrRateLimited] for limits, [match.ErrDraining],
// [match.ErrUnavailable] at once if this node is cut off, [match.ErrRatedTable] for rated terms;
// [rules.ErrBadVariant]; [strategy.ErrBadLevel]; for moves [match.ErrMatchOver] and those of [rules.Position.Play];
// else what the journal returned.
func (m *Manager) Play(
	ctx context.Context, p match.Player, terms match.Terms, level strategy.Level, side rules.Side, moves ...rules.Move,
) (match.ID, error) {
	if level.String() == "" {
		return "", strategy.ErrBadLevel
	}
	if err := m.tables.peers.refuse(); err != nil {
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
	id, _, err := m.tables.open(ctx, o)
	return id, err
}

// OpenPrivate opens a private table. p takes a random side, and the player who brings the code takes the other. Errors
// as of [Manager.Play].
func (m *Manager) OpenPrivate(ctx context.Context, p match.Player, terms match.Terms) (match.ID, match.Code, error) {
	if err := m.tables.peers.refuse(); err != nil {
		return "", "", err
	}
	o := match.Opening{
		Terms: terms, Players: match.OnSide(m.tables.rng.side(), p, match.Player{}), Origin: match.PrivateOrigin,
		Claimant: p.ID,
	}
	return m.tables.open(ctx, o)
}

// Sit connects p to their seat. Each call returns a new Seat; a player may hold several. Sit resumes a match that has
// no table on this node from its log. Errors: [match.ErrNoSuchMatch], [match.ErrNotSeated], [match.ErrTooManyLookups],
// and [match.ErrDraining] once the manager is closed.
func (m *Manager) Sit(ctx context.Context, id match.ID, p match.PlayerID) (*Seat, error) {
	var seat *Seat
	err := m.atFor(ctx, p, id, func(t *table) error {
		seat = &Seat{subscription: t.newSubscription(ctx)}
		side, err := t.receive(ctx, seat.subscription, p, false)
		seat.side = side
		return err
	})
	if err != nil {
		return nil, err
	}
	return seat, nil
}

// Watch returns a handle of a spectator p. A match that is over can be watched as long as its log is kept. Errors:
// [match.ErrNoSuchMatch], and [match.ErrTooManyLookups] after too many lookups of matches that are not in progress.
func (m *Manager) Watch(ctx context.Context, id match.ID, p match.PlayerID) (*Spectator, error) {
	var spectator *Spectator
	err := m.atFor(ctx, p, id, func(t *table) error {
		spectator = &Spectator{t.newSubscription(ctx)}
		_, err := t.receive(ctx, spectator.subscription, p, true)
		return err
	})
	if err != nil {
		return nil, err
	}
	return spectator, nil
}

// MatchesOf returns the unfinished matches of p, the oldest first. They include the first game of a rated pair until
// the second one has begun; a seat there leads to the second game.
func (m *Manager) MatchesOf(p match.PlayerID) []match.ID { return m.tables.index.matchesOf(p) }

// stalledAfter is the time after its last move for which a match counts as being played. computerStalledAfter is that
// time against the computer. It is shorter, because such a match is kept while its player does something else.
const (
	stalledAfter         = 10 * time.Minute
	computerStalledAfter = time.Minute
)

// IsPlaying reports whether p waits for an opponent on this node, or has an unfinished match that counts as being
// played. A match counts if it began, or had a move, in the last ten minutes, or in the last minute against the
// computer.
func (m *Manager) IsPlaying(p match.PlayerID) bool {
	return m.lobby.HasSeek(p) || m.tables.index.isPlaying(p, m.Now())
}

// List returns the matches in progress, without those of private tables and those against the computer whose player is
// not connected. Matches between people come first, then those whose players are connected and move, then those with
// more spectators, then those with more plies. The list is shared and must not be modified. With dozens of matches it
// may be a quarter of a second old.
func (m *Manager) List() []match.Summary { return m.list.current() }

// LastEnded returns the match that ended last while this node ran, or nil. Matches of private tables and void ones do
// not count.
func (m *Manager) LastEnded() *match.State {
	r := m.tables.index
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.ended
}

// Summaries returns the summaries of the given matches in the order of ids. It leaves out matches that are neither in
// progress nor between the games of a pair.
func (m *Manager) Summaries(ids []match.ID) []match.Summary { return m.tables.summaries(ids) }

// Drain refuses new matches and seeks from now on, and cancels the seeks that wait. Matches continue, and players may
// return to them.
func (m *Manager) Drain() {
	m.Stats.Draining.Store(true)
	m.tables.index.limit(knownTables)
	m.lobby.Drain()
}

// Pause is [Manager.Drain] until [Manager.Resume].
func (m *Manager) Pause() {
	m.Stats.Draining.Store(true)
	m.tables.index.limit(pausedTables)
	m.lobby.Drain()
}

// Resume accepts new matches and seeks again. After Drain or Close it does nothing. The caller must not call it
// concurrently with Pause, Drain or Close.
func (m *Manager) Resume() {
	i := m.tables.index
	i.mu.Lock()
	if i.allowed == pausedTables {
		i.allowed = allTables
	}
	isOpen := i.allowed == allTables
	i.mu.Unlock()
	if isOpen {
		m.lobby.Resume()
		m.Stats.Draining.Store(false)
	}
}

// IsSeated reports whether p is connected to a table of this node, in a match in progress with two players. It does not
// ask the log, which may show a connected player as away: see returnBurst.
func (m *Manager) IsSeated(p match.PlayerID) bool {
	r := m.tables.index
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.ContainsFunc(r.seats.byPlayer[p], func(id match.ID) bool {
		e := r.matches[id]
		return e.isLive() && e.state.Started() && e.table != nil && e.table.attendance.here[e.state.Side(p)-1].Load()
	})
}

// Close drains, ends every table, and waits until all goroutines have ended. It does not end matches: their logs stay
// as they are.
func (m *Manager) Close() {
	m.Drain()
	m.tables.index.limit(noTables)
	m.cancel()
	m.tables.running.Wait()
	m.heartbeats.Wait()
	m.subscription()
	m.watch()
	m.lobby.Close()
}

// Ready returns nil if this node can record events and accepts new matches, else [match.ErrDraining] or an error that
// wraps [match.ErrUnavailable]. It does not wait.
func (m *Manager) Ready() error {
	if m.tables.isDraining() {
		return match.ErrDraining
	}
	p := m.tables.peers
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.trouble
}

// PlaysRated reports whether p is in an unfinished rated pair, and so may not see what perfect play says.
func (m *Manager) PlaysRated(p match.PlayerID) bool { return m.tables.index.playsRated(p) }

// Finished returns a match that is over but not archived yet, as spectators see it, or nil.
func (m *Manager) Finished(id match.ID) *match.State {
	s, err := m.tables.index.match(id)
	if s == nil || err != nil || !s.Outcome.Over() {
		return nil
	}
	return s.SeenBy(rules.Nobody)
}

// atFor is [tables.at] for a match that a player has named. A player may not name unknown matches often, because each
// one is searched for in the whole archive.
func (m *Manager) atFor(ctx context.Context, p match.PlayerID, id match.ID, use func(*table) error) error {
	if m.tables.index.knows(id) {
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

// apply returns the state after e. Once both players are seated, the state has the names that DisambiguateName
// returns.
func (c Config) apply(s match.State, e match.Event) (match.State, error) {
	next, err := s.Apply(e)
	if err != nil || s.Started() || !next.Started() {
		return next, err
	}
	one, other := next.SeatState(rules.First).Player, next.SeatState(rules.Second).Player
	return next.ShownAs(c.DisambiguateName(one, other).Name, c.DisambiguateName(other, one).Name), nil
}

// accountable returns the accounts charged for what p does: p's own, and those of p's networks.
func (c Config) accountable(p match.PlayerID) []limit.Account {
	return limit.Accountable(p, c.Networks(p))
}
