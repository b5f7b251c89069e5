package idle

import (
	"sync"
	"time"
)

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
