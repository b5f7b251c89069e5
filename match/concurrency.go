package match

import (
	"log/slog"
	"runtime/debug"
	"sync"
)

// RecoverPanic calls do, and recovers and logs a panic, so that it does not end the process with every other match.
func RecoverPanic(log *slog.Logger, what string, do func()) {
	defer func() {
		if fault := recover(); fault != nil {
			log.Error("panic contained", "event", "panic", "in", what, "panic", fault, "stack", string(debug.Stack()))
		}
	}()
	do()
}

// Mailbox is a channel that holds the newest value only, so that a sender never waits for the receiver. Only one
// goroutine at a time may put and close.
type Mailbox[T any] chan T

// NewMailbox returns an empty mailbox.
func NewMailbox[T any]() Mailbox[T] { return make(Mailbox[T], 1) }

// Put stores a value; it replaces one that was not received.
func (m Mailbox[T]) Put(value T) {
	select {
	case <-m:
	default:
	}
	m <- value // never blocks: no other goroutine puts
}

// subscribers are functions to be called for each value, with the publisher's lock held. The zero value has none.
type subscribers[T any] struct{ all map[*func(T)]struct{} }

// add registers fn until stop is called. The caller of add holds lock; stop acquires it.
func (l *subscribers[T]) add(lock sync.Locker, fn func(T)) (stop func()) {
	if l.all == nil {
		l.all = make(map[*func(T)]struct{})
	}
	l.all[&fn] = struct{}{}
	return func() {
		lock.Lock()
		defer lock.Unlock()
		delete(l.all, &fn)
	}
}

func (l *subscribers[T]) notify(news T) {
	for fn := range l.all {
		(*fn)(news)
	}
}
