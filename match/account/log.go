package account

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"sync"
	"time"

	"notakto/match"
)

// Log stores the events of all accounts in one order, the same on all nodes. Its methods are safe for concurrent use
// and return soon after ctx ends.
type Log interface {
	// Append records an event whose sequence is one more than that of the last, and returns it with its time. By then it
	// has been delivered to Subscribe. [match.ErrConflict] says that another event came first, which has been delivered
	// by then, and that nothing was recorded. After any other error, such as [match.ErrUnavailable], the outcome is
	// unknown.
	Append(ctx context.Context, e Event) (Event, error)
	// Subscribe calls fn once for every event in order: recorded ones before Subscribe returns; later ones, from any
	// node, until stop is called. Calls are serialised. fn must not block or call the log.
	Subscribe(fn func(Event)) (stop func())
}

// Memory is a [Log] that lasts as long as the process. Its zero value is empty.
type Memory struct {
	mu          sync.Mutex
	events      []Event
	subscribers map[*func(Event)]struct{}
}

// Append implements [Log].
func (m *Memory) Append(ctx context.Context, e Event) (Event, error) {
	if err := ctx.Err(); err != nil {
		return Event{}, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if e.Seq != uint64(len(m.events))+1 {
		return Event{}, Conflict(e.Seq)
	}
	e.At = time.Now()
	m.events = append(m.events, e)
	for fn := range m.subscribers {
		(*fn)(e)
	}
	return e, nil
}

// Subscribe implements [Log].
func (m *Memory) Subscribe(fn func(Event)) (stop func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, e := range m.events {
		fn(e)
	}
	if m.subscribers == nil {
		m.subscribers = make(map[*func(Event)]struct{})
	}
	m.subscribers[&fn] = struct{}{}
	return func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		delete(m.subscribers, &fn)
	}
}

// Conflict returns the error of an event that has no place at its sequence.
func Conflict(seq uint64) error {
	return fmt.Errorf("%w: the accounts have no place for event %d", match.ErrConflict, seq)
}

// secretSize is the length of a new secret, in bytes.
const secretSize = 32

// Open returns the directory of a log, which follows the log until stop is called. If the log is empty it records the
// secret; nil for a new one. now is the time of the node's clock.
func Open(ctx context.Context, log Log, secret []byte, now func() time.Time) (d *Directory, stop func(), err error) {
	d = newDirectory(now)
	stop = log.Subscribe(d.apply)
	if secret == nil {
		secret = make([]byte, secretSize)
		_, _ = rand.Read(secret) // never fails
	}
	for d.Secret() == nil {
		_, err := log.Append(ctx, Event{Seq: 1, Kind: SecretMade, Secret: secret})
		switch {
		case err == nil || d.Secret() != nil: // another node may have drawn it
		case ctx.Err() == nil && errors.Is(err, match.ErrUnavailable):
			wait(ctx, retryDelay)
		default:
			stop()
			return nil, nil, fmt.Errorf("draw the secret of the accounts: %w", err)
		}
	}
	return d, stop, nil
}

const retryDelay = 100 * time.Millisecond

func wait(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// eventsOf returns the events about an account, and the bans on it and its keys, without who has made them.
func eventsOf(log Log, of Info) (all []Event) {
	log.Subscribe(func(e Event) {
		if e.Ban != nil && (e.Ban.Account == of.ID || of.hasKey(e.Ban.Key)) {
			ban := *e.Ban
			ban.By, e.Ban = "", &ban
		} else if e.Account != of.ID {
			return
		}
		all = append(all, e)
	})()
	return all
}
