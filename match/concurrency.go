package match

import (
	"context"
	"log/slog"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"
)

// RecoverPanic calls do and logs a panic of do. An unrecovered panic would end every match of the process.
func RecoverPanic(log *slog.Logger, what string, do func()) {
	defer func() {
		if fault := recover(); fault != nil {
			log.Error("panic contained", "event", "panic", "in", what, "panic", fault, "stack", string(debug.Stack()))
		}
	}()
	do()
}

// Sleep returns nil after d, or the error of ctx if ctx ends first.
func Sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Mailbox keeps only the newest values for a receiver. A sender therefore never waits for the receiver.
//
// A mailbox keeps one value, or two after a call of Notify. A receiver that waits for a bell takes a value later than
// one that waits for the channel, and the next value may come in between. Only one goroutine at a time may call Put
// and Close.
type Mailbox[T any] struct {
	values chan T
	bell   atomic.Pointer[func()]
}

// NewMailbox returns an empty mailbox.
func NewMailbox[T any]() *Mailbox[T] { return &Mailbox[T]{values: make(chan T, 2)} }

// Values returns the channel of the values. Close closes the channel.
func (m *Mailbox[T]) Values() <-chan T { return m.values }

// Put stores value. A full mailbox drops its oldest value first.
func (m *Mailbox[T]) Put(value T) {
	if m.bell.Load() == nil || len(m.values) == cap(m.values) {
		select {
		case <-m.values:
		default:
		}
	}
	m.values <- value // never blocks, because no other goroutine puts
	m.ring()
}

// Close closes the channel of the values. The last value can still be received.
func (m *Mailbox[T]) Close() {
	close(m.values)
	m.ring()
}

// Notify calls bell now and after every Put and Close. bell must not block. Several mailboxes may share a bell if one
// goroutine receives from all their channels.
func (m *Mailbox[T]) Notify(bell func()) {
	m.bell.Store(&bell)
	m.ring()
}

func (m *Mailbox[T]) ring() {
	if bell := m.bell.Load(); bell != nil {
		(*bell)()
	}
}

// Subscribers holds functions to call for each value. The zero value holds no function. The publisher's lock protects
// a Subscribers.
type Subscribers[T any] struct{ all map[*func(T)]struct{} }

// Add registers fn until stop is called. The caller of Add holds lock. stop acquires lock.
func (s *Subscribers[T]) Add(lock sync.Locker, fn func(T)) (stop func()) {
	if s.all == nil {
		s.all = make(map[*func(T)]struct{})
	}
	s.all[&fn] = struct{}{}
	return func() {
		lock.Lock()
		defer lock.Unlock()
		delete(s.all, &fn)
	}
}

// Notify calls every function with value, in no order. The caller holds the publisher's lock.
func (s *Subscribers[T]) Notify(value T) {
	for fn := range s.all {
		(*fn)(value)
	}
}
