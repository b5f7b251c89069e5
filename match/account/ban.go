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
	// NetworkBanLasts limits a ban of a network: another person may soon have the address, and it is personal data.
	NetworkBanLasts = 30 * 24 * time.Hour

	// Events stay for good. So administrators may make banBurst bans and renames at once, and one more after each
	// banInterval.
	banBurst    = 1000
	banInterval = 10 * time.Second
)

// Subject is the target of a ban, named by one of the three fields. A query to BansOn may set several fields.
type Subject struct {
	Account match.PlayerID `json:"account,omitempty"`
	Key     KeyID          `json:"key,omitempty"`
	Network netip.Prefix   `json:"network,omitzero"` // masked; an address is the network of itself
}

// Ban keeps a subject out.
type Ban struct {
	Subject
	Reference string    `json:"reference,omitempty"` // names the ban; set by the log
	Since     time.Time `json:"since,omitzero"`      // set by the log
	Until     time.Time `json:"until,omitzero"`      // zero for no end
	Reason    string    `json:"reason,omitempty"`
	By        string    `json:"by,omitempty"` // the administrator
}

// isOver reports whether a ban has ended.
func (b Ban) isOver(now time.Time) bool { return !b.Until.IsZero() && !now.Before(b.Until) }

// recorded returns the ban of an event with what the log has set.
func (b Ban) recorded(e Event) Ban {
	b.Reference, b.Since = "B"+strconv.FormatUint(e.Seq, 10), e.At.UTC()
	return b
}

// bans maps each subject to its ban. Bans that are over may remain.
type bans map[Subject]Ban

// apply takes an event about a ban.
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

// BansOn returns the bans in force that keep out any part of s, the longest first. A key is kept out by bans on it and
// on every account that it has or had. An account without a key is kept out by bans on it and on its keys. A network
// is kept out by bans on it and on networks that contain it.
func (d *Directory) BansOn(s Subject) []Ban {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if len(d.bans) == 0 {
		return nil
	}
	now, found := d.now(), []Ban(nil)
	for _, s := range d.withContaining(s) {
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

// withContaining returns every subject whose ban keeps out s. The caller holds the lock.
func (d *Directory) withContaining(s Subject) (all []Subject) {
	if s.Account != "" {
		all = append(all, Subject{Account: s.Account})
	}
	if s.Key != "" {
		all = append(all, Subject{Key: s.Key})
		for _, id := range d.everOf(s.Key, d.now()) {
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

// everOf returns the accounts that a key has or had. The caller holds the lock.
func (d *Directory) everOf(key KeyID, now time.Time) (all []match.PlayerID) {
	if owner, linked := d.owners[key]; linked {
		all = append(all, owner)
	}
	for generation := 0; ; generation++ {
		id := ownID(d.secret, key, generation)
		all = append(all, id)
		if a := d.accounts[id]; a == nil || !a.isDeleted(now) && a.hasKey(key) {
			return all
		}
	}
}

// OnKick sets the function that is called for each later ban with Kick, made on any node. OnKick replaces the previous
// function. fn must not block or decide about an account.
func (d *Directory) OnKick(fn func(Ban)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.onKick = fn
}

// Ban bans a subject for a time, or for good if lasts is 0, and returns the recorded ban. It replaces a ban on the
// same subject. With kick, the sessions that it keeps out end. A network can be banned for [NetworkBanLasts] at most.
// [ErrBanLasts], [ErrManyBans], [ErrTooOften].
func (a *Accounts) Ban(ctx context.Context, b Ban, lasts time.Duration, kick bool) (Ban, error) {
	if lasts < 0 || b.Network.IsValid() && (lasts == 0 || lasts > NetworkBanLasts) {
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

// Unban lifts the ban on a subject and returns it. Other bans that keep out the same player stay. There is no rate
// limit: a ban can be lifted only once. [ErrNoSuchBan].
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

// administrate records what decide returns for an administrator.
func (a *Accounts) administrate(ctx context.Context, decide func() (Event, error)) (Event, error) {
	if !a.bans.Allow(a.now(), limit.Account{Times: 1}) {
		return Event{}, ErrTooOften
	}
	return a.record(ctx, decide)
}
