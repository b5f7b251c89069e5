package sshapp

import (
	"sync"
	"time"
)

// While every session reads, a client may send inputAtOnce bytes at once, and inputPace bytes a second after that. A
// client is disconnected after the server has held it up for inputTimeout without a read by a session.
const (
	inputAtOnce  = 64 << 10
	inputPace    = 64 << 10
	inputTimeout = 30 * time.Second
)

// byteBudget limits the bytes that the server reads from a connection ahead of its sessions. A byte read costs one
// byte of the budget. The budget starts at inputAtOnce, grows by inputPace a second and never exceeds inputAtOnce.
// While the budget is negative, the connection is not read, and TCP slows the client down.
//
// While a session leaves input unread (hold), the budget grows only by bytes that sessions read (give). About
// inputAtOnce bytes at most wait in memory. Any goroutine may call the methods.
type byteBudget struct {
	now func() time.Time

	mu         sync.Mutex
	remaining  float64 // bytes, negative after a read of more
	grownAt    time.Time
	waited     time.Duration // time that the client was held up since a session last read
	notReading int
	refill     chan struct{}
}

func newByteBudget() *byteBudget {
	return &byteBudget{now: time.Now, remaining: inputAtOnce, grownAt: time.Now(), refill: make(chan struct{}, 1)}
}

func (b *byteBudget) take(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.grow()
	b.remaining -= float64(n)
}

func (b *byteBudget) give(n int) {
	b.mu.Lock()
	b.remaining = min(inputAtOnce, b.remaining+float64(n))
	b.waited = 0
	b.mu.Unlock()
	b.wake()
}

// hold marks one session as not reading. Until release is called, the budget does not grow with time.
func (b *byteBudget) hold() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.grow()
	b.notReading++
}

func (b *byteBudget) release() {
	b.mu.Lock()
	b.grow()
	b.notReading--
	b.mu.Unlock()
	b.wake()
}

func (b *byteBudget) wake() {
	select {
	case b.refill <- struct{}{}:
	default:
	}
}

// wait waits until the budget allows a read, or closed is closed. The result is false if the client has been held up
// for inputTimeout.
func (b *byteBudget) wait(closed <-chan struct{}) bool {
	for {
		pause, ok := b.pause()
		if pause <= 0 || !ok {
			return ok
		}
		began, timer := b.now(), time.NewTimer(pause)
		select {
		case <-timer.C:
		case <-b.refill:
		case <-closed:
			timer.Stop()
			return true // the read fails
		}
		timer.Stop()
		b.mu.Lock()
		b.waited += b.now().Sub(began)
		b.mu.Unlock()
	}
}

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
		b.remaining = min(inputAtOnce, b.remaining+now.Sub(b.grownAt).Seconds()*inputPace)
	}
	b.grownAt = now
}
