package limit

import (
	"log/slog"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"notakto/match/stats"
)

// Reason is why a client was turned away or hung up on.
type Reason string

// The reasons, as the log and its counters name them.
const (
	NoProxyHeader Reason = "proxy" // came from a proxy that did not name its client
	// had no session when another came, and its address held the most such connections
	CrowdedOut    Reason = "crowded-out"
	TooManyLogins Reason = "too-many-logins" // its address asked for more logins than it may for now
	LoginFailed   Reason = "login-failed"    // made no sense, offered nothing that is accepted, or took too long
	Banned        Reason = "banned"          // an administrator has banned the address, the key or the account
	NotAllowed    Reason = "not-allowed"     // only some keys may play, and its key is none of them
	NoSession     Reason = "no-session"      // logged in and asked for nothing
	// one session too many of a connection, address or player, or the server is full
	SessionRefused  Reason = "session-refused"
	GaveWay         Reason = "gave-way"        // had no match, and another player wanted to come in
	ChannelRefused  Reason = "channel-refused" // asked for something to be forwarded
	NoFiles         Reason = "no-files"        // wanted to send or to fetch files
	LongCommand     Reason = "long-command"
	TooManyRequests Reason = "too-many-requests"
	TooManyRekeys   Reason = "too-many-rekeys" // asked for new keys again and again
	UnreadInput     Reason = "unread-input"    // sent what nothing here reads
	KeyFlood        Reason = "key-flood"       // typed more, or other, than keys
	BadLines        Reason = "bad-lines"       // a bot that said nothing but nonsense
	WrongCode       Reason = "wrong-code"      // tried a code that no table and no seat has
	GameLimit       Reason = "game-limit"      // wanted one match too many, or tried too many codes
	Idled           Reason = "idle"            // said nothing for a long while
	TooSlow         Reason = "too-slow"        // took nothing of what it was sent
	NoAnswer        Reason = "no-answer"       // did not answer whether it was still there
	LeftOpen        Reason = "left-open"       // kept a channel open whose session had ended
)

// How many lines about one address, and about all, go to the log: a flood must not fill the disk.
const (
	linesBurst               = 10
	linesEvery               = 10 * time.Second
	allLinesBurst            = 100
	allLinesRate  rate.Limit = 5
)

// reportEvery is how often the counters go to the log, if they have changed.
const reportEvery = 5 * time.Minute

// Rejections counts who was turned away, by reason, and writes a line about each, as far as that does not flood the
// log. Its methods may be called from any goroutine.
type Rejections struct {
	Counts stats.Counts[Reason]

	log     *slog.Logger
	byPlace *Buckets      // lines about each address
	lines   *rate.Limiter // about all

	mu       sync.Mutex
	unlogged uint64
	changed  bool
	reports  *time.Timer
}

// NewRejections returns counters of which each is 0.
func NewRejections(log *slog.Logger) *Rejections {
	return &Rejections{
		log: log, byPlace: NewBuckets(linesBurst, linesEvery), lines: rate.NewLimiter(allLinesRate, allLinesBurst),
	}
}

// Reject counts a refusal of someone from an address and has a line of the log say so; conn is the number of the
// connection, 0 for none, and fields are what else there is to say.
func (r *Rejections) Reject(why Reason, from netip.Prefix, conn uint64, fields ...any) {
	r.Counts.Add(why, 1)
	now := time.Now()
	isLogged := r.byPlace.Allow(now, Account{from.String(), 1}) && r.lines.AllowN(now, 1)
	r.mu.Lock()
	r.changed = true
	if !isLogged {
		r.unlogged++
	}
	r.mu.Unlock()
	if !isLogged {
		return
	}
	if conn != 0 {
		fields = append([]any{"conn", conn}, fields...)
	}
	if from.IsValid() { // not by the control socket
		fields = append([]any{"from", from}, fields...)
	}
	r.log.Info("turned away", append([]any{"event", "turned-away", "reason", why}, fields...)...)
}

// Report writes the counters to the log, if there is anything new to tell.
func (r *Rejections) Report() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.changed {
		return
	}
	r.changed = false
	fields := make([]any, 0, 2*len(reasons)+2)
	for _, why := range reasons {
		if n := r.Counts.Get(why); n > 0 {
			fields = append(fields, string(why), n)
		}
	}
	r.log.Info("turned away since the start", append(fields,
		"event", "turned-away-total", "without-a-line", r.unlogged)...)
}

// StartReports reports every five minutes, and once more when stop is called. No goroutine waits meanwhile.
func (r *Rejections) StartReports() (stop func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reports = time.AfterFunc(reportEvery, func() {
		r.Report()
		r.mu.Lock()
		defer r.mu.Unlock()
		r.reports.Reset(reportEvery)
	})
	return func() {
		r.reports.Stop()
		r.Report()
	}
}

// Reasons returns all reasons, in the order in which a client meets them.
func Reasons() []Reason { return reasons[:] }

// reasons are all of them, in the order in which a client meets them.
var reasons = [...]Reason{
	NoProxyHeader, CrowdedOut, TooManyLogins, LoginFailed, Banned, NotAllowed, NoSession,
	SessionRefused, GaveWay,
	ChannelRefused, NoFiles, LongCommand, TooManyRequests, TooManyRekeys, UnreadInput,
	KeyFlood, BadLines, WrongCode, GameLimit, Idled, TooSlow, NoAnswer, LeftOpen,
}
