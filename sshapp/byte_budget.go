package sshapp

import (
	"sync"
	"time"
)

// While every session reads, a client may send inputAtOnce bytes at once, and inputPace bytes a second after that. A
// client that was held up for inputTimeout while no session read is disconnected.
const (
	inputAtOnce  = 64 << 10
	inputPace    = 64 << 10
	inputTimeout = 30 * time.Second
)

// byteBudget limits what the server reads from a connection ahead of its sessions. Each byte read costs one byte of the
// budget, which starts at inputAtOnce, grows by inputPace a second and never exceeds inputAtOnce. While it is negative,
// the connection is not read, so TCP slows the client down. While a session leaves input unread (hold), only bytes that
// sessions read (give) add to the budget, so about inputAtOnce bytes at most wait in memory. Its methods may be called
// from any goroutine.
type byteBudget struct {
	now func() time.Time

	mu         sync.Mutex
	remaining  float64 // bytes; negative after a read of more
	at         time.Time
	waited     time.Duration // for which the client was held up since a session last read
	notReading int           // sessions that do not read; while there are any, remaining does not grow with time
	refill     chan struct{} // has a value after give or release: the client may send more
}

func newByteBudget() *byteBudget {
	return &byteBudget{now: time.Now, remaining: inputAtOnce, at: time.Now(), refill: make(chan struct{}, 1)}
}

func (b *byteBudget) take(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.grow()
	b.remaining -= float64(n)
}

// give adds n bytes that a session has read.
func (b *byteBudget) give(n int) {
	b.mu.Lock()
	b.remaining = min(inputAtOnce, b.remaining+float64(n))
	b.waited = 0
	b.mu.Unlock()
	b.wake()
}

// hold says that a session does not read, so the budget does not grow with time until release is called.
func (b *byteBudget) hold() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.grow()
	b.notReading++
}

// release ends one hold.
func (b *byteBudget) release() {
	b.mu.Lock()
	b.grow()
	b.notReading--
	b.mu.Unlock()
	b.wake()
}

// wake makes wait check the budget again.
func (b *byteBudget) wake() {
	select {
	case b.refill <- struct{}{}:
	default:
	}
}

// wait waits until the budget allows a read, or gone is closed. It returns false if the client has been held up for
// inputTimeout.
func (b *byteBudget) wait(gone <-chan struct{}) bool {
	for {
		pause, ok := b.pause()
		if pause <= 0 || !ok {
			return ok
		}
		began, timer := b.now(), time.NewTimer(pause)
		select {
		case <-timer.C:
		case <-b.refill:
		case <-gone:
			timer.Stop()
			return true // the read fails
		}
		timer.Stop()
		b.mu.Lock()
		b.waited += b.now().Sub(began)
		b.mu.Unlock()
	}
}

// pause returns the time until the budget is no longer negative, and whether the client has been held up for less than
// inputTimeout.
func (b *byteBudget) pause() (time.Duration, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.grow()
	if b.remaining < 0 && b.notReading > 0 {
		return inputTimeout - b.waited, b.waited < inputTimeout
	}
	return time.Duration(-b.remaining / inputPace * float64(time.Second)), b.waited < inputTimeout
}

func (b *byteBudget) grow() {
	now := b.now()
	if b.notReading == 0 {
		b.remaining = min(inputAtOnce, b.remaining+now.Sub(b.at).Seconds()*inputPace)
	}
	b.at = now
}
