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

// Kind is the type of an [Event]. The log records its text.
type Kind string

// The kinds of event. An event has Seq, At and the fields in parentheses. A DeletionRequested without Key records an
// erasure, and takes effect at once.
const (
	SecretMade        Kind = "secret"      // the first event of every log (Secret)
	NameClaimed       Kind = "name"        // a name was claimed (Account, Key, Name, Looks)
	CodeMade          Kind = "code"        // a code to link another key was made (Account, Key, Code)
	KeyLinked         Kind = "link"        // another key was linked by a code (Account, Key as the new one)
	KeyRemoved        Kind = "unlink"      // a key was removed (Account, Key as the removed one)
	PreferencesSet    Kind = "preferences" // preferences changed (Account, Key, Preferences)
	Preferred         Kind = "prefer"      // one more preference changed (Account, Key, Name, Value)
	Blocked           Kind = "block"       // a player was blocked (Account, Key, Player)
	Unblocked         Kind = "unblock"     // a block was lifted (Account, Key, Player)
	DeletionRequested Kind = "delete"      // a deletion was asked for (Account, Key, ShownID)
	DeletionUndone    Kind = "undo"        // a deletion was cancelled (Account, Key)
	Banned            Kind = "ban"         // an administrator banned a subject (Ban, Kick)
	BanLifted         Kind = "unban"       // a ban was lifted (Ban with Subject and By only)

	// Unreadable stands for an entry that is damaged, or that a newer version of the program wrote. No event may follow
	// an unreadable one, see [Directory.Writable].
	Unreadable Kind = ""
)

// Event is an entry of the log. Only an [Erasure] changes a recorded event.
type Event struct {
	Seq         uint64         `json:"-"` // 1 for the first event, then without gaps
	At          time.Time      `json:"-"` // set by the log
	Kind        Kind           `json:"kind"`
	Account     match.PlayerID `json:"account,omitempty"`
	Key         KeyID          `json:"key,omitempty"`
	Secret      []byte         `json:"secret,omitempty"`
	Name        string         `json:"name,omitempty"`
	Looks       []string       `json:"looks,omitempty"` // see [Config]
	Code        string         `json:"code,omitempty"`  // a hash
	Preferences Preferences    `json:"preferences,omitzero"`
	Value       string         `json:"value,omitempty"`
	Player      match.PlayerID `json:"player,omitempty"`
	ShownID     match.PlayerID `json:"instead,omitempty"` // shown in old matches once the account is deleted
	Ban         *Ban           `json:"ban,omitempty"`     // not to be modified
	Kick        bool           `json:"kick,omitempty"`    // end the sessions that the ban keeps out
}

// Preferences are a player's settings of the full screen. A zero field stands for the default.
type Preferences struct {
	Theme  string `json:"theme,omitempty"`
	Digits string `json:"digits,omitempty"`
	Mouse  string `json:"mouse,omitempty"`
	Bell   string `json:"bell,omitempty"`
	Alerts string `json:"alerts,omitempty"`
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

// Decode returns the event of an entry, [match.ErrNewer] if a newer version wrote the entry, or [match.ErrDamaged].
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
	case SecretMade, NameClaimed, CodeMade, KeyLinked, KeyRemoved, PreferencesSet, Preferred, Blocked, Unblocked,
		DeletionRequested, DeletionUndone, Banned, BanLifted:
		return true
	default:
		return false
	}
}

// Log stores the events of all accounts in one order on all nodes. Its methods are safe for concurrent use and return
// soon after ctx ends.
type Log interface {
	// Append records e if e.Seq follows the last event, and returns e with its time. Subscribers have received the event
	// by then.
	//
	// [match.ErrConflict] says that another event came first. Subscribers have received that event, and e was not
	// recorded. After any other error, such as [match.ErrUnavailable], the outcome is unknown.
	Append(ctx context.Context, e Event) (Event, error)
	// Subscribe calls fn once for every event in order. Recorded events are delivered before Subscribe returns, and
	// later ones, from any node, until stop is called. Calls are serialised. fn must not block or call the log.
	Subscribe(fn func(Event)) (stop func())
	// Event returns an event that subscribers have received.
	Event(seq uint64) Event
}

// Memory is a [Log] in the memory of the process. The zero value is an empty log.
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

// Event implements [Log].
func (m *Memory) Event(seq uint64) Event {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.events[seq-1]
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

// Conflict returns the [match.ErrConflict] of an event with a sequence that is not the next one.
func Conflict(seq uint64) error {
	return fmt.Errorf("%w: the accounts have no place for event %d", match.ErrConflict, seq)
}

// secretSize is the length of a new secret, in bytes.
const secretSize = 32

// Open returns a directory that follows log until stop is called. If the log is empty, Open records secret, or a new
// one for nil. now returns the time of the node's clock.
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
