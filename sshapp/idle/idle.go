// Package idle decides when an idle client is warned, and when its session ends. It knows no front end: the front end
// reports activity, asks what is due, and does it.
//
// A front end with a loop of its own, as the plain game and bots have, keeps a [Rule] and waits until Next. The others,
// the full screen and commands that read their input, have a [Timer], whose function runs on the timer's goroutine.
package idle

import (
	"errors"
	"sync"
	"time"
)

// ErrIdle is why an idle session ends.
var ErrIdle = errors.New("nothing was said for a long while")

// warnings is how much of the limit is left at the warning: a tenth.
const warnings = 10

// Rule is that of one session, for one goroutine. The zero value lets it be silent for ever.
type Rule struct {
	limit  time.Duration
	last   time.Time
	warned bool
}

// NewRule begins to count now; a limit of zero is for ever.
func NewRule(limit time.Duration) Rule { return Rule{limit: limit, last: time.Now()} }

// Activity says that something was said.
func (r *Rule) Activity() { r.last, r.warned = time.Now(), false }

// Warning is the time from the warning to the end.
func (r *Rule) Warning() time.Duration { return r.limit / warnings }

// Next is when something will be due if nothing is said until then; zero for never.
func (r *Rule) Next() time.Time {
	switch {
	case r.limit == 0:
		return time.Time{}
	case r.warned:
		return r.last.Add(r.limit)
	default:
		return r.last.Add(r.limit - r.Warning())
	}
}

// Action is what is to be done about a session.
type Action uint8

// Each of them is returned once.
const (
	Nothing Action = iota
	Warn
	End
)

// Check is what is to be done now. A player who waits for an opponent's move is not idle, and has the whole time, or at
// least a warning, once that is made.
func (r *Rule) Check(waits bool) Action {
	switch {
	case r.limit == 0 || time.Now().Before(r.Next()):
		return Nothing
	case waits:
		r.Activity()
		return Nothing
	case r.warned:
		return End
	default:
		r.warned = true
		return Warn
	}
}

// Timer is a [Rule] that speaks up by itself, for those who do not wait for its time anyway. Its methods may be called
// from any goroutine.
type Timer struct {
	mu    sync.Mutex
	rule  Rule
	timer *time.Timer
}

// NewTimer begins to count now; a limit of zero is for ever. When something may be due it calls due, in a goroutine of
// its own, which is to ask [Timer.Check] what it is.
func NewTimer(limit time.Duration, due func(*Timer)) *Timer {
	t := &Timer{rule: NewRule(limit)}
	t.mu.Lock() // due may be called at once
	defer t.mu.Unlock()
	if limit > 0 {
		t.timer = time.AfterFunc(time.Until(t.rule.Next()), func() { due(t) })
	}
	return t
}

// Activity says that something was said.
func (t *Timer) Activity() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.rule.Activity()
}

// Check is what is to be done now, as of [Rule.Check], and how long is left until the end.
func (t *Timer) Check(waits bool) (action Action, left time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if action = t.rule.Check(waits); action != End && t.timer != nil {
		t.timer.Reset(time.Until(t.rule.Next()))
	}
	return action, t.rule.Warning()
}

// Stop has the timer call nothing from now on.
func (t *Timer) Stop() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.timer != nil {
		t.timer.Stop()
	}
}
