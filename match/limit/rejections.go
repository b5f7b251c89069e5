package limit

import (
	"log/slog"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"notakto/match/stats"
)

// Reason says why a client was refused or disconnected.
type Reason string

// The reasons under their names in the log and in metrics.
const (
	NoProxyHeader Reason = "proxy" // a proxy did not name its client
	// CrowdedOut is a connection without a session that gave way to a newcomer from another network.
	CrowdedOut    Reason = "crowded-out"
	TooManyLogins Reason = "too-many-logins" // from its address
	LoginFailed   Reason = "login-failed"    // the login was invalid, had no acceptable method, or took too long
	Banned        Reason = "banned"          // the address, the key or the account
	NotAllowed    Reason = "not-allowed"     // the key, on a server that admits listed keys only
	NoSession     Reason = "no-session"      // the client logged in but requested no session
	// SessionRefused is a session beyond the limit of a connection, an address, a player or the server.
	SessionRefused  Reason = "session-refused"
	GaveWay         Reason = "gave-way"        // had no match when another player needed the place
	ChannelRefused  Reason = "channel-refused" // asked for forwarding
	NoFiles         Reason = "no-files"        // asked to send or fetch files
	LongCommand     Reason = "long-command"
	TooManyRequests Reason = "too-many-requests"
	TooManyRekeys   Reason = "too-many-rekeys" // exchanged keys too often
	UnreadInput     Reason = "unread-input"    // sent data that no program reads
	KeyFlood        Reason = "key-flood"       // sent more than a person types
	BadLines        Reason = "bad-lines"       // a bot sent only invalid lines
	WrongCode       Reason = "wrong-code"      // tried a code of no table or seat
	GameLimit       Reason = "game-limit"      // started or tried too much: matches, codes or lookups
	Idled           Reason = "idle"            // sent nothing for too long
	TooSlow         Reason = "too-slow"        // did not read what it was sent
	NoAnswer        Reason = "no-answer"       // to a keep-alive question
	LeftOpen        Reason = "left-open"       // the channel of an ended session
)

// Limits on the log lines about one address, and about all addresses. A flood must not fill the disk.
const (
	linesBurst               = 10
	linesEvery               = 10 * time.Second
	allLinesBurst            = 100
	allLinesRate  rate.Limit = 5
)

// reportEvery is the time between two reports of the counters.
const reportEvery = 5 * time.Minute

// Rejections counts refused and disconnected clients by reason, and logs each within limits. It is safe for concurrent
// use.
type Rejections struct {
	Counts stats.Counts[Reason]

	log       *slog.Logger
	byAddress *Buckets      // limits the log lines about each address
	lines     *rate.Limiter // limits the log lines about all addresses

	mu       sync.Mutex
	unlogged uint64
	changed  bool
	reports  *time.Timer
}

// NewRejections returns counters that log to log.
func NewRejections(log *slog.Logger) *Rejections {
	return &Rejections{
		log: log, byAddress: NewBuckets(linesBurst, linesEvery), lines: rate.NewLimiter(allLinesRate, allLinesBurst),
	}
}

// Reject counts a client from an address and logs it with fields. conn is the number of the connection, or 0 for none.
func (r *Rejections) Reject(why Reason, from netip.Prefix, conn uint64, fields ...any) {
	r.Counts.Add(why, 1)
	now := time.Now()
	isLogged := r.byAddress.Allow(now, Account{from.String(), 1}) && r.lines.AllowN(now, 1)
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
	if from.IsValid() { // not a client of the control socket
		fields = append([]any{"from", from}, fields...)
	}
	r.log.Info("turned away", append([]any{"event", "turned-away", "reason", why}, fields...)...)
}

// Report logs the counters if one has changed since the last report.
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

// StartReports calls Report every reportEvery, and once more when stop is called. It uses a timer and no
// goroutine.
func (r *Rejections) StartReports() (stop func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reports = time.AfterFunc(reportEvery, func() {
		r.Report()
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.reports != nil {
			r.reports.Reset(reportEvery)
		}
	})
	return func() {
		r.mu.Lock()
		r.reports.Stop()
		r.reports = nil
		r.mu.Unlock()
		r.Report()
	}
}

// Reasons returns all reasons in the order in which a client meets them. The caller must not change the slice.
func Reasons() []Reason { return reasons[:] }

var reasons = [...]Reason{
	NoProxyHeader, CrowdedOut, TooManyLogins, LoginFailed, Banned, NotAllowed, NoSession,
	SessionRefused, GaveWay,
	ChannelRefused, NoFiles, LongCommand, TooManyRequests, TooManyRekeys, UnreadInput,
	KeyFlood, BadLines, WrongCode, GameLimit, Idled, TooSlow, NoAnswer, LeftOpen,
}
