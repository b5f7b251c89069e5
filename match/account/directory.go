package account

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base32"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"notakto/match"
)

// KeyID identifies a key on this server: 16 letters and digits. It is the identifier of the key's account as well,
// unless the key was linked to another account or its own account was deleted.
type KeyID string

// idBytes is the length of an identifier before base32 makes 16 characters of it.
const idBytes = 10

// fingerprintPrefix begins the fingerprints of keys, by which older versions identified players.
const fingerprintPrefix = "SHA256:"

const (
	// UndoWithin is the time from the request for a deletion to its effect. The deletion can be undone in this time.
	UndoWithin = 7 * 24 * time.Hour
	// NameLocked is the time during which the name of a deleted account cannot be claimed.
	NameLocked = 365 * 24 * time.Hour
)

// Directory is the fold of a log: it answers who has which account, key, name and ban. Safe for concurrent use.
type Directory struct {
	now func() time.Time

	mu         sync.RWMutex
	last       uint64
	secret     []byte
	unreadable bool // the log has an entry that this version cannot read
	accounts   map[match.PlayerID]*Info
	owners     map[KeyID]match.PlayerID  // accounts by the keys that were linked to them
	looks      map[string]match.PlayerID // accounts by the looks of their claimed names
	codes      map[string]match.PlayerID // accounts by the hashes of their codes that link a key
	bans       bans
	onKick     func(Ban) // may be nil
}

// Info holds the decisions about one account.
type Info struct {
	ID          match.PlayerID
	Name        string    // the claimed one; empty without one
	NamedAt     time.Time // when it was claimed
	Keys        []Key     // the oldest first
	Preferences Preferences
	// DeletedAt is the time at which the deletion takes or took effect. Zero if none was asked for.
	DeletedAt time.Time

	looks     []string
	code      string // a hash
	codeUntil time.Time
	instead   match.PlayerID
}

// Key is a key of an account.
type Key struct {
	ID    KeyID
	Since time.Time // when it was linked; zero for the first key of the account
}

// newDirectory returns the directory of an empty log.
func newDirectory(now func() time.Time) *Directory {
	return &Directory{
		now: now, accounts: make(map[match.PlayerID]*Info), owners: make(map[KeyID]match.PlayerID),
		looks: make(map[string]match.PlayerID), codes: make(map[string]match.PlayerID), bans: bans{},
	}
}

// apply takes the next event of the log.
func (d *Directory) apply(e Event) {
	d.mu.Lock()
	d.last = e.Seq
	switch {
	case e.Kind == Unreadable:
		d.unreadable = true
	case e.Kind == SecretMade && d.secret == nil:
		d.secret = e.Secret
	case e.Ban != nil:
		d.bans.apply(e)
	case e.Account != "":
		d.decide(e)
	}
	kick := d.onKick
	d.mu.Unlock()
	if e.Kind == Banned && e.Kick && kick != nil {
		kick(e.Ban.recorded(e))
	}
}

// decide changes an account as an event says. The key of an account's first event is the first key of the account.
func (d *Directory) decide(e Event) {
	a := d.accounts[e.Account]
	if a == nil {
		a = &Info{ID: e.Account, Keys: []Key{{ID: e.Key}}}
		d.accounts[e.Account] = a
	}
	switch e.Kind {
	case NameClaimed:
		for _, look := range a.looks {
			if d.looks[look] == a.ID {
				delete(d.looks, look)
			}
		}
		a.Name, a.NamedAt, a.looks = e.Name, e.At, e.Looks
		for _, look := range e.Looks {
			d.looks[look] = a.ID
		}
	case CodeMade:
		delete(d.codes, a.code)
		a.code, a.codeUntil = e.Code, e.At.Add(CodeValid)
		d.codes[e.Code] = a.ID
	case KeyLinked:
		delete(d.codes, a.code)
		a.code = ""
		d.owners[e.Key] = a.ID
		a.Keys = append(slices.Clone(a.Keys), Key{e.Key, e.At})
	case KeyRemoved:
		if d.owners[e.Key] == a.ID {
			delete(d.owners, e.Key)
		}
		a.Keys = slices.DeleteFunc(slices.Clone(a.Keys), func(k Key) bool { return k.ID == e.Key })
	case PreferencesSet:
		a.Preferences = e.Preferences
	case DeletionAsked:
		a.DeletedAt, a.instead = e.At.Add(UndoWithin), e.Instead
		if e.Key == "" { // it was erased
			a.DeletedAt = e.At
		}
	case DeletionUndone:
		a.DeletedAt, a.instead = time.Time{}, ""
	}
}

// isDeleted reports whether the deletion of an account has taken effect.
func (i *Info) isDeleted(now time.Time) bool {
	return !i.DeletedAt.IsZero() && !now.Before(i.DeletedAt)
}

func (i *Info) hasKey(key KeyID) bool {
	return slices.ContainsFunc(i.Keys, func(k Key) bool { return k.ID == key })
}

// Secret returns the secret of the identifiers. It must not be modified.
func (d *Directory) Secret() []byte {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.secret
}

// end returns the sequence of the last event.
func (d *Directory) end() uint64 {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.last
}

// Writable returns [ErrReadOnly] if the log has an entry that this version cannot read. A new event could contradict
// that entry.
func (d *Directory) Writable() error {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if d.unreadable {
		return ErrReadOnly
	}
	return nil
}

// Key returns the identifier of a key with a fingerprint as OpenSSH shows it, which begins with SHA256:.
func (d *Directory) Key(fingerprint string) KeyID {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return KeyID(hashed(d.secret, fingerprint))
}

// Account returns the account of a key: the one to which it is linked, else its own.
func (d *Directory) Account(key KeyID) match.PlayerID {
	now := d.now()
	d.mu.RLock()
	defer d.mu.RUnlock()
	if owner, linked := d.owners[key]; linked && !d.accounts[owner].isDeleted(now) {
		return owner
	}
	for generation := 0; ; generation++ {
		id := ownID(d.secret, key, generation)
		if a := d.accounts[id]; a == nil || !a.isDeleted(now) && a.hasKey(key) {
			return id
		}
	}
}

// hashed returns 16 characters that identify text but do not reveal it.
func hashed(secret []byte, text string) string {
	mac := hmac.New(sha256.New, secret)
	_, _ = mac.Write([]byte(text)) // never fails
	return strings.ToLower(base32.StdEncoding.EncodeToString(mac.Sum(nil)[:idBytes]))
}

// ownID returns the identifier of the account of a key that is linked to none. generation counts the earlier accounts
// of the key: those that were deleted, and those from which the key was removed.
func ownID(secret []byte, key KeyID, generation int) match.PlayerID {
	if generation == 0 {
		return match.PlayerID(key)
	}
	return match.PlayerID(hashed(secret, string(key)+"/"+strconv.Itoa(generation)))
}

// IsFingerprint reports whether id is the fingerprint of a key, as older versions identified players.
func IsFingerprint(id match.PlayerID) bool { return strings.HasPrefix(string(id), fingerprintPrefix) }

// IsID reports whether a text has the form of an account's identifier.
func IsID(text string) bool {
	_, err := base32.StdEncoding.DecodeString(strings.ToUpper(text))
	return err == nil && len(text) == base32.StdEncoding.EncodedLen(idBytes) && text == strings.ToLower(text)
}

// Shown returns a player of an old match as others may see the player. A deleted account appears under an identifier
// and a name that do not reveal it.
func (d *Directory) Shown(p match.Player) match.Player {
	now := d.now()
	d.mu.RLock()
	defer d.mu.RUnlock()
	if a := d.accounts[p.ID]; a != nil && a.isDeleted(now) {
		p.ID, p.Name = a.instead, GivenName(a.instead)
	}
	return p
}

// Named returns a player of an old match as [Directory.Shown] does, but under the claimed name if the account has one.
// A player without any name gets [GivenName].
func (d *Directory) Named(p match.Player) match.Player {
	if p = d.Shown(p); d.NameOf(p.ID) != "" {
		p.Name = d.NameOf(p.ID)
	}
	if p.Name == "" {
		p.Name = GivenName(p.ID)
	}
	return p
}

// givenLength is the number of characters that [GivenName] takes from an identifier.
const givenLength = 4

// GivenName returns a name for a player without one.
func GivenName(id match.PlayerID) string { return "player-" + string(id[:min(len(id), givenLength)]) }

// NameOf returns the claimed name of an account; empty without one.
func (d *Directory) NameOf(id match.PlayerID) string {
	return d.Info(id).Name
}

// ClaimedBy returns the account that has claimed a name with one of the given looks; empty if none has. The name of a
// deleted account stays claimed for [NameLocked].
func (d *Directory) ClaimedBy(looks []string) match.PlayerID {
	now := d.now()
	d.mu.RLock()
	defer d.mu.RUnlock()
	for _, look := range looks {
		owner, claimed := d.looks[look]
		if a := d.accounts[owner]; claimed && (!a.isDeleted(now) || now.Before(a.DeletedAt.Add(NameLocked))) {
			return owner
		}
	}
	return ""
}

// Info returns the decisions about an account. Only the ID is set if there are none, or if the account is deleted. The
// result must not be modified.
func (d *Directory) Info(id match.PlayerID) Info {
	now := d.now()
	d.mu.RLock()
	defer d.mu.RUnlock()
	if a := d.accounts[id]; a != nil && !a.isDeleted(now) {
		return *a
	}
	return Info{ID: id}
}

// byCode returns the account whose valid code has this hash, or "".
func (d *Directory) byCode(hash string) match.PlayerID {
	now := d.now()
	d.mu.RLock()
	defer d.mu.RUnlock()
	if a := d.accounts[d.codes[hash]]; a != nil && now.Before(a.codeUntil) && !a.isDeleted(now) {
		return a.ID
	}
	return ""
}

// hash returns the hash under which a code is recorded.
func (d *Directory) hash(code match.Code) string {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return hashed(d.secret, "code "+string(code))
}
