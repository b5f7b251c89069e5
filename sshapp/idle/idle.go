// Package idle decides when an idle client is warned, and when its session ends. The front end reports activity, asks
// which action is due, and carries the action out.
//
// A front end with a loop of its own, such as the plain game, bots and the line of a full server, keeps a [Rule] and
// waits until Next. The full screen and commands that read their input have a [Timer], which calls a function on a
// goroutine of its own.
package idle

import (
	"errors"
	"sync"
	"time"
)

// ErrIdle ends an idle session.
var ErrIdle = errors.New("nothing was said for a long while")

// warnings is the share of the limit that is left at the warning: a tenth.
const warnings = 10

// Rule counts the idle time of one session, for one goroutine. The zero value has no limit.
type Rule struct {
	limit  time.Duration
	last   time.Time
	warned bool
}

// NewRule returns a rule that begins to count now. A limit of zero means none.
func NewRule(limit time.Duration) Rule { return Rule{limit: limit, last: time.Now()} }

// Activity begins to count again.
func (r *Rule) Activity() { r.last, r.warned = time.Now(), false }

// Warning returns the time from the warning to the end.
func (r *Rule) Warning() time.Duration { return r.limit / warnings }

// Next returns when an action will be due without activity, zero for never.
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

// Action is the next step towards an idle client.
type Action uint8

// The actions. Between two activities, Check returns Warn once at most.
const (
	Nothing Action = iota
	Warn
	End
)

// Check returns the action that is due now. waits says that the player waits for an opponent's move, and so is not
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

// Timer is a [Rule] with a timer. Its methods may be called from any goroutine.
type Timer struct {
	mu    sync.Mutex
	rule  Rule
	timer *time.Timer
}

// NewTimer returns a timer that begins to count now. A limit of zero means none. When an action may be due, the timer
// calls due on a goroutine of its own. due asks [Timer.Check] for the action.
func NewTimer(limit time.Duration, due func(*Timer)) *Timer {
	t := &Timer{rule: NewRule(limit)}
	t.mu.Lock() // due may be called at once
	defer t.mu.Unlock()
	if limit > 0 {
		t.timer = time.AfterFunc(time.Until(t.rule.Next()), func() { due(t) })
	}
	return t
}

// Activity begins to count again.
func (t *Timer) Activity() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.rule.Activity()
}

// Check returns what is due now, as [Rule.Check] does, and the time from the warning to the end.
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
