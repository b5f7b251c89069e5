package account

import (
	"encoding/json"
	"fmt"
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
	DeletionAsked  Kind = "delete"      // Account, Instead, Key (none if it was erased, which is at once)
	DeletionUndone Kind = "undo"        // Account, Key
	Banned         Kind = "ban"         // an administrator has banned someone: Ban, Kick
	BanLifted      Kind = "unban"       // Ban, of which only Subject and By are set

	// Unreadable stands for an entry that a newer version of the program wrote, or that is damaged. Nothing more is
	// decided after it: see [Directory.Writable].
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
	Looks       []string       `json:"looks,omitempty"` // two names that share one are confusable
	Code        string         `json:"code,omitempty"`  // a hash
	Preferences Preferences    `json:"preferences,omitzero"`
	Instead     match.PlayerID `json:"instead,omitempty"` // stands in old matches once the account is deleted
	Ban         *Ban           `json:"ban,omitempty"`     // not to be modified
	Kick        bool           `json:"kick,omitempty"`    // the sessions that the ban keeps out are ended
}

// Preferences are how a player likes the full screen. A zero field stands for the default.
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
