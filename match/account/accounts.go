package account

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/base32"
	"errors"
	"math/big"
	"strings"
	"time"

	"notakto/match"
	"notakto/match/limit"
)

const (
	// CodeValid limits the life of a code that links a key.
	CodeValid = 10 * time.Minute
	// NameKept is the least time between two changes of a claimed name.
	NameKept = 30 * 24 * time.Hour
	// MaxKeys limits the keys of an account.
	MaxKeys = 8

	codeLength = 8
	// codeRate is the limit of wrong codes a second, of all players together.
	codeRate = 20
)

// Caller is a player who decides about an account. Key was proven at the login.
type Caller struct {
	Account match.PlayerID
	Key     KeyID // empty for a guest
}

// Config configures [Accounts].
type Config struct {
	Directory *Directory
	Log       Log // that the directory follows
	// Clean returns a name as it can be shown; empty if it cannot be.
	Clean func(name string) string
	// Looks returns the looks of a name. Two names that share a look are confusable.
	Looks func(name string) []string
	// Networks returns the networks of a player, as of manager.Config. It may be nil.
	Networks func(match.PlayerID) []string
}

// Accounts decides about the accounts of all players: each method returns once its event is recorded. Of two events
// that contradict each other only one is recorded, on all nodes. Methods return the errors of this package,
// [match.ErrUnavailable], and the error of a context that ends first. Safe for concurrent use.
type Accounts struct {
	*Directory
	config Config

	changing chan struct{} // holds a value during a decision; two at once on one node would conflict
	codes    *limit.Attempts
	changes  *limit.Buckets
	exports  *limit.Buckets
	bans     *limit.Buckets // of all administrators
}

// New returns the accounts of a directory.
func New(c Config) *Accounts {
	if c.Networks == nil {
		c.Networks = func(match.PlayerID) []string { return nil }
	}
	return &Accounts{
		Directory: c.Directory, config: c, codes: limit.NewAttempts(codeRate),
		changing: make(chan struct{}, 1), changes: limit.NewBuckets(20, 30*time.Second), exports: limit.NewBuckets(5,
			time.Minute), bans: limit.NewBuckets(banBurst, banInterval),
	}
}

// Player returns the player who logs in with a key. The name is the claimed name of the account, else the cleaned name
// of the login, else the [GivenName].
func (a *Accounts) Player(key KeyID, login string) match.Player {
	p := match.Player{ID: a.Account(key)}
	if p.Name = a.NameOf(p.ID); p.Name == "" {
		p.Name = a.config.Clean(login)
	}
	if p.Name == "" {
		p.Name = GivenName(p.ID)
	}
	return p
}

// Owner returns the account that has claimed a name, or one that looks like it; empty if none has.
func (a *Accounts) Owner(name string) match.PlayerID {
	return a.ClaimedBy(a.config.Looks(a.config.Clean(name)))
}

// Find returns the player with a claimed name or an account's identifier. An identifier is found even if the log has
// no event of the account. [ErrNoSuchPlayer].
func (a *Accounts) Find(text string) (match.Player, error) {
	id := a.Owner(text)
	if id == "" && IsID(text) {
		id = match.PlayerID(text)
	}
	p := a.Named(match.Player{ID: id})
	if id == "" || p.ID != id {
		return match.Player{}, ErrNoSuchPlayer
	}
	return p, nil
}

// accountable returns the limit accounts to charge for what c does: those of the player and of the player's networks.
func (a *Accounts) accountable(c Caller) []limit.Account {
	return limit.Accountable(c.Account, a.config.Networks(c.Account))
}

// change records the event that decide returns, on behalf of a player.
func (a *Accounts) change(ctx context.Context, c Caller, decide func() (Event, error)) error {
	switch {
	case c.Key == "":
		return ErrGuest
	case !a.changes.Allow(a.now(), a.accountable(c)...):
		return ErrTooOften
	}
	_, err := a.record(ctx, func() (Event, error) {
		if a.Account(c.Key) != c.Account { // the key was removed, or the account deleted
			return Event{}, ErrNoSuchKey
		}
		e, err := decide()
		e.Account, e.Key = cmp.Or(e.Account, c.Account), cmp.Or(e.Key, c.Key)
		return e, err
	})
	return err
}

// record appends the event that decide returns, and returns it with its sequence and time. If another event comes
// first, record calls decide again.
func (a *Accounts) record(ctx context.Context, decide func() (Event, error)) (Event, error) {
	select {
	case a.changing <- struct{}{}:
		defer func() { <-a.changing }()
	case <-ctx.Done():
		return Event{}, ctx.Err()
	}
	for {
		if err := a.Writable(); err != nil {
			return Event{}, err
		}
		seq := a.end() + 1
		e, err := decide()
		if err != nil {
			return Event{}, err
		}
		e.Seq = seq
		if e, err = a.config.Log.Append(ctx, e); !errors.Is(err, match.ErrConflict) {
			return e, err
		}
	}
}

// Claim claims a name. [ErrBadName], [ErrNameTaken], [ErrNameTooSoon].
func (a *Accounts) Claim(ctx context.Context, c Caller, name string) error {
	return a.change(ctx, c, func() (Event, error) {
		info, looks := a.Info(c.Account), a.config.Looks(name)
		owner := a.ClaimedBy(looks)
		switch {
		case name == "" || a.config.Clean(name) != name:
			return Event{}, ErrBadName
		case owner != "" && owner != c.Account:
			return Event{}, ErrNameTaken
		case info.Name != "" && a.now().Before(info.NamedAt.Add(NameKept)):
			return Event{}, ErrNameTooSoon
		}
		return Event{Kind: NameClaimed, Name: name, Looks: looks}, nil
	})
}

// Rename gives an account a name on behalf of an administrator. Unlike Claim it never returns [ErrNameTooSoon]. It
// returns [ErrBadName], [ErrNameTaken], or [ErrNoAccount] if the log has no key of the account.
func (a *Accounts) Rename(ctx context.Context, id match.PlayerID, name string) error {
	_, err := a.administrate(ctx, func() (Event, error) {
		info, looks := a.Info(id), a.config.Looks(name)
		owner := a.ClaimedBy(looks)
		switch {
		case len(info.Keys) == 0:
			return Event{}, ErrNoAccount
		case name == "" || a.config.Clean(name) != name:
			return Event{}, ErrBadName
		case owner != "" && owner != id:
			return Event{}, ErrNameTaken
		}
		return Event{Kind: NameClaimed, Account: id, Key: info.Keys[0].ID, Name: name, Looks: looks}, nil
	})
	return err
}

// MakeCode returns a code that links one more key to the account, once and within [CodeValid]. It replaces an earlier
// code. [ErrTooManyKeys].
func (a *Accounts) MakeCode(ctx context.Context, c Caller) (match.Code, error) {
	code := newCode()
	err := a.change(ctx, c, func() (Event, error) {
		if len(a.Info(c.Account).Keys) >= MaxKeys {
			return Event{}, ErrTooManyKeys
		}
		return Event{Kind: CodeMade, Code: a.hash(code)}, nil
	})
	return code, err
}

// Link links the caller's key to the account that made the code. It refuses with [ErrOwnAccount] if the key's own
// account has a name, another key or a requested deletion, because that account would be out of reach. [ErrWrongCode],
// [ErrOwnCode], [ErrTooManyKeys], [ErrTooOften].
func (a *Accounts) Link(ctx context.Context, c Caller, code match.Code) error {
	now, who := a.now(), a.accountable(c)
	if !a.codes.Allows(now, who) {
		return ErrTooOften
	}
	err := a.change(ctx, c, func() (Event, error) {
		owner, own := a.byCode(a.hash(code.Normalize())), a.Info(c.Account)
		switch {
		case owner == "":
			return Event{}, ErrWrongCode
		case owner == c.Account:
			return Event{}, ErrOwnCode
		case own.Name != "" || len(own.Keys) > 1 || !own.DeletedAt.IsZero():
			return Event{}, ErrOwnAccount
		case len(a.Info(owner).Keys) >= MaxKeys:
			return Event{}, ErrTooManyKeys
		}
		return Event{Kind: KeyLinked, Account: owner}, nil
	})
	if errors.Is(err, ErrWrongCode) {
		a.codes.Charge(now, who)
		a.codes.ChargeAll(now)
	}
	return err
}

// RemoveKey removes a key from the account. From then on the key has another account, a new one if the account began
// with this key. [ErrNoSuchKey], [ErrLastKey].
func (a *Accounts) RemoveKey(ctx context.Context, c Caller, key KeyID) error {
	return a.change(ctx, c, func() (Event, error) {
		info := a.Info(c.Account)
		switch {
		case !info.hasKey(key) && key != c.Key:
			return Event{}, ErrNoSuchKey
		case len(info.Keys) <= 1:
			return Event{}, ErrLastKey
		}
		return Event{Kind: KeyRemoved, Key: key}, nil
	})
}

// SetPreferences records preferences, unless they have not changed.
func (a *Accounts) SetPreferences(ctx context.Context, c Caller, p Preferences) error {
	if a.Info(c.Account).Preferences == p {
		return nil
	}
	return a.change(ctx, c, func() (Event, error) { return Event{Kind: PreferencesSet, Preferences: p}, nil })
}

// Delete schedules the deletion of the account after [UndoWithin]. confirm is the text that the player typed. It must
// equal name, under which the player is shown. Errors: [ErrWrongName], [ErrDeleting].
func (a *Accounts) Delete(ctx context.Context, c Caller, name, confirm string) error {
	return a.change(ctx, c, func() (Event, error) {
		if confirm != name {
			return Event{}, ErrWrongName
		}
		if !a.Info(c.Account).DeletedAt.IsZero() {
			return Event{}, ErrDeleting
		}
		return Event{Kind: DeletionAsked, Instead: newID()}, nil
	})
}

// Undo cancels a deletion that has not taken effect. [ErrNotDeleting].
func (a *Accounts) Undo(ctx context.Context, c Caller) error {
	return a.change(ctx, c, func() (Event, error) {
		if a.Info(c.Account).DeletedAt.IsZero() {
			return Event{}, ErrNotDeleting
		}
		return Event{Kind: DeletionUndone}, nil
	})
}

// Export returns what is stored about the account, and its events. [ErrTooOften].
func (a *Accounts) Export(c Caller) (Info, []Event, error) {
	switch {
	case c.Key == "":
		return Info{}, nil, ErrGuest
	case !a.exports.Allow(a.now(), a.accountable(c)...):
		return Info{}, nil, ErrTooOften
	}
	info := a.InfoOf(c)
	return info, a.EventsOf(info), nil
}

// EventsOf returns the events of an account, and the bans on the account and its keys without the administrators'
// names. An administrator may ask about any account, without a limit.
func (a *Accounts) EventsOf(of Info) (all []Event) {
	a.config.Log.Subscribe(func(e Event) {
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

// InfoOf returns the info of a caller's account. It includes the caller's key even if the log has no event of the
// account.
func (a *Accounts) InfoOf(c Caller) Info {
	info := a.Info(c.Account)
	if len(info.Keys) == 0 && c.Key != "" {
		info.Keys = []Key{{ID: c.Key}}
	}
	return info
}

// newID returns a random identifier of an account.
func newID() match.PlayerID {
	b := make([]byte, idBytes)
	_, _ = rand.Read(b) // never fails
	return match.PlayerID(strings.ToLower(base32.StdEncoding.EncodeToString(b)))
}

// newCode returns a random code to link a key.
func newCode() match.Code {
	letters := make([]byte, codeLength)
	for i := range letters {
		n, err := rand.Int(rand.Reader, big.NewInt(int64(len(match.CodeLetters))))
		if err != nil {
			panic(err) // never happens
		}
		letters[i] = match.CodeLetters[n.Int64()]
	}
	return match.Code(letters)
}

// Error tells the player why nothing was recorded.
type Error string

// Error implements error.
func (e Error) Error() string { return string(e) }

// Errors of decisions about an account.
const (
	ErrGuest    Error = "a guest has no account: make a key with ssh-keygen, and log in again"
	ErrReadOnly Error = "accounts cannot be changed here: a newer version of the server has changed them"
	ErrTooOften Error = "this was done too often: try again in a few minutes"

	ErrBadName     Error = "this cannot be a name here: type help name to read what can"
	ErrNameTaken   Error = "another player has claimed this name, or one that looks like it"
	ErrNameTooSoon Error = "a name can be changed once in 30 days"

	ErrNoAccount    Error = "nothing was decided about this account, which is shown under the name of its login"
	ErrNoSuchPlayer Error = "no account has this name or identifier"

	ErrTooManyKeys Error = "an account has at most eight keys: remove one first"
	ErrWrongCode   Error = "this code is wrong, used or older than ten minutes: make a new one with key add"
	ErrOwnAccount  Error = "this key has an account of its own with a name or other keys: delete that one first"
	ErrOwnCode     Error = "this key has the account that made the code: log in with the other key to use it"
	ErrNoSuchKey   Error = "the account has no such key"
	ErrLastKey     Error = "this is the only key of the account: link another one first, or delete the account"

	ErrWrongName   Error = "this is not the name of the account, which me shows"
	ErrDeleting    Error = "the account is to be deleted already: me undo keeps it"
	ErrNotDeleting Error = "the account is not going to be deleted"

	ErrBanLasts  Error = "a ban of an address or a network has an end, within 30 days"
	ErrManyBans  Error = "10000 bans are in force: remove some first"
	ErrNoSuchBan Error = "there is no such ban"
)
