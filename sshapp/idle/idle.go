// Package idle decides when to warn an idle client, and when to end the session. The front end reports activity, asks
// for the action that is due, and carries it out.
//
// A front end with a loop of its own keeps a [Rule] and waits until Next, for example the plain game, bots and the
// wait queue of a full server. The full screen and commands that read their input have a [Timer]. Only a Timer uses
// another goroutine, to call its function.
package idle

import (
	"errors"
	"sync"
	"time"
)

// ErrIdle ends an idle session.
var ErrIdle = errors.New("there was no input for a long while")

// warningShare divides the limit. The quotient is the time left at the warning.
const warningShare = 10

// Rule measures the idle time of one session. Only one goroutine may use a Rule. The zero value has no limit.
type Rule struct {
	limit  time.Duration
	last   time.Time
	warned bool
}

// NewRule returns a rule that starts now. Zero is no limit.
func NewRule(limit time.Duration) Rule { return Rule{limit: limit, last: time.Now()} }

// Activity starts the idle time again.
func (r *Rule) Activity() { r.last, r.warned = time.Now(), false }

// Warning returns the time from the warning to the end.
func (r *Rule) Warning() time.Duration { return r.limit / warningShare }

// Next returns the time when an action will be due without activity, zero for never.
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

// Action is the reaction to an idle client. Between two activities, Check returns Warn once at most.
type Action uint8

// The reactions to an idle client.
const (
	Nothing Action = iota
	Warn
	End
)

// Check returns the action that is due now. If waits is true, the player waits for an opponent's move and is not
// idle. After the move, the time left is at least that of a warning and at most the whole limit.
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

// Timer is a [Rule] with a timer. Timer is safe for concurrent use.
type Timer struct {
	mu    sync.Mutex
	rule  Rule
	timer *time.Timer
}

// NewTimer returns a timer that starts now. Zero is no limit. When an action may be due, the timer calls due on a
// goroutine of its own. due asks [Timer.Check] for the action.
func NewTimer(limit time.Duration, due func(*Timer)) *Timer {
	t := &Timer{rule: NewRule(limit)}
	t.mu.Lock() // due may be called at once
	defer t.mu.Unlock()
	if limit > 0 {
		t.timer = time.AfterFunc(time.Until(t.rule.Next()), func() { due(t) })
	}
	return t
}

// Activity starts the idle time again.
func (t *Timer) Activity() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.rule.Activity()
}

// Check returns the action that is due now, as [Rule.Check] does, and the time from the warning to the end.
func (t *Timer) Check(waits bool) (action Action, left time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if action = t.rule.Check(waits); action != End && t.timer != nil {
		t.timer.Reset(time.Until(t.rule.Next()))
	}
	return action, t.rule.Warning()
}

// Stop prevents further calls of due.
func (t *Timer) Stop() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.timer != nil {
		t.timer.Stop()
	}
}
