package sshapp

import (
	"errors"
	"log/slog"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// reason is why a client was turned away or hung up on.
type reason string

// The reasons, as the log and its counters name them.
const (
	noProxyHeader   reason = "proxy"           // came from a proxy that did not say whom it brings
	crowdedOut      reason = "crowded-out"     // had no session when another came, and its address held the most such connections
	tooManyLogins   reason = "too-many-logins" // its address asked for more logins than it may for now
	loginFailed     reason = "login-failed"    // made no sense, offered nothing that is accepted, or took too long
	noSession       reason = "no-session"      // logged in and asked for nothing
	sessionRefused  reason = "session-refused" // one session too many of a connection, address or player, or the server is full
	gaveWay         reason = "gave-way"        // had no match, and another player wanted to come in
	channelRefused  reason = "channel-refused" // asked for something to be forwarded
	noFiles         reason = "no-files"        // wanted to send or to fetch files
	longCommand     reason = "long-command"
	tooManyRequests reason = "too-many-requests"
	tooManyRekeys   reason = "too-many-rekeys" // asked for new keys again and again
	unreadInput     reason = "unread-input"    // sent what nothing here reads
	keyFlood        reason = "key-flood"       // typed more, or other, than keys
	badLines        reason = "bad-lines"       // a bot that said nothing but nonsense
	wrongCode       reason = "wrong-code"      // tried a code that no table and no seat has
	gameLimit       reason = "game-limit"      // wanted one match too many, or tried too many codes
	idled           reason = "idle"            // said nothing for a long while
	tooSlow         reason = "too-slow"        // took nothing of what it was sent
	noAnswer        reason = "no-answer"       // did not answer whether it was still there
	leftOpen        reason = "left-open"       // kept a channel open whose session had ended
)

// The last words of a session whose connection is hung up on.
var (
	errNoSession       = errors.New("nothing was asked for in time; to play, log in again")
	errTooManyRequests = errors.New("the client sent far too many requests")
	errUnreadInput     = errors.New("the client sent far more than is read here")
	errNoAnswer        = errors.New("the client did not answer whether it is still there")
)

// sessionExitWait is how long there is time for them.
const sessionExitWait = 500 * time.Millisecond

// How many lines about one address, and about all, go to the log: a flood must not fill the disk.
const (
	linesBurst               = 10
	linesEvery               = 10 * time.Second
	allLinesBurst            = 100
	allLinesRate  rate.Limit = 5
)

// reportEvery is how often the counters go to the log, if they have changed.
const reportEvery = 5 * time.Minute

// rejections counts who was turned away, by reason, and writes a line about each, as far as that does not flood the
// log. Its methods may be called from any goroutine.
type rejections struct {
	log           *slog.Logger
	addressLimits *addressLimits

	mu       sync.Mutex
	lines    *rate.Limiter
	counts   map[reason]uint64
	unlogged uint64
	changed  bool
}

func newRejections(log *slog.Logger, sources *addressLimits) *rejections {
	return &rejections{log: log, addressLimits: sources, lines: rate.NewLimiter(allLinesRate, allLinesBurst), counts: map[reason]uint64{}}
}

// reject counts a refusal of someone from an address and has a line of the log say so; fields are what else there is to
// say.
func (r *rejections) reject(why reason, from netip.Prefix, fields ...any) {
	received := r.addressLimits.addressLimit(from).lines.Allow()
	r.mu.Lock()
	r.counts[why]++
	r.changed = true
	if received = received && r.lines.Allow(); !received {
		r.unlogged++
	}
	r.mu.Unlock()
	if received {
		r.log.Warn("turned away", append([]any{"reason", why, "from", from}, fields...)...)
	}
}

// report writes the counters to the log, if there is anything new to tell.
func (r *rejections) report() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.changed {
		return
	}
	r.changed = false
	fields := make([]any, 0, 2*len(reasons)+2)
	for _, why := range reasons {
		if n := r.counts[why]; n > 0 {
			fields = append(fields, string(why), n)
		}
	}
	r.log.Info("turned away since the start", append(fields, "without-a-line", r.unlogged)...)
}

// reportEvery reports from time to time until stop is called. No goroutine waits in between.
func (r *rejections) reportEvery(pause time.Duration) (stop func()) {
	var timer *time.Timer
	var mu sync.Mutex
	mu.Lock()
	defer mu.Unlock()
	timer = time.AfterFunc(pause, func() {
		r.report()
		mu.Lock()
		defer mu.Unlock()
		timer.Reset(pause)
	})
	return func() { timer.Stop() }
}

// count is how often a reason has been noted.
func (r *rejections) count(why reason) uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.counts[why]
}

// reasons are all of them, in the order in which a client meets them.
var reasons = [...]reason{
	noProxyHeader, crowdedOut, tooManyLogins, loginFailed, noSession, sessionRefused, gaveWay,
	channelRefused, noFiles, longCommand, tooManyRequests, tooManyRekeys, unreadInput,
	keyFlood, badLines, wrongCode, gameLimit, idled, tooSlow, noAnswer, leftOpen,
}
