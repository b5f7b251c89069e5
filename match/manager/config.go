package manager

import (
	"cmp"
	"log/slog"
	"time"

	"notakto/match"
	"notakto/match/limit"
	"notakto/rules"
)

// The defaults of a [Config].
const (
	DefaultGrace          = time.Minute
	DefaultFirstMove      = 30 * time.Second
	DefaultLaterMove      = 5 * time.Minute
	DefaultLinger         = 5 * time.Minute
	DefaultJournalTimeout = 10 * time.Second
	DefaultMaxMatches     = 8
	DefaultMaxSeats       = 200
)

// ComputerRetained is how long a match against the computer is kept while its player is away. Then the player has lost
// it: else the matches of players who never come back would stay for ever.
const ComputerRetained = 24 * time.Hour

const (
	joinTimeout = 2 * time.Second  // how long someone who was seated may take to come before it is told that they are missing
	closeDelay  = 10 * time.Second // how long the table of a match that is over stays without readers
	slowJournal = time.Second      // how long the journal may take before that time is not charged to a player
	backOff     = time.Second      // between two attempts of a table or the lobby at something that the journal refused
)

// Config is what a [Manager] needs. The zero value of every field stands for its default.
type Config struct {
	Journal        match.Journal  // a new [Memory]
	Registry       match.Registry // the Journal if it is one too, else a new [Memory]
	Grace          time.Duration  // [DefaultGrace]: how long a player may be away while it is their turn
	FirstMove      time.Duration  // [DefaultFirstMove]: how long a player from the queue may take for the first move
	LaterMove      time.Duration  // [DefaultLaterMove]: how long a player from the queue may take for each other move
	ComputerPause  time.Duration  // how long the computer thinks about a move; by default it answers at once
	Linger         time.Duration  // [DefaultLinger]: how long the table of a match that is over stays while someone is there
	JournalTimeout time.Duration  // [DefaultJournalTimeout]: how long the journal may take for one event
	Seed           uint64         // of IDs, codes, lots and computers: the same seed plays the same; drawn from the system by default
	MaxMatches     int            // [DefaultMaxMatches]: how many matches that are not over one player may have
	Log            *slog.Logger   // nothing is logged

	// Networks are those in which a player is, such as an address and the networks around it, the smallest first;
	// none if that is not known, as by default. Wrong codes, searches, begun matches and MaxSeats seats at matches
	// that are not over are limited for all players of the smallest, and for those of each larger one by four times
	// as many. It must not wait, nor call the manager, and the slice is not changed.
	Networks func(match.PlayerID) []string
	MaxSeats int // [DefaultMaxSeats]
	// MaxMatchRate is how many matches a minute all players of the smallest network may begin or enter, after five
	// times as many at once; each larger network has four times as many. Once half of these are begun, no player has
	// more than a small share of the rest, so that all others can begin matches too. Without a limit by default.
	MaxMatchRate int
	// OnLimit hears of each player whom one of these limits has kept from something, by [ErrTooMany], [ErrTooFast],
	// [ErrGuessing] or [ErrSearching], and of each wrong code, by [ErrNoSuchTable]. It must not wait, nor call the
	// manager.
	OnLimit func(match.PlayerID, error)

	// OnGuestResumed hears of each player who has gone on as the guest of a seat, by that guest's code: where the one
	// is, the other is. It must not wait, nor call the manager.
	OnGuestResumed func(p, guest match.PlayerID)

	// DisambiguateName returns p under a name that cannot be taken for that of the other, who sits opposite. It returns
	// the same for the same two on every node, and leaves a name alone that it has made. Logs have the plain names;
	// what is shown has these. By default all names stay.
	DisambiguateName func(p, other match.Player) match.Player

	node match.Node // names this run of the server; drawn from the system by default
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

// apply returns the match after e, as it is shown: once both players sit, their names are told apart.
func (c Config) apply(s match.State, e match.Event) (match.State, error) {
	next, err := s.Apply(e)
	if err != nil || s.Started() || !next.Started() {
		return next, err
	}
	one, other := next.SeatState(rules.First).Player, next.SeatState(rules.Second).Player
	return next.ShownAs(c.DisambiguateName(one, other).Name, c.DisambiguateName(other, one).Name), nil
}

// accountable returns the accounts that are charged for what p does: p's own, and those of p's networks.
func (c Config) accountable(p match.PlayerID) []limit.Account {
	all, times := []limit.Account{{Name: string(p), Times: 1}}, 1
	for _, network := range c.Networks(p) {
		all = append(all, limit.Account{Name: network, Times: times})
		times *= limit.NetworkFactor
	}
	return all
}
