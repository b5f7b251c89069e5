package sshapp

import (
	"sync"
	"time"
)

// What a client may send at once, and how many bytes a second after that, as long as every session reads; and for how
// long it may be held up without that a session reads, before it is hung up on.
const (
	inputAtOnce  = 64 << 10
	inputPace    = 64 << 10
	inputTimeout = 30 * time.Second
)

// byteBudget bounds what a connection keeps of its client's bytes, whatever they are: input of a session that does not
// read, requests, packets that mean nothing. A client that has used it up is not read from until there is some again,
// so that its own network holds it up. As long as something has come that its session does not read at once, only what
// is read brings more, and no more than it has cost: so all that waits was part of inputAtOnce. It may be used by
// several goroutines.
type byteBudget struct {
	now func() time.Time

	mu        sync.Mutex
	remaining float64 // bytes; less than none after a read that was larger
	at        time.Time
	held      time.Duration // how long the client was held up since a session has read
	unread    int           // sessions that do not read just now; while there are any, time brings nothing
	refill    chan struct{} // has a value when more may come than before
}

func newByteBudget() *byteBudget {
	return &byteBudget{now: time.Now, remaining: inputAtOnce, at: time.Now(), refill: make(chan struct{}, 1)}
}

// take counts n bytes that have come.
func (a *byteBudget) take(n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.grow()
	a.remaining -= float64(n)
}

// give counts n bytes that a session has read.
func (a *byteBudget) give(n int) {
	a.mu.Lock()
	a.remaining = min(inputAtOnce, a.remaining+float64(n))
	a.held = 0
	a.mu.Unlock()
	a.wake()
}

// hold has time bring no more bytes until release is called: a session does not read.
func (a *byteBudget) hold() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.grow()
	a.unread++
}

// release ends what one hold has begun.
func (a *byteBudget) release() {
	a.mu.Lock()
	a.grow()
	a.unread--
	a.mu.Unlock()
	a.wake()
}

// wake has the waiting goroutine look again.
func (a *byteBudget) wake() {
	select {
	case a.refill <- struct{}{}:
	default:
	}
}

// wait waits until more may come, or gone is closed. It is false when the client has been held up for too long.
func (a *byteBudget) wait(gone <-chan struct{}) bool {
	for {
		pause, ok := a.pause()
		if pause <= 0 || !ok {
			return ok
		}
		began, timer := a.now(), time.NewTimer(pause)
		select {
		case <-timer.C:
		case <-a.refill:
		case <-gone:
			timer.Stop()
			return true // the read says so
		}
		timer.Stop()
		a.mu.Lock()
		a.held += a.now().Sub(began)
		a.mu.Unlock()
	}
}

// pause is how long it takes until there is something left, and whether the client has not been held up for too long.
func (a *byteBudget) pause() (time.Duration, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.grow()
	if a.remaining < 0 && a.unread > 0 {
		return inputTimeout - a.held, a.held < inputTimeout
	}
	return time.Duration(-a.remaining / inputPace * float64(time.Second)), a.held < inputTimeout
}

func (a *byteBudget) grow() {
	now := a.now()
	if a.unread == 0 {
		a.remaining = min(inputAtOnce, a.remaining+now.Sub(a.at).Seconds()*inputPace)
	}
	a.at = now
}
