package account

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"notakto/match"
)

// Kind is the type of an [Event]. Its text is recorded.
type Kind string

// The kinds of event, with the fields that each uses besides Seq and At.
const (
	SecretMade     Kind = "secret"      // the first event of every log: Secret
	NameClaimed    Kind = "name"        // Account, Key, Name, Looks
	CodeMade       Kind = "code"        // a code to link another key was made: Account, Key, Code
	KeyLinked      Kind = "link"        // another key was linked by a code: Account, Key (the new one)
	KeyRemoved     Kind = "unlink"      // Account, Key (the removed one)
	PreferencesSet Kind = "preferences" // Account, Key, Preferences
	DeletionAsked  Kind = "delete"      // Account, Instead, Key (none for an erasure, which takes effect at once)
	DeletionUndone Kind = "undo"        // Account, Key
	Banned         Kind = "ban"         // an administrator has banned someone: Ban, Kick
	BanLifted      Kind = "unban"       // Ban, of which only Subject and By are set

	// Unreadable stands for an entry that a newer version of the program wrote, or that is damaged. No event may follow
	// it: see [Directory.Writable].
	Unreadable Kind = ""
)

// Event is one entry of the log. Events are values and do not change once recorded.
type Event struct {
	Seq         uint64         `json:"-"` // 1 for the first event, then without gaps
	At          time.Time      `json:"-"` // set by the log
	Kind        Kind           `json:"kind"`
	Account     match.PlayerID `json:"account,omitempty"`
	Key         KeyID          `json:"key,omitempty"`
	Secret      []byte         `json:"secret,omitempty"`
	Name        string         `json:"name,omitempty"`
	Looks       []string       `json:"looks,omitempty"` // two names that share a look are confusable
	Code        string         `json:"code,omitempty"`  // a hash
	Preferences Preferences    `json:"preferences,omitzero"`
	Instead     match.PlayerID `json:"instead,omitempty"` // shown in old matches once the account is deleted
	Ban         *Ban           `json:"ban,omitempty"`     // not to be modified
	Kick        bool           `json:"kick,omitempty"`    // end the sessions that the ban keeps out
}

// Preferences are a player's settings of the full screen. A zero field stands for the default.
type Preferences struct {
	Theme  string `json:"theme,omitempty"`
	Digits string `json:"digits,omitempty"`
	Mouse  string `json:"mouse,omitempty"`
	Bell   string `json:"bell,omitempty"`
	Motion string `json:"motion,omitempty"`
}

// version is the newest version of entries that this program reads.
const version = 1

type entry struct {
	Version int `json:"v"`
	Event
}

// Encode returns an event as an entry of the log, without Seq and At.
func Encode(e Event) ([]byte, error) { return json.Marshal(entry{version, e}) }

// Decode returns the event of an entry. [match.ErrNewer] if a newer version wrote it, [match.ErrDamaged].
func Decode(body []byte) (Event, error) {
	var e entry
	if err := json.Unmarshal(body, &e); err != nil {
		return Event{}, fmt.Errorf("%w: %w", match.ErrDamaged, err)
	}
	if e.Version > version || !e.Kind.isKnown() {
		return Event{}, match.ErrNewer
	}
	if (e.Kind == Banned || e.Kind == BanLifted) != (e.Ban != nil) {
		return Event{}, match.ErrDamaged
	}
	return e.Event, nil
}

func (k Kind) isKnown() bool {
	switch k {
	case SecretMade, NameClaimed, CodeMade, KeyLinked, KeyRemoved, PreferencesSet, DeletionAsked, DeletionUndone, Banned,
		BanLifted:
		return true
	default:
		return false
	}
}

// Log stores the events of all accounts in one order, the same on all nodes. Its methods are safe for concurrent use
// and return soon after ctx ends.
type Log interface {
	// Append records an event whose sequence is one more than the last, and returns the event with its time.
	// Subscribers have received the event by then. [match.ErrConflict] says that another event came first: nothing was
	// recorded, and subscribers have received that event. After any other error, such as [match.ErrUnavailable], the
	// outcome is unknown.
	Append(ctx context.Context, e Event) (Event, error)
	// Subscribe calls fn once for every event in order: recorded ones before Subscribe returns; later ones, from any
	// node, until stop is called. Calls are serialised. fn must not block or call the log.
	Subscribe(fn func(Event)) (stop func())
}

// Memory is a [Log] that lasts as long as the process. Its zero value is empty.
type Memory struct {
	mu          sync.Mutex
	events      []Event
	subscribers match.Subscribers[Event]
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
	m.subscribers.Notify(e)
	return e, nil
}

// Subscribe implements [Log].
func (m *Memory) Subscribe(fn func(Event)) (stop func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, e := range m.events {
		fn(e)
	}
	return m.subscribers.Add(&m.mu, fn)
}

// Conflict returns the error of an event whose sequence is not the next one.
func Conflict(seq uint64) error {
	return fmt.Errorf("%w: the accounts have no place for event %d", match.ErrConflict, seq)
}

// secretSize is the length of a new secret, in bytes.
const secretSize = 32

// Open returns the directory of a log, which follows the log until stop is called. If the log is empty, Open records
// secret, or a new one for nil. now returns the time of the node's clock.
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
			_ = match.Sleep(ctx, retryDelay)
		default:
			stop()
			return nil, nil, fmt.Errorf("draw the secret of the accounts: %w", err)
		}
	}
	return d, stop, nil
}

const retryDelay = 100 * time.Millisecond
