package account

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base32"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"notakto/match"
)

// KeyID identifies a key on this server by 16 letters and digits. The key's first own account has the identifier too.
// A link, a deletion, or a removal from that account gives the key another account.
type KeyID string

// idBytes is the length of an identifier before base32 makes 16 characters of it.
const idBytes = 10

// fingerprintPrefix begins the fingerprints of keys. Older versions identified players by fingerprints.
const fingerprintPrefix = "SHA256:"

const (
	// UndoPeriod is the time from the request for a deletion to its effect. Until then the deletion can be undone.
	UndoPeriod = 7 * 24 * time.Hour
	// NameLockPeriod is the time during which the name of a deleted account cannot be claimed.
	NameLockPeriod = 365 * 24 * time.Hour
)

// Directory folds the events of a [Log] and answers questions about accounts, keys, names and bans. Safe for
// concurrent use.
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
	banEvents  []uint64 // sequences
	onKick     func(Ban)
}

// Info holds the decisions about one account.
type Info struct {
	ID          match.PlayerID
	Name        string // the claimed name, "" without one
	NamedAt     time.Time
	Keys        []Key // the oldest first
	Preferences Preferences
	Blocked     []match.PlayerID // the newest last
	// DeletedAt is the time when the deletion takes or took effect. DeletedAt is zero if no deletion was asked for.
	DeletedAt time.Time

	looks     []string
	code      string // a hash
	codeUntil time.Time
	removed   []KeyID        // keys that were removed from the account
	shownID   match.PlayerID // of [Event]
	preferred map[string]string
	events    []uint64 // sequences, without bans
}

// Key is a key of an account.
type Key struct {
	ID    KeyID
	Since time.Time // when it was linked, zero for the first key of the account
}

func newDirectory(now func() time.Time) *Directory {
	return &Directory{
		now: now, accounts: make(map[match.PlayerID]*Info), owners: make(map[KeyID]match.PlayerID),
		looks: make(map[string]match.PlayerID), codes: make(map[string]match.PlayerID), bans: bans{},
	}
}

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
		d.banEvents = append(d.banEvents, e.Seq)
	case e.Account != "":
		d.applyDecision(e)
	}
	kick := d.onKick
	d.mu.Unlock()
	if e.Kind == Banned && e.Kick && kick != nil {
		kick(e.Ban.recorded(e))
	}
}

// applyDecision changes an account. The key of an account's first event is the first key of the account.
func (d *Directory) applyDecision(e Event) {
	a := d.accounts[e.Account]
	if a == nil {
		a = &Info{ID: e.Account, Keys: []Key{{ID: e.Key}}}
		d.accounts[e.Account] = a
	}
	a.events = append(a.events, e.Seq)
	switch e.Kind {
	case NameClaimed:
		d.freeName(a)
		for _, look := range e.Looks { // of names that have lapsed
			if other := d.accounts[d.looks[look]]; other != nil {
				d.freeName(other)
			}
		}
		a.Name, a.NamedAt, a.looks = e.Name, e.At, e.Looks
		for _, look := range e.Looks {
			d.looks[look] = a.ID
		}
	case CodeMade:
		delete(d.codes, a.code)
		a.code, a.codeUntil = e.Code, e.At.Add(CodeTTL)
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
		a.removed = append(a.removed, e.Key)
	case PreferencesSet:
		a.Preferences = e.Preferences
	case Preferred:
		if a.preferred = maps.Clone(a.preferred); a.preferred == nil {
			a.preferred = make(map[string]string)
		}
		a.preferred[e.Name] = e.Value
	case Blocked:
		a.Blocked = append(slices.Clone(a.Blocked), e.Player)
	case Unblocked:
		a.Blocked = slices.DeleteFunc(slices.Clone(a.Blocked), func(p match.PlayerID) bool { return p == e.Player })
	case DeletionRequested:
		a.DeletedAt, a.shownID = e.At.Add(UndoPeriod), e.ShownID
		if e.Key == "" { // the account was erased
			a.DeletedAt = e.At
		}
	case DeletionUndone:
		a.DeletedAt, a.shownID = time.Time{}, ""
	}
}

// freeName takes the claimed name from an account. The caller holds the lock.
func (d *Directory) freeName(a *Info) {
	for _, look := range a.looks {
		if d.looks[look] == a.ID {
			delete(d.looks, look)
		}
	}
	a.Name, a.NamedAt, a.looks = "", time.Time{}, nil
}

func (i *Info) isDeleted(now time.Time) bool {
	return !i.DeletedAt.IsZero() && !now.Before(i.DeletedAt)
}

func (i *Info) hasKey(key KeyID) bool {
	return slices.ContainsFunc(i.Keys, func(k Key) bool { return k.ID == key })
}

// Secret returns the secret of the identifiers, not to be modified.
func (d *Directory) Secret() []byte {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.secret
}

func (d *Directory) lastSeq() uint64 {
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

// Key returns the identifier of a key. fingerprint is the text that OpenSSH shows, with the prefix SHA256:.
func (d *Directory) Key(fingerprint string) KeyID {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return KeyID(keyedHash(d.secret, fingerprint))
}

// Account returns the account that a key is linked to, else the key's own account.
func (d *Directory) Account(key KeyID) match.PlayerID {
	now := d.now()
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.currentAccount(key, now)
}

// currentAccount is Account. The caller holds the lock.
func (d *Directory) currentAccount(key KeyID, now time.Time) match.PlayerID {
	if owner, linked := d.owners[key]; linked && !d.accounts[owner].isDeleted(now) {
		return owner
	}
	own := d.ownAccounts(key, now)
	return own[len(own)-1]
}

// ownAccounts returns the own accounts of a key, the present one last. The earlier ones were deleted, or lost the key.
// The caller holds the lock.
func (d *Directory) ownAccounts(key KeyID, now time.Time) (all []match.PlayerID) {
	for generation := 0; ; generation++ {
		id := ownID(d.secret, key, generation)
		all = append(all, id)
		if a := d.accounts[id]; a == nil || !a.isDeleted(now) && a.hasKey(key) {
			return all
		}
	}
}

// keyedHash returns 16 characters that identify text but do not reveal it.
func keyedHash(secret []byte, text string) string {
	mac := hmac.New(sha256.New, secret)
	_, _ = mac.Write([]byte(text)) // never fails
	return strings.ToLower(base32.StdEncoding.EncodeToString(mac.Sum(nil)[:idBytes]))
}

// ownID returns the identifier of one of a key's own accounts. generation is the number of own accounts before it.
func ownID(secret []byte, key KeyID, generation int) match.PlayerID {
	if generation == 0 {
		return match.PlayerID(key)
	}
	return match.PlayerID(keyedHash(secret, string(key)+"/"+strconv.Itoa(generation)))
}

// IsFingerprint reports whether id is the fingerprint of a key, as in records of older versions.
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
		p.ID, p.Name = a.shownID, GivenName(a.shownID)
	}
	return p
}

// WithClaimedName returns a player of an old match as [Directory.Shown] does, but under the claimed name if the account
// has one. A player without any name gets a [GivenName].
func (d *Directory) WithClaimedName(p match.Player) match.Player {
	if p = d.Shown(p); d.ClaimedName(p.ID) != "" {
		p.Name = d.ClaimedName(p.ID)
	}
	if p.Name == "" {
		p.Name = GivenName(p.ID)
	}
	return p
}

// givenLength is the number of characters that [GivenName] takes from an identifier.
const givenLength = 4

// GivenPrefix begins each name of [GivenName]. Only the rest tells one of them from another.
const GivenPrefix = "player-"

// GivenName returns a name for a player without one.
func GivenName(id match.PlayerID) string { return GivenPrefix + string(id[:min(len(id), givenLength)]) }

// ClaimedName returns the claimed name of an account, or "".
func (d *Directory) ClaimedName(id match.PlayerID) string {
	return d.Info(id).Name
}

// ClaimedBy returns the account that has claimed a name with one of the given looks, or "". The name of a deleted
// account stays claimed for [NameLockPeriod].
func (d *Directory) ClaimedBy(looks []string) match.PlayerID {
	now := d.now()
	d.mu.RLock()
	defer d.mu.RUnlock()
	for _, look := range looks {
		owner, claimed := d.looks[look]
		if a := d.accounts[owner]; claimed && (!a.isDeleted(now) || now.Before(a.DeletedAt.Add(NameLockPeriod))) {
			return owner
		}
	}
	return ""
}

// Info returns the decisions about an account, not to be modified. Info sets only the ID if the account has no decision
// or is deleted.
func (d *Directory) Info(id match.PlayerID) Info {
	now := d.now()
	d.mu.RLock()
	defer d.mu.RUnlock()
	if a := d.accounts[id]; a != nil && !a.isDeleted(now) {
		return *a
	}
	return Info{ID: id}
}

// Preference returns the value of a preference that [Accounts.Prefer] recorded, or "".
func (d *Directory) Preference(id match.PlayerID, key string) string {
	return d.Info(id).preferred[key]
}

// IsProgram reports whether the account has declared itself a program.
func (d *Directory) IsProgram(id match.PlayerID) bool { return d.Preference(id, Program) == "yes" }

// Blocks reports whether account by has blocked other. A deleted account blocks every player, because its challenges
// end with it.
func (d *Directory) Blocks(by, other match.PlayerID) bool {
	now := d.now()
	d.mu.RLock()
	defer d.mu.RUnlock()
	a := d.accounts[by]
	return a != nil && (a.isDeleted(now) || slices.Contains(a.Blocked, other))
}

// accountByCode returns the account with a valid code of this hash, or "".
func (d *Directory) accountByCode(hash string) match.PlayerID {
	now := d.now()
	d.mu.RLock()
	defer d.mu.RUnlock()
	if a := d.accounts[d.codes[hash]]; a != nil && now.Before(a.codeUntil) && !a.isDeleted(now) {
		return a.ID
	}
	return ""
}

func (d *Directory) hashCode(code match.Code) string {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return keyedHash(d.secret, "code "+string(code))
}
