package account

import (
	"bytes"
	"errors"
	"regexp"

	"notakto/match"
)

// Erasure maps each account to erase to the new random account that takes its place in old records. The replacement is
// a deleted account. If the erased account was deleted already, old matches go on showing the ID that they showed
// before: see Mark.
type Erasure map[match.PlayerID]match.PlayerID

// Deleted returns the accounts whose deletion has taken effect, without the replacements of erased accounts, which have
// no key.
func (d *Directory) Deleted() (all []match.PlayerID) {
	now := d.now()
	d.mu.RLock()
	defer d.mu.RUnlock()
	for id, a := range d.accounts {
		if a.isDeleted(now) && !a.hasKey("") {
			all = append(all, id)
		}
	}
	return all
}

// Erase returns the erasure of accounts, including those that their keys had before they were linked.
func (d *Directory) Erase(ids ...match.PlayerID) Erasure {
	d.mu.RLock()
	defer d.mu.RUnlock()
	all := Erasure{}
	for _, id := range ids {
		all[id] = newID()
		if a := d.accounts[id]; a != nil {
			for _, key := range a.Keys {
				all[match.PlayerID(key.ID)] = newID()
			}
		}
	}
	delete(all, "")
	return all
}

// Trace returns the text that records the erasure of an account without revealing it.
func (d *Directory) Trace(id match.PlayerID) string {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return hashed(d.secret, "erased "+string(id))
}

// Mark returns the event that marks the replacement of id as a deleted account.
func (e Erasure) Mark(d *Directory, id match.PlayerID) Event {
	d.mu.RLock()
	defer d.mu.RUnlock()
	mark := Event{Kind: DeletionAsked, Account: e[id]}
	if a := d.accounts[id]; a != nil {
		mark.Instead = a.instead
	}
	if mark.Instead == "" {
		mark.Instead = match.PlayerID(hashed(d.secret, "instead of "+string(e[id])))
	}
	return mark
}

// Player returns the player to show in an old match in place of p.
func (e Erasure) Player(p match.Player) (_ match.Player, erased bool) {
	instead, erased := e[p.ID]
	if !erased {
		return p, false
	}
	p.ID, p.Name = instead, GivenName(instead)
	return p, true
}

// Text returns a text of administrators, such as a ban or an audit record, without the erased accounts. It replaces
// identifiers, and names that follow an @.
func (e Erasure) Text(d *Directory, text []byte) []byte {
	d.mu.RLock()
	defer d.mu.RUnlock()
	for id, instead := range e {
		text = bytes.ReplaceAll(text, []byte(id), []byte(instead))
		if a := d.accounts[id]; a != nil && a.Name != "" {
			name := regexp.MustCompile("(?i)@" + regexp.QuoteMeta(a.Name))
			text = name.ReplaceAllLiteral(text, []byte("@"+GivenName(instead)))
		}
	}
	return text
}

// Entry returns the log entry that replaces body, and whether it differs. isUsed reports whether an account has
// matches. If a key of the erased account has a newer account, the entry is the deletion of the old account by that
// key. Without this deletion in the log, the key would lead to the old account instead of the newer one.
func (e Erasure) Entry(d *Directory, body []byte, isUsed func(match.PlayerID) bool) (_ []byte, erased bool, err error) {
	event, err := Decode(body)
	instead := e[event.Account]
	switch {
	case errors.Is(err, match.ErrNewer) || errors.Is(err, match.ErrDamaged):
		return body, false, nil // such an entry makes the accounts read-only
	case err != nil:
		return nil, false, err
	case event.Account != "" && instead == "":
		return body, false, nil
	case event.Account == "":
		left := e.Text(d, body)
		return left, !bytes.Equal(left, body), nil
	}
	left := e.Mark(d, event.Account)
	if key, ok := d.succeeded(event.Account, isUsed); ok {
		left.Account, left.Key = event.Account, key
	}
	body, err = Encode(left)
	return body, true, err
}

// succeeded returns the key of a deleted account that has a newer account.
func (d *Directory) succeeded(id match.PlayerID, isUsed func(match.PlayerID) bool) (key KeyID, ok bool) {
	now := d.now()
	d.mu.RLock()
	defer d.mu.RUnlock()
	a := d.accounts[id]
	if a == nil || !a.isDeleted(now) {
		return "", false
	}
	for _, k := range a.Keys {
		for generation := 0; ; generation++ {
			own := ownID(d.secret, k.ID, generation)
			if d.accounts[own] == nil {
				break
			}
			next := ownID(d.secret, k.ID, generation+1)
			if own == id && (d.accounts[next] != nil || isUsed(next)) {
				return k.ID, true
			}
		}
	}
	return "", false
}
