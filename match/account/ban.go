package account

import (
	"cmp"
	"context"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"notakto/match"
	"notakto/match/limit"
)

const (
	// MaxBans limits the bans in force.
	MaxBans = 10_000
	// MaxNetworkBan limits a ban of a network. Another person may soon have the address, and an address is personal
	// data.
	MaxNetworkBan = 30 * 24 * time.Hour

	// Administrators may make banBurst bans and renames at once, and one more after each banInterval, because events
	// stay for good.
	banBurst    = 1000
	banInterval = 10 * time.Second
)

// Subject is the target of a ban, named by one of the three fields. A query to BansOn may set several fields.
type Subject struct {
	Account match.PlayerID `json:"account,omitempty"`
	Key     KeyID          `json:"key,omitempty"`
	Network netip.Prefix   `json:"network,omitzero"` // masked, full length for an address
}

// Ban keeps a subject out.
type Ban struct {
	Subject
	Reference string    `json:"reference,omitempty"` // names the ban, set by recorded
	Since     time.Time `json:"since,omitzero"`      // set by recorded
	Until     time.Time `json:"until,omitzero"`      // zero for no end
	Reason    string    `json:"reason,omitempty"`
	By        string    `json:"by,omitempty"` // the administrator
}

func (b Ban) isOver(now time.Time) bool { return !b.Until.IsZero() && !now.Before(b.Until) }

// recorded returns b with the Reference and the Since of its event.
func (b Ban) recorded(e Event) Ban {
	b.Reference, b.Since = "B"+strconv.FormatUint(e.Seq, 10), e.At.UTC()
	return b
}

// bans maps each subject to its ban. Bans that are over may remain.
type bans map[Subject]Ban

func (b bans) apply(e Event) {
	switch e.Kind {
	case Banned:
		b[e.Ban.Subject] = e.Ban.recorded(e)
	case BanLifted:
		delete(b, e.Ban.Subject)
	}
	if len(b) > MaxBans {
		for s, ban := range b {
			if ban.isOver(e.At) {
				delete(b, s)
			}
		}
	}
}

// IsBanReference reports whether a text has the form of a ban's reference.
func IsBanReference(text string) bool {
	number, ok := strings.CutPrefix(text, "B")
	_, err := strconv.ParseUint(number, 10, 64)
	return ok && err == nil
}

// Bans returns the bans that are in force, the oldest first.
func (d *Directory) Bans() []Ban {
	now := d.now()
	d.mu.RLock()
	all := make([]Ban, 0, len(d.bans))
	for _, ban := range d.bans {
		if !ban.isOver(now) {
			all = append(all, ban)
		}
	}
	d.mu.RUnlock()
	slices.SortFunc(all, func(a, b Ban) int {
		return cmp.Or(a.Since.Compare(b.Since), cmp.Compare(a.Reference, b.Reference))
	})
	return all
}

// BansOn returns the bans in force that keep out any part of s, the longest first:
//
//   - A key is kept out by bans on it, on the account that it is linked to, and on its own accounts, also earlier ones.
//   - An account is kept out by bans on it. If s.Key is empty, bans on the account's keys keep it out too.
//   - A network is kept out by bans on it and on networks that contain it.
func (d *Directory) BansOn(s Subject) []Ban {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if len(d.bans) == 0 {
		return nil
	}
	now, found := d.now(), []Ban(nil)
	for _, s := range d.banningSubjects(s) {
		if ban, ok := d.bans[s]; ok && !ban.isOver(now) && !slices.Contains(found, ban) {
			found = append(found, ban)
		}
	}
	slices.SortStableFunc(found, func(a, b Ban) int {
		switch {
		case a.Until.IsZero() == b.Until.IsZero():
			return b.Until.Compare(a.Until)
		case a.Until.IsZero():
			return -1
		default:
			return 1
		}
	})
	return found
}

// banningSubjects returns the subjects to look up in d.bans for s. The caller holds the lock.
func (d *Directory) banningSubjects(s Subject) (all []Subject) {
	if s.Account != "" {
		all = append(all, Subject{Account: s.Account})
	}
	if s.Key != "" {
		all = append(all, Subject{Key: s.Key})
		accounts := d.ownAccounts(s.Key, d.now())
		if owner, linked := d.owners[s.Key]; linked {
			accounts = append(accounts, owner)
		}
		for _, id := range accounts {
			all = append(all, Subject{Account: id})
		}
	} else if a := d.accounts[s.Account]; s.Account != "" {
		all = append(all, Subject{Key: KeyID(s.Account)})
		for i := 0; a != nil && i < len(a.Keys); i++ {
			all = append(all, Subject{Key: a.Keys[i].ID})
		}
	}
	for bits := s.Network.Bits(); bits >= 0; bits-- {
		all = append(all, Subject{Network: netip.PrefixFrom(s.Network.Addr(), bits).Masked()})
	}
	return all
}

// OnKick makes d call fn with the ban of every later event that has Kick set, from any node. OnKick replaces an earlier
// function. fn must not block or decide about an account.
func (d *Directory) OnKick(fn func(Ban)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.onKick = fn
}

// Ban bans a subject for a time, or for good if lasts is 0, and returns the recorded ban. The ban replaces an older
// one on the subject. With kick, the sessions that the ban keeps out end. Errors are [ErrManyBans], [ErrTooOften], and
// [ErrBanLasts] for a negative time, or for a network without an end within [MaxNetworkBan].
func (a *Accounts) Ban(ctx context.Context, b Ban, lasts time.Duration, kick bool) (Ban, error) {
	if lasts < 0 || b.Network.IsValid() && (lasts == 0 || lasts > MaxNetworkBan) {
		return Ban{}, ErrBanLasts
	}
	e, err := a.administrate(ctx, func() (Event, error) {
		if lasts > 0 {
			b.Until = a.now().Add(lasts).Truncate(time.Millisecond).UTC()
		}
		all := a.Bans()
		if len(all) >= MaxBans && !slices.ContainsFunc(all, func(other Ban) bool { return other.Subject == b.Subject }) {
			return Event{}, ErrManyBans
		}
		return Event{Kind: Banned, Ban: &b, Kick: kick}, nil
	})
	if err != nil {
		return Ban{}, err
	}
	return b.recorded(e), nil
}

// Unban lifts the ban on a subject and returns it, or [ErrNoSuchBan]. Other bans that keep out the player stay. Unban
// needs no rate limit, because a ban can be lifted only once.
func (a *Accounts) Unban(ctx context.Context, s Subject, by string) (lifted Ban, err error) {
	_, err = a.record(ctx, func() (Event, error) {
		all := a.Bans()
		i := slices.IndexFunc(all, func(b Ban) bool { return b.Subject == s })
		if i < 0 {
			return Event{}, ErrNoSuchBan
		}
		lifted = all[i]
		return Event{Kind: BanLifted, Ban: &Ban{Subject: s, By: by}}, nil
	})
	return lifted, err
}

// administrate records the event that decide returns, on behalf of an administrator.
func (a *Accounts) administrate(ctx context.Context, decide func() (Event, error)) (Event, error) {
	if !a.administratorChanges.Allow(a.now(), limit.Payer{Multiple: 1}) {
		return Event{}, ErrTooOften
	}
	return a.record(ctx, decide)
}
