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

// Manager opens, finds and closes the tables of one node. Its methods may be called from any goroutine.
type Manager struct {
	Stats *Stats

	cfg         Config
	tables      *tables
	list        *list
	lobby       *lobby.Lobby
	guesses     *limit.Attempts    // wrong codes
	searches    *limit.Attempts    // lookups of matches that this node does not know
	cancel      context.CancelFunc // of the context of tables
	unsubscribe func()             // ends the subscription to the journal
	unwatch     func()             // ends the watch of the registry
	heartbeats  sync.WaitGroup     // heartbeatLoop and tendLoop
}

// Default values of [Config]'s fields.
const (
	DefaultGrace          = time.Minute
	DefaultFirstMove      = 30 * time.Second
	DefaultLaterMove      = 5 * time.Minute
	DefaultLinger         = 5 * time.Minute
	DefaultJournalTimeout = 10 * time.Second
	DefaultMaxMatches     = 8
	DefaultMaxSeats       = 200
)

// ComputerRetention limits how long a match against the computer is kept while its player is away. After that time
// the match is void. GuestRetention is the limit for a guest, because a guest can come back by code only. Without
// these limits, abandoned matches would fill the memory of every node.
const (
	ComputerRetention = 30 * 24 * time.Hour
	GuestRetention    = 24 * time.Hour
)

const (
	joinTimeout = 2 * time.Second  // time for a seated player to connect before a no-show is recorded
	closeDelay  = 10 * time.Second // how long the table of a finished match stays without readers
	backOff     = time.Second      // delay before a table repeats a failed call of the journal
)

// Config configures a [Manager]. A zero field stands for its default. Durations are limits unless said otherwise.
type Config struct {
	Journal        match.Store   // a new [match.Memory] by default
	Grace          time.Duration // absence of a player on turn ([DefaultGrace])
	FirstMove      time.Duration // a player's first move in a match of the queue ([DefaultFirstMove])
	LaterMove      time.Duration // later moves in a match of the queue without a clock ([DefaultLaterMove])
	ComputerPause  time.Duration // thinking time of the computer, 0 by default
	Linger         time.Duration // life of a finished match's table with readers ([DefaultLinger])
	JournalTimeout time.Duration // recording events or reading a log ([DefaultJournalTimeout])
	Seed           uint64        // of IDs, codes, draws and computers, for reproducible results, random by default
	MaxMatches     int           // unfinished matches of one player ([DefaultMaxMatches])
	Log            *slog.Logger  // discards by default

	// Networks returns a player's networks, smallest first, such as an address and the networks around it. Players
	// share limits on wrong codes, lookups, started matches and seats if the first elements of their networks are
	// equal. A network has four times the limit of the next smaller one. Networks must not block or call the manager.
	// The manager does not modify the slice. By default a player has no networks.
	Networks func(match.PlayerID) []string
	// MaxSeats limits the seats at unfinished matches of all players of one smallest network ([DefaultMaxSeats]). At
	// most a quarter as many guests of the network wait in the queue.
	MaxSeats int
	// MaxMatchRate limits the matches that all players of one smallest network may start or enter in a minute, with a
	// burst of five times as many. Once half of a limit is used, each player has a small share of the rest, to leave
	// room for other players. 0 means no limit.
	MaxMatchRate int
	// OnLimit gets the error of each limit that stops a player, and [match.ErrNoSuchTable] for each wrong code. The
	// limits have the errors [match.ErrTooMany], [match.ErrAddressFull], [match.ErrRateLimited],
	// [match.ErrTooManyCodes] and [match.ErrTooManyLookups]. OnLimit must not block or call the manager.
	OnLimit func(match.PlayerID, error)

	// OnGuestResumed is called after p has resumed the seat of guest with the guest's code. The function can put p and
	// guest in one network. OnGuestResumed must not block or call the manager.
	OnGuestResumed func(p, guest match.PlayerID)

	// Blocks reports whether a player has blocked another one. The two see no challenge of each other, and the queue
	// does not pair them. Blocks must not wait or call the manager. By default no player is blocked.
	Blocks func(by, other match.PlayerID) bool

	// IsProgram reports whether the account of a player is that of a program (see [lobby.Config]). By default no
	// account is.
	IsProgram func(match.PlayerID) bool

	// DisambiguateName returns p under a name that differs visibly from other's name. other is the opponent, or the
	// zero Player for a player waiting in the queue. Equal players must get equal names on all nodes. DisambiguateName
	// must not change a name that DisambiguateName has returned, and must not block or call the manager. Events keep
	// the plain names. By default names do not change.
	DisambiguateName func(p, other match.Player) match.Player

	Node    match.Node // name of this run of the server, a new [NewNode] by default
	Version string     // of the program, for [Manager.Servers]
	HostKey string     // fingerprint of the server's key, for [Manager.Servers]
}

// New returns a manager of the matches of cfg.Journal and starts its goroutines. [Manager.Close] ends them.
func New(cfg Config) *Manager {
	cfg = cfg.withDefaults()
	ctx, cancel := context.WithCancel(context.Background())
	stats, matches := new(Stats), make(map[match.ID]entry)
	all := &tables{
		cfg: cfg, ctx: ctx, rng: newRNG(cfg.Seed), peers: newPeers(cfg, stats),
		index: &index{
			cfg: cfg, stats: stats, matches: matches, offers: rematchOffers{}, open: challengeIndex{},
			followers: make(map[match.PlayerID][]*func()), missed: make(map[match.PlayerID]time.Time),
			seats: seats{
				cfg: cfg, matches: matches, byPlayer: make(map[match.PlayerID][]match.ID),
				byNetwork: limit.NewSeats(cfg.MaxSeats, cfg.Networks), starts: limit.NewStarts(cfg.MaxMatchRate),
				beginning: make(map[limit.Claim]int),
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
		JournalTimeout: cfg.JournalTimeout, Networks: cfg.Networks, Blocks: cfg.Blocks, IsProgram: cfg.IsProgram,
		MaxGuests: max(1, cfg.MaxSeats/4), OnLimit: cfg.OnLimit,
		Node:      m.tables.peers.self,
		ShownName: func(p match.Player) string { return cfg.DisambiguateName(p, match.Player{}).Name },
	})
	m.unsubscribe = cfg.Journal.Subscribe(m.tables.index.apply)
	m.unwatch = cfg.Journal.Watch(func(e match.Entry) {
		m.tables.peers.apply(e)
		m.lobby.OnEntry(e)
	})
	beats := make(chan struct{}, 1)
	m.heartbeats.Go(func() { m.heartbeatLoop(beats) })
	m.heartbeats.Go(func() { m.tendLoop(beats) })
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
	if c.Blocks == nil {
		c.Blocks = func(match.PlayerID, match.PlayerID) bool { return false }
	}
	if c.IsProgram == nil {
		c.IsProgram = func(match.PlayerID) bool { return false }
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

// TimeLimits returns the limits that hold for all matches of m.
func (m *Manager) TimeLimits() TimeLimits { return m.cfg.timeLimits() }

// Now returns the journal's time, the clock of all times of matches and of the queue.
func (m *Manager) Now() time.Time { return m.cfg.Journal.Now() }

// Servers returns the servers that share the database, including this one once it has sent a heartbeat. A server
// that stops is removed at once. A server without a heartbeat is removed after a minute.
func (m *Manager) Servers() []Server { return m.tables.peers.servers() }

// Lobby returns the queue of this node.
func (m *Manager) Lobby() *lobby.Lobby { return m.lobby }

// PlayComputer opens a match of p against the computer at a level. Call [Manager.Sit] to take the seat. p plays side,
// or a random side if side is not valid. The match begins with moves, if any.
//
// PlayComputer returns
//   - [match.ErrTooMany], [match.ErrAddressFull] and [match.ErrRateLimited] for limits
//   - [match.ErrDraining], and [match.ErrUnavailable] at once if this node is cut off
//   - [match.ErrRatedTable] for rated terms, [rules.ErrBadVariant], [strategy.ErrBadLevel]
//   - for moves [match.ErrMatchOver] and the errors of [rules.Position.Play]
//   - any other error of the journal
func (m *Manager) PlayComputer(
	ctx context.Context, p match.Player, terms match.Terms, level strategy.Level, side rules.Side, moves ...rules.Move,
) (match.ID, error) {
	if level.String() == "" {
		return "", strategy.ErrBadLevel
	}
	if err := m.tables.peers.refuse(); err != nil {
		return "", err
	}
	if !side.IsValid() {
		side = m.tables.rng.side()
	}
	o := match.Opening{
		Terms: terms, Players: match.PlayersInOrder(side, p, match.Computer(level)), Origin: match.ComputerOrigin,
		Moves: moves, Claimant: p.ID,
	}
	if len(moves) > 0 {
		o.Origin = match.ReviewOrigin
	}
	id, _, err := m.tables.open(ctx, o)
	return id, err
}

// OpenPrivate opens a private table. p takes a random side, and the player with the code takes the free one.
// OpenPrivate returns the errors of [Manager.PlayComputer].
func (m *Manager) OpenPrivate(ctx context.Context, p match.Player, terms match.Terms) (match.ID, match.Code, error) {
	if err := m.tables.peers.refuse(); err != nil {
		return "", "", err
	}
	o := match.Opening{
		Terms: terms, Players: match.PlayersInOrder(m.tables.rng.side(), p, match.Player{}),
		Origin:   match.PrivateOrigin,
		Claimant: p.ID,
	}
	return m.tables.open(ctx, o)
}

// Sit connects p to their seat. Every call returns a new Seat, and a player may hold several. If the match has no
// table on this node, Sit resumes it from its log. Errors: [match.ErrNoSuchMatch], [match.ErrNotSeated],
// [match.ErrTooManyLookups], [match.ErrNotStarted] for an open challenge, and [match.ErrDraining] once the manager is
// closed.
func (m *Manager) Sit(ctx context.Context, id match.ID, p match.PlayerID) (*Seat, error) {
	var seat *Seat
	err := m.withTableFor(ctx, p, id, func(t *table) error {
		seat = &Seat{subscription: t.newSubscription(ctx)}
		side, err := t.subscribe(ctx, seat.subscription, p, false)
		seat.side = side
		return err
	})
	if err != nil {
		return nil, err
	}
	return seat, nil
}

// Watch returns a new handle of a spectator p. A finished match can be watched while its log is kept. Errors:
// [match.ErrNoSuchMatch], [match.ErrTooManyLookups], [match.ErrNotStarted] for an open challenge, and
// [match.ErrDraining] once the manager is closed.
func (m *Manager) Watch(ctx context.Context, id match.ID, p match.PlayerID) (*Spectator, error) {
	var spectator *Spectator
	err := m.withTableFor(ctx, p, id, func(t *table) error {
		spectator = &Spectator{t.newSubscription(ctx)}
		_, err := t.subscribe(ctx, spectator.subscription, p, true)
		return err
	})
	if err != nil {
		return nil, err
	}
	return spectator, nil
}

// PlayerMatches returns the unfinished matches of p without open challenges, the oldest first. The first game of a
// rated pair stands for the pair until the second game has begun. State.Next of the first game then names the second
// game.
func (m *Manager) PlayerMatches(p match.PlayerID) []match.ID { return m.tables.index.matchesOf(p) }

// stalledAfter is the time after the last move until IsPlaying ignores a match. computerStalledAfter is shorter,
// because a match against the computer is kept while its player does something else.
const (
	stalledAfter         = 10 * time.Minute
	computerStalledAfter = time.Minute
)

// IsPlaying reports whether p waits for an opponent on this node, is about to enter a match, or has an unfinished match
// that is being played. A match counts if it began, or had a move, in the last ten minutes, or in the last minute
// against the computer.
func (m *Manager) IsPlaying(p match.PlayerID) bool {
	return m.lobby.HasSeek(p) || m.tables.index.isPlaying(p, m.Now(), false)
}

// IsPlayingOthers is like IsPlaying, and ignores seeks and matches against the computer.
func (m *Manager) IsPlayingOthers(p match.PlayerID) bool {
	return m.tables.index.isPlaying(p, m.Now(), true)
}

// List returns the matches in progress, except those of private tables and those against the computer with an absent
// player. The list is shared and must not be modified. With more than twenty matches it may be a quarter of a second
// old. The numbers of spectators are those of this node. Of two matches, List puts first, by these criteria in turn,
//   - the match between people
//   - the match with both players connected and a move in the last minutes
//   - the match with more spectators
//   - the match with more plies
func (m *Manager) List() []match.Summary { return m.list.current() }

// LastEnded returns the match that ended last in the order of the journal, or nil. After a start, the journal also
// delivers matches that ended earlier and are not archived, in any order. Matches of private tables, void matches and
// matches without a move do not count.
func (m *Manager) LastEnded() *match.State {
	i := m.tables.index
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.ended
}

// Summaries returns the summaries of the given matches in the order of ids, without matches that are neither in
// progress nor between the games of a pair.
func (m *Manager) Summaries(ids []match.ID) []match.Summary { return m.tables.summaries(ids) }

// Drain refuses new matches and seeks from now on, and cancels the seeks that wait. Matches continue, and players
// may return to them. A drain cannot be undone.
func (m *Manager) Drain() {
	m.Stats.Draining.Store(true)
	m.tables.index.advance(stageDraining)
	m.lobby.Drain()
}

// Pause acts like [Manager.Drain] until [Manager.Resume]. A paused node still adopts matches of other nodes.
func (m *Manager) Pause() {
	m.Stats.Draining.Store(true)
	m.tables.index.advance(stagePaused)
	m.lobby.Drain()
}

// Resume accepts new matches and seeks again. After Drain or Close it has no effect. The caller must not call it
// concurrently with Pause, Drain or Close.
func (m *Manager) Resume() {
	i := m.tables.index
	i.mu.Lock()
	if i.stage == stagePaused {
		i.stage = stageOpen
	}
	isOpen := i.stage == stageOpen
	i.mu.Unlock()
	if isOpen {
		m.lobby.Resume()
		m.Stats.Draining.Store(false)
	}
}

// IsSeated reports whether p is connected to a table of this node, in a match in progress with two players. The log
// may show a connected player as away (see returnBurst), but IsSeated asks the table.
func (m *Manager) IsSeated(p match.PlayerID) bool {
	i := m.tables.index
	i.mu.Lock()
	defer i.mu.Unlock()
	return slices.ContainsFunc(i.seats.byPlayer[p], func(id match.ID) bool {
		e := i.matches[id]
		if !e.isLive() || !e.state.HasStarted() || e.table == nil {
			return false
		}
		side := e.state.Side(p) // not valid while p claims a seat that another player has taken
		return side.IsValid() && e.table.attendance.here[side-1].Load()
	})
}

// Close drains, ends every table, and waits until all goroutines have ended. Close records no event, and the matches
// can be resumed from their logs.
func (m *Manager) Close() {
	m.Drain()
	m.tables.index.advance(stageClosed)
	m.cancel()
	m.tables.running.Wait()
	m.heartbeats.Wait()
	m.unsubscribe()
	m.unwatch()
	m.lobby.Close()
}

// Ready returns nil if this node can record events and accepts new matches, else [match.ErrDraining] or an error
// that wraps [match.ErrUnavailable]. Ready does not wait for the journal.
func (m *Manager) Ready() error {
	if !m.tables.canOpen() {
		return match.ErrDraining
	}
	p := m.tables.peers
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.trouble
}

// PlaysRated reports whether p must not see the verdict of perfect play on the given positions. During a rated pair p
// must see no verdict. In a pair with a clock of days, this holds only for the current positions of its games and the
// positions one move later. Positions of one [rules.Shape] count as one.
func (m *Manager) PlaysRated(p match.PlayerID, shown ...rules.Position) bool {
	return m.tables.index.playsRated(p, shown...)
}

// Finished returns a match that is over but not archived yet, as spectators see it, or nil.
func (m *Manager) Finished(id match.ID) *match.State {
	s, err := m.tables.index.match(id)
	if s == nil || err != nil || !s.Outcome.IsOver() {
		return nil
	}
	return s.SeenBy(rules.NoSide)
}

// withTableFor calls [tables.withTable] for a match that p has named. Lookups of matches unknown to this node are
// limited, because each one reads the archive in the database.
func (m *Manager) withTableFor(ctx context.Context, p match.PlayerID, id match.ID, use func(*table) error) error {
	if m.tables.index.knows(id) {
		return m.tables.withTable(ctx, id, use)
	}
	who := m.cfg.payers(p)
	if !m.searches.Allows(time.Now(), who) {
		m.cfg.OnLimit(p, match.ErrTooManyLookups)
		return match.ErrTooManyLookups
	}
	m.searches.Charge(time.Now(), who)
	err := m.tables.withTable(ctx, id, use)
	if errors.Is(err, match.ErrNoSuchMatch) {
		m.searches.ChargeAll(time.Now(), who)
	}
	return err
}

// apply returns the state after e. Once both players are seated, the state has the names that DisambiguateName
// returns.
func (c Config) apply(s match.State, e match.Event) (match.State, error) {
	next, err := s.Apply(e)
	if err != nil || s.HasStarted() || !next.HasStarted() {
		return next, err
	}
	one, other := next.Seat(rules.First).Player, next.Seat(rules.Second).Player
	return next.WithNames(c.DisambiguateName(one, other).Name, c.DisambiguateName(other, one).Name), nil
}

// payers returns the [limit.Payer] values to charge for an attempt of p.
func (c Config) payers(p match.PlayerID) []limit.Payer {
	return limit.PlayerPayers(p, c.Networks(p))
}
