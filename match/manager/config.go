package manager

import (
	"cmp"
	"log/slog"
	"time"

	"notakto/match"
	"notakto/match/limit"
	"notakto/rules"
)

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

// ComputerRetained is how long a match against the computer is kept while its player is away, and GuestRetained how
// long that of a guest, who can come back by code only. Then the match is void: otherwise the matches of players who
// never come back would be kept for ever, and every node holds them in memory.
const (
	ComputerRetained = 30 * 24 * time.Hour
	GuestRetained    = 24 * time.Hour
)

const (
	joinTimeout = 2 * time.Second  // time for a seated player to connect before a no-show is recorded
	closeDelay  = 10 * time.Second // how long the table of a finished match stays without readers
	slowJournal = time.Second      // a journal call that takes longer does not count for absence
	backOff     = time.Second      // delay before a table or the lobby repeats a failed call of the journal
)

// Config configures a [Manager]. A zero field stands for its default.
type Config struct {
	Journal        match.Journal  // default: a new [match.Memory]
	Registry       match.Registry // default: the Journal if it is a registry too, else a new [match.Memory]
	Grace          time.Duration  // [DefaultGrace]: how long a player may be away on their turn
	FirstMove      time.Duration  // [DefaultFirstMove]: time limit for the first move of a player from the queue
	LaterMove      time.Duration  // [DefaultLaterMove]: time limit for every other move of a player from the queue
	ComputerPause  time.Duration  // how long the computer thinks about a move; by default it answers at once
	Linger         time.Duration  // [DefaultLinger]: how long the table of a finished match stays while it has readers
	JournalTimeout time.Duration  // [DefaultJournalTimeout]: limit for recording one event
	Seed           uint64         // of IDs, codes, draws and computers, for reproducible results; random by default
	MaxMatches     int            // [DefaultMaxMatches]: how many unfinished matches one player may have
	Log            *slog.Logger   // default: no log

	// Networks returns a player's networks, such as an address and the networks around it, smallest first; none if
	// unknown, as by default. Wrong codes, lookups, started matches and MaxSeats seats at unfinished matches are limited
	// for all players of the smallest network; each larger one has four times the limit. Networks must not block or call
	// the manager. The slice is not modified.
	Networks func(match.PlayerID) []string
	MaxSeats int // [DefaultMaxSeats]
	// MaxMatchRate is how many matches a minute all players of the smallest network may start or enter, with a burst of
	// five times as many; each larger network has four times as many. Once half of these are used, each player has a small
	// share of the rest, so that other players can start matches too. Default: no limit.
	MaxMatchRate int
	// OnLimit is called for each player that one of these limits stopped, with [match.ErrTooMany],
	// [match.ErrRateLimited], [match.ErrTooManyCodes] or [match.ErrTooManyLookups], and for each wrong code, with
	// [match.ErrNoSuchTable]. It must not block or call the manager.
	OnLimit func(match.PlayerID, error)

	// OnGuestResumed is called for each player who has resumed a guest's seat with the guest's code: both are in the same
	// networks now. It must not block or call the manager.
	OnGuestResumed func(p, guest match.PlayerID)

	// DisambiguateName returns p under a name that cannot be confused with that of the opponent, or of a player of the
	// queue, who has none: then other is the zero value. For the same two players it returns the same name on every node,
	// and it does not change a name that it has made. Logs have the plain names; these are only shown. Default: names do
	// not change.
	DisambiguateName func(p, other match.Player) match.Player

	node match.Node // this run of the server; random by default
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
		c.Journal = match.NewMemory(match.DefaultRetained)
	}
	if c.Registry == nil {
		c.Registry = registryOf(c.Journal)
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return c
}

func registryOf(j match.Journal) match.Registry {
	if board, both := j.(match.Registry); both {
		return board
	}
	return match.NewMemory(0)
}

// apply returns the state after e with the names to be shown, which are disambiguated once both players are seated.
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
