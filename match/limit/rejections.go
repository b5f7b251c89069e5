package limit

import (
	"log/slog"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"notakto/match/stats"
)

// Reason says why a client was refused or disconnected. The log and the metrics show it.
type Reason string

// The reasons for a rejection, as the log and the metrics name them.
const (
	NoProxyHeader   Reason = "proxy"           // a proxy did not name its client
	CrowdedOut      Reason = "crowded-out"     // a connection without a session gave way to a newcomer
	TooManyLogins   Reason = "too-many-logins" // from one address
	LoginFailed     Reason = "login-failed"    // invalid, without an acceptable method, or too slow
	Banned          Reason = "banned"          // the address, the key or the account
	NotAllowed      Reason = "not-allowed"     // the key, on a server that admits listed keys only
	NoSession       Reason = "no-session"      // logged in but requested no session
	SessionRefused  Reason = "session-refused" // over the limit of a connection, address, player or server
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
	GameLimit       Reason = "game-limit"      // started too many matches, or tried too many codes or lookups
	Idled           Reason = "idle"            // sent no input for too long
	TooSlow         Reason = "too-slow"        // did not read the server's output
	NoAnswer        Reason = "no-answer"       // did not answer a question of the server
	LeftOpen        Reason = "left-open"       // did not close the channel of an ended session
)

// Limits on the log lines about one address, and about all addresses. A flood must not fill the disk.
const (
	linesBurst               = 10
	linesEvery               = 10 * time.Second
	allLinesBurst            = 100
	allLinesRate  rate.Limit = 5
)

const reportEvery = 5 * time.Minute

// Rejections counts refused and disconnected clients by reason, and logs each within limits. Rejections is safe for
// concurrent use.
type Rejections struct {
	Counts stats.Counts[Reason]

	log          *slog.Logger
	addressLines *Buckets
	allLines     *rate.Limiter

	mu       sync.Mutex
	unlogged uint64
	changed  bool // set by Reject, cleared by Report
}

// NewRejections returns counters that write to log.
func NewRejections(log *slog.Logger) *Rejections {
	return &Rejections{
		log: log, addressLines: NewBuckets(linesBurst, linesEvery), allLines: rate.NewLimiter(allLinesRate, allLinesBurst),
	}
}

// Reject counts a rejected client and logs it with fields. conn is the number of the connection, or 0. from is invalid
// for the control socket.
func (r *Rejections) Reject(why Reason, from netip.Prefix, conn uint64, fields ...any) {
	now := time.Now()
	isLogged := r.addressLines.Allow(now, Payer{from.String(), 1}) && r.allLines.AllowN(now, 1)
	r.mu.Lock()
	r.Counts.Add(why, 1)
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
	if from.IsValid() {
		fields = append([]any{"from", from}, fields...)
	}
	r.log.Info("turned away", append([]any{"event", "turned-away", "reason", why}, fields...)...)
}

// Report logs the counters if a client was rejected since the last report.
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

// StartReports calls Report every reportEvery. stop calls Report once more and ends the reports.
func (r *Rejections) StartReports() (stop func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	stopped := false
	var timer *time.Timer
	timer = time.AfterFunc(reportEvery, func() {
		r.Report()
		r.mu.Lock()
		defer r.mu.Unlock()
		if !stopped {
			timer.Reset(reportEvery)
		}
	})
	return func() {
		r.mu.Lock()
		stopped = true
		timer.Stop()
		r.mu.Unlock()
		r.Report()
	}
}

// Reasons returns all reasons, roughly in the order of a client's way through the server. The caller must not change
// the slice.
func Reasons() []Reason { return reasons[:] }

var reasons = [...]Reason{
	NoProxyHeader, CrowdedOut, TooManyLogins, LoginFailed, Banned, NotAllowed, NoSession,
	SessionRefused, GaveWay,
	ChannelRefused, NoFiles, LongCommand, TooManyRequests, TooManyRekeys, UnreadInput,
	KeyFlood, BadLines, WrongCode, GameLimit, Idled, TooSlow, NoAnswer, LeftOpen,
}
