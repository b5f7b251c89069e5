package account

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/base32"
	"errors"
	"math/big"
	"slices"
	"strings"
	"sync"
	"time"

	"notakto/match"
	"notakto/match/limit"
)

const (
	// CodeTTL limits the life of a code that links a key.
	CodeTTL = 10 * time.Minute
	// NameChangeInterval is the least time between two changes of a claimed name.
	NameChangeInterval = 30 * 24 * time.Hour
	// NameLapsePeriod is the time within which the account must finish a match, or another account can claim its name.
	NameLapsePeriod = 30 * 24 * time.Hour
	// MaxKeys limits the keys of an account.
	MaxKeys = 8
	// MaxBlocked limits the players that an account blocks.
	MaxBlocked = 200

	codeLength = 8

	// firstsAtAddress limits the first decisions that the accounts of an address may make at once, and so the number of
	// accounts with decisions that an attacker can have there soon. The reserve of changesAtAddress leaves each other
	// account some decisions while that many accounts decide without end.
	firstsAtAddress  = 400
	changesAtAddress = 3000
)

// Caller identifies the player behind a decision. The player proved Key at the login.
type Caller struct {
	Account match.PlayerID
	Key     KeyID // empty for a guest
}

// Config configures [Accounts].
type Config struct {
	Directory *Directory
	Log       Log // that Directory follows
	// Clean returns a name as it can be shown, or "" if it cannot be shown.
	Clean func(name string) string
	// Looks returns the looks of a name. Two names with a common look are confusable.
	Looks func(name string) []string
	// Networks returns the networks of a player, see manager.Config. Networks may be nil.
	Networks func(match.PlayerID) []string
	// HasPlayed reports whether a player has finished a match. If HasPlayed is nil, no name lapses.
	HasPlayed func(context.Context, match.PlayerID) (bool, error)
}

// Accounts decides about the accounts of all players. A method returns once its event is recorded. Of two
// contradictory events only one is recorded, on all nodes. Besides their own errors, methods return [ErrGuest],
// [ErrReadOnly], [ErrTooOften], [ErrNoSuchKey] after the caller's key was removed, [match.ErrUnavailable], and the
// error of a context that ends first. Safe for concurrent use.
type Accounts struct {
	*Directory
	config Config

	deciding             chan struct{} // holds a value during a decision, because two at once on one node would conflict
	wrongCodes           *limit.Attempts
	firsts               *limit.Shares  // decisions of accounts without an earlier one
	changes              *limit.Shares  // other decisions
	undos                *limit.Buckets // decisions that take an earlier one back, by account
	exports              *limit.Shares
	exporting            sync.Map       // by account with a running export, a channel that is closed at its end
	administratorChanges *limit.Buckets // bans and renames of all administrators together
}

// New returns the accounts of c.Directory.
func New(c Config) *Accounts {
	if c.Networks == nil {
		c.Networks = func(match.PlayerID) []string { return nil }
	}
	return &Accounts{
		Directory: c.Directory, config: c, deciding: make(chan struct{}, 1), wrongCodes: limit.NewAttempts(limit.CodeRate),
		firsts:  limit.NewShares(20, firstsAtAddress, 30*time.Second),
		changes: limit.NewShares(20, changesAtAddress, 30*time.Second),
		undos:   limit.NewBuckets(20, 30*time.Second), exports: limit.NewShares(5, 20, time.Minute),
		administratorChanges: limit.NewBuckets(banBurst, banInterval),
	}
}

// Player returns the player that logs in with a key. The name is the claimed name of the account, else the cleaned
// name of the login, else the [GivenName].
func (a *Accounts) Player(key KeyID, login string) match.Player {
	p := match.Player{ID: a.Account(key)}
	if p.Name = a.ClaimedName(p.ID); p.Name == "" {
		p.Name = a.config.Clean(login)
	}
	if p.Name == "" {
		p.Name = GivenName(p.ID)
	}
	return p
}

// Owner returns the account that has claimed name or a name that looks like it, or "".
func (a *Accounts) Owner(name string) match.PlayerID {
	return a.ClaimedBy(a.config.Looks(a.config.Clean(name)))
}

// Find returns the player with a claimed name or an account's identifier, or [ErrNoSuchPlayer]. An identifier is
// found even if the log has no event of the account.
func (a *Accounts) Find(text string) (match.Player, error) {
	id := a.Owner(text)
	if id == "" && IsID(text) {
		id = match.PlayerID(text)
	}
	p := a.WithClaimedName(match.Player{ID: id})
	if id == "" || p.ID != id {
		return match.Player{}, ErrNoSuchPlayer
	}
	return p, nil
}

// payers returns the [limit.Payer] values to charge for an action of c.
func (a *Accounts) payers(c Caller) []limit.Payer {
	return limit.PlayerPayers(c.Account, a.config.Networks(c.Account))
}

// change records the event that decide returns, on behalf of c.
func (a *Accounts) change(ctx context.Context, c Caller, decide func() (Event, error)) error {
	budget := a.changes
	if len(a.Info(c.Account).Keys) == 0 { // new keys without end must not use up the decisions of known accounts
		budget = a.firsts
	}
	return a.changeWithin(ctx, c, func() bool { return budget.TryCharge(a.now(), a.payers(c)) }, decide)
}

// takeBack is like change, for an event that takes an earlier one back. The limit is per account only, because the
// earlier events are limited by address.
func (a *Accounts) takeBack(ctx context.Context, c Caller, decide func() (Event, error)) error {
	account := limit.Payer{Name: string(c.Account), Multiple: 1}
	return a.changeWithin(ctx, c, func() bool { return a.undos.Allow(a.now(), account) }, decide)
}

func (a *Accounts) changeWithin(
	ctx context.Context, c Caller, charge func() bool, decide func() (Event, error),
) error {
	switch {
	case c.Key == "":
		return ErrGuest
	case !charge():
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

// record appends the event that decide returns, and returns the event with its sequence and time. If another event
// comes first, record calls decide again.
func (a *Accounts) record(ctx context.Context, decide func() (Event, error)) (Event, error) {
	select {
	case a.deciding <- struct{}{}:
		defer func() { <-a.deciding }()
	case <-ctx.Done():
		return Event{}, ctx.Err()
	}
	for {
		if err := a.Writable(); err != nil {
			return Event{}, err
		}
		seq := a.lastSeq() + 1
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

// Claim claims a name, also one that has lapsed. Errors are [ErrBadName], [ErrNameTaken], [ErrNameTooSoon] and those
// of Config.HasPlayed.
func (a *Accounts) Claim(ctx context.Context, c Caller, name string) error {
	return a.change(ctx, c, func() (Event, error) {
		info, looks := a.Info(c.Account), a.config.Looks(name)
		owner, err := a.keeper(ctx, looks, c.Account)
		switch {
		case err != nil:
			return Event{}, err
		case name == "" || a.config.Clean(name) != name:
			return Event{}, ErrBadName
		case owner != "":
			return Event{}, ErrNameTaken
		case info.Name != "" && a.now().Before(info.NamedAt.Add(NameChangeInterval)):
			return Event{}, ErrNameTooSoon
		}
		return Event{Kind: NameClaimed, Name: name, Looks: looks}, nil
	})
}

// keeper returns the account that keeps a name with one of the looks from claimer, or "". An account that has not
// played loses its claim after NameLapsePeriod. Otherwise players could claim every name for good, because keys cost
// nothing.
func (a *Accounts) keeper(ctx context.Context, looks []string, claimer match.PlayerID) (match.PlayerID, error) {
	for _, look := range looks {
		owner := a.ClaimedBy([]string{look})
		if owner == "" || owner == claimer {
			continue
		}
		info := a.Info(owner)
		// A deleted account has no name here, and keeps its last one.
		if info.Name == "" || a.config.HasPlayed == nil || a.now().Before(info.NamedAt.Add(NameLapsePeriod)) {
			return owner, nil
		}
		if played, err := a.config.HasPlayed(ctx, owner); played || err != nil {
			return owner, err
		}
	}
	return "", nil
}

// Rename gives an account a name on behalf of an administrator. Unlike Claim it never returns [ErrNameTooSoon].
// Errors are [ErrBadName], [ErrNameTaken], and [ErrNoAccount] if the account has no decision or is deleted.
func (a *Accounts) Rename(ctx context.Context, id match.PlayerID, name string) error {
	_, err := a.administrate(ctx, func() (Event, error) {
		info, looks := a.Info(id), a.config.Looks(name)
		owner, err := a.keeper(ctx, looks, id)
		switch {
		case err != nil:
			return Event{}, err
		case len(info.Keys) == 0:
			return Event{}, ErrNoAccount
		case name == "" || a.config.Clean(name) != name:
			return Event{}, ErrBadName
		case owner != "":
			return Event{}, ErrNameTaken
		}
		return Event{Kind: NameClaimed, Account: id, Key: info.Keys[0].ID, Name: name, Looks: looks}, nil
	})
	return err
}

// MakeCode returns a code that links one more key to the account, once and within [CodeTTL]. The code replaces an
// earlier one. The error is [ErrTooManyKeys].
func (a *Accounts) MakeCode(ctx context.Context, c Caller) (match.Code, error) {
	code := newCode()
	err := a.change(ctx, c, func() (Event, error) {
		if len(a.Info(c.Account).Keys) >= MaxKeys {
			return Event{}, ErrTooManyKeys
		}
		return Event{Kind: CodeMade, Code: a.hashCode(code)}, nil
	})
	return code, err
}

// Link links the caller's key to the account that made the code. Errors are [ErrWrongCode], [ErrOwnCode],
// [ErrTooManyKeys], [ErrTooOften] and [ErrOwnAccount]. The last one means that the key's own account has a name,
// another key or a requested deletion. After a link that account would be out of reach.
func (a *Accounts) Link(ctx context.Context, c Caller, code match.Code) error {
	now, charged := a.now(), a.payers(c)
	if !a.wrongCodes.Allows(now, charged) {
		return ErrTooOften
	}
	err := a.change(ctx, c, func() (Event, error) {
		owner, own := a.accountByCode(a.hashCode(code.Normalize())), a.Info(c.Account)
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
		a.wrongCodes.Charge(now, charged)
		a.wrongCodes.ChargeAll(now, charged)
	}
	return err
}

// RemoveKey removes a key from the account. A linked key gets its own account again, and the first key of the account
// gets a new account. Errors are [ErrNoSuchKey] and [ErrLastKey].
func (a *Accounts) RemoveKey(ctx context.Context, c Caller, key KeyID) error {
	return a.takeBack(ctx, c, func() (Event, error) {
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

// SetPreferences records p unless the account has these preferences already.
func (a *Accounts) SetPreferences(ctx context.Context, c Caller, p Preferences) error {
	if a.Info(c.Account).Preferences == p {
		return nil
	}
	return a.change(ctx, c, func() (Event, error) { return Event{Kind: PreferencesSet, Preferences: p}, nil })
}

// The keys of [Accounts.Prefer].
const (
	Notify  = "notify"  // the topic of messages outside the terminal, "" if off
	Program = "program" // "yes" for the account of a program
)

// Prefer records a preference unless it has this value already. The error is [ErrNoSuchPreference] if no constant above
// is key, or value is longer than 64 bytes.
func (a *Accounts) Prefer(ctx context.Context, c Caller, key, value string) error {
	if key != Notify && key != Program || len(value) > maxPreference {
		return ErrNoSuchPreference
	}
	if a.Preference(c.Account, key) == value {
		return nil
	}
	return a.change(ctx, c, func() (Event, error) { return Event{Kind: Preferred, Name: key, Value: value}, nil })
}

const maxPreference = 64

// Block hides the players of two accounts from each other, see manager.Config. The blocked player is not told. Errors
// are [ErrBlockSelf] and [ErrManyBlocks].
func (a *Accounts) Block(ctx context.Context, c Caller, p match.PlayerID) error {
	switch {
	case p == c.Account:
		return ErrBlockSelf
	case slices.Contains(a.Info(c.Account).Blocked, p):
		return nil
	}
	return a.change(ctx, c, func() (Event, error) {
		if len(a.Info(c.Account).Blocked) >= MaxBlocked {
			return Event{}, ErrManyBlocks
		}
		return Event{Kind: Blocked, Player: p}, nil
	})
}

// Unblock lifts the caller's block of p, if any.
func (a *Accounts) Unblock(ctx context.Context, c Caller, p match.PlayerID) error {
	if !slices.Contains(a.Info(c.Account).Blocked, p) {
		return nil
	}
	return a.takeBack(ctx, c, func() (Event, error) { return Event{Kind: Unblocked, Player: p}, nil })
}

// Delete schedules the deletion of the account after [UndoPeriod]. name is the name that the player is shown under,
// and confirm is the text that the player typed. Errors are [ErrWrongName] if the two differ, and [ErrDeleting].
func (a *Accounts) Delete(ctx context.Context, c Caller, name, confirm string) error {
	return a.change(ctx, c, func() (Event, error) {
		if confirm != name {
			return Event{}, ErrWrongName
		}
		if !a.Info(c.Account).DeletedAt.IsZero() {
			return Event{}, ErrDeleting
		}
		return Event{Kind: DeletionRequested, ShownID: newID()}, nil
	})
}

// Undo cancels a deletion that has not taken effect. The error is [ErrNotDeleting].
func (a *Accounts) Undo(ctx context.Context, c Caller) error {
	return a.takeBack(ctx, c, func() (Event, error) {
		if a.Info(c.Account).DeletedAt.IsZero() {
			return Event{}, ErrNotDeleting
		}
		return Event{Kind: DeletionUndone}, nil
	})
}

// Export calls write with the stored data of the account and its events. An account has one export at a time, and a
// second one waits. Errors are [ErrTooOften] and those of write.
func (a *Accounts) Export(ctx context.Context, c Caller, write func(Info, []Event) error) error {
	switch {
	case c.Key == "":
		return ErrGuest
	case !a.exports.TryCharge(a.now(), a.payers(c)):
		return ErrTooOften
	}
	ended := make(chan struct{})
	defer close(ended)
	for {
		other, isRunning := a.exporting.LoadOrStore(c.Account, ended)
		if !isRunning {
			break
		}
		select {
		case <-other.(chan struct{}):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	defer a.exporting.Delete(c.Account)
	info := a.CallerInfo(c)
	return write(info, a.AccountEvents(info))
}

// AccountEvents returns the events of an account, and the bans on the account and its keys without the administrators'
// names. Unlike Export it has no limit, because administrators call it.
func (a *Accounts) AccountEvents(of Info) (all []Event) {
	a.mu.RLock()
	seqs := slices.Clone(a.banEvents)
	if stored := a.accounts[of.ID]; stored != nil { // of is empty for a deleted account
		seqs = append(seqs, stored.events...)
	}
	a.mu.RUnlock()
	slices.Sort(seqs)
	for _, seq := range seqs {
		e := a.config.Log.Event(seq)
		if e.Ban != nil && (e.Ban.Account == of.ID || of.hasKey(e.Ban.Key)) {
			ban := *e.Ban
			ban.By, e.Ban = "", &ban
		} else if e.Account != of.ID {
			continue
		}
		all = append(all, e)
	}
	return all
}

// CallerInfo returns the info of the caller's account. Keys has the caller's key even if the log has no event of the
// account.
func (a *Accounts) CallerInfo(c Caller) Info {
	info := a.Info(c.Account)
	if len(info.Keys) == 0 && c.Key != "" {
		info.Keys = []Key{{ID: c.Key}}
	}
	return info
}

func newID() match.PlayerID {
	b := make([]byte, idBytes)
	_, _ = rand.Read(b) // never fails
	return match.PlayerID(strings.ToLower(base32.StdEncoding.EncodeToString(b)))
}

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

// Error tells the player why no event was recorded.
type Error string

// Error implements error.
func (e Error) Error() string { return string(e) }

// Errors of decisions about an account.
const (
	ErrGuest    Error = "a guest has no account: make a key with ssh-keygen, and log in again"
	ErrReadOnly Error = "accounts cannot be changed here: a newer version of the server has changed them"
	ErrTooOften Error = "this was done too often: try again in a few minutes"

	ErrBadName     Error = "that name is not allowed: see help name"
	ErrNameTaken   Error = "another player has claimed this name, or one that looks like it"
	ErrNameTooSoon Error = "a name can be changed once in 30 days"

	ErrNoAccount    Error = "the server does not know the key of this account: it has no claimed name and only one key"
	ErrNoSuchPlayer Error = "no account has this name or identifier"

	ErrTooManyKeys Error = "an account has at most eight keys: remove one first"
	ErrWrongCode   Error = "this code is wrong, used or older than ten minutes: make a new one with key add"
	ErrOwnAccount  Error = "this key has an account of its own in use: link the key after the deletion of that account"
	ErrOwnCode     Error = "this key has the account that made the code: log in with the other key to use it"
	ErrNoSuchKey   Error = "the account has no such key"
	ErrLastKey     Error = "this is the only key of the account: link another one first, or delete the account"

	ErrBlockSelf        Error = "you cannot block yourself"
	ErrManyBlocks       Error = "an account blocks at most 200 players: unblock one first"
	ErrNoSuchPreference Error = "there is no such preference"

	ErrWrongName   Error = "this is not the name of the account: me shows the name"
	ErrDeleting    Error = "the account will be deleted already: me undo keeps it"
	ErrNotDeleting Error = "the account is not going to be deleted"

	ErrBanLasts  Error = "a ban of an address or a network must end within 30 days"
	ErrManyBans  Error = "10000 bans are in force: remove some first"
	ErrNoSuchBan Error = "there is no such ban"
)
