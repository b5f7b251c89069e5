package account

import (
	"bytes"
	"encoding/json"
	"errors"
	"regexp"

	"notakto/match"
)

// Erasure maps each erased account to its replacement, a new random account for old records. The replacement is a
// deleted account. If the erased account was deleted already, old matches still show the ID that they showed before
// (see [Erasure.DeletionEvent]).
type Erasure map[match.PlayerID]match.PlayerID

// Deleted returns the accounts with a deletion in effect, without the replacements of erased accounts. The only key
// of a replacement is empty.
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

// NewErasure maps the accounts in ids to new random accounts. NewErasure adds the further own accounts of their keys,
// except a key's present account and an account that the key was removed from.
//
// For example, the player of a key deletes its account A, plays under its next own account B, and links the key to
// account C. The erasure of C includes A and B. The erasure of A includes B, but not C.
func (d *Directory) NewErasure(ids ...match.PlayerID) Erasure {
	now := d.now()
	d.mu.RLock()
	defer d.mu.RUnlock()
	all := Erasure{}
	for _, id := range ids {
		all[id] = newID()
		if d.accounts[id] == nil {
			continue
		}
		for _, key := range d.accounts[id].Keys {
			current := d.currentAccount(key.ID, now)
			for _, own := range d.ownAccounts(key.ID, now) {
				if a := d.accounts[own]; own != current && (a == nil || a.hasKey(key.ID)) {
					all[own] = newID()
				}
			}
		}
	}
	delete(all, "")
	return all
}

// ErasureHash returns a hash that records the erasure of an account. The account cannot be computed from the hash.
func (d *Directory) ErasureHash(id match.PlayerID) string {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return keyedHash(d.secret, "erased "+string(id))
}

// DeletionEvent returns the event that marks the replacement of id as a deleted account.
func (e Erasure) DeletionEvent(d *Directory, id match.PlayerID) Event {
	d.mu.RLock()
	defer d.mu.RUnlock()
	mark := Event{Kind: DeletionRequested, Account: e[id]}
	if a := d.accounts[id]; a != nil {
		mark.ShownID = a.shownID
	}
	if mark.ShownID == "" {
		mark.ShownID = match.PlayerID(keyedHash(d.secret, "instead of "+string(e[id])))
	}
	return mark
}

// ErasePlayer returns the player to show in an old match in place of p.
func (e Erasure) ErasePlayer(p match.Player) (_ match.Player, erased bool) {
	instead, erased := e[p.ID]
	if !erased {
		return p, false
	}
	p.ID, p.Name = instead, GivenName(instead)
	return p, true
}

// EraseText returns a record of administrators in JSON, such as a ban, without the erased accounts. EraseText replaces
// identifiers, and names after an @. A name with a letter, digit or _ after it is the beginning of another name.
func (e Erasure) EraseText(d *Directory, text []byte) []byte {
	d.mu.RLock()
	defer d.mu.RUnlock()
	for id, instead := range e {
		text = bytes.ReplaceAll(text, []byte(id), []byte(instead))
		if a := d.accounts[id]; a != nil && a.Name != "" {
			quoted, _ := json.Marshal(a.Name) // never fails
			name := regexp.MustCompile("(?i)@" + regexp.QuoteMeta(string(quoted[1:len(quoted)-1])) + `([\pL\pM\pN_]?)`)
			text = name.ReplaceAllFunc(text, func(found []byte) []byte {
				if len(name.FindSubmatch(found)[1]) > 0 {
					return found
				}
				return []byte("@" + GivenName(instead))
			})
		}
	}
	return text
}

// EraseEntry returns the log entry that replaces body, and whether it differs. isUsed reports whether the store has
// data of an account.
//
// If a key of the erased account has a newer own account, the new entry records that the key lost the erased one.
// Without that record, [Directory.Account] would return the erased account for the key.
func (e Erasure) EraseEntry(d *Directory, body []byte, isUsed func(match.PlayerID) bool) (
	_ []byte, erased bool, err error,
) {
	event, err := Decode(body)
	instead := e[event.Account]
	if blocked := e[event.Player]; err == nil && blocked != "" && instead == "" {
		event.Player = blocked
		body, err = Encode(event)
		return body, true, err
	}
	switch {
	case errors.Is(err, match.ErrNewer) || errors.Is(err, match.ErrDamaged):
		return body, false, nil // such an entry makes the accounts read-only
	case err != nil:
		return nil, false, err
	case event.Account != "" && instead == "":
		return body, false, nil
	case event.Account == "":
		replacement := e.EraseText(d, body)
		return replacement, !bytes.Equal(replacement, body), nil
	}
	replacement := e.DeletionEvent(d, event.Account)
	if key, isRemoved, ok := d.keyWithNewerAccount(event.Account, isUsed); ok {
		if replacement.Account, replacement.Key = event.Account, key; isRemoved {
			replacement = Event{Kind: KeyRemoved, Account: event.Account, Key: key}
		}
	}
	body, err = Encode(replacement)
	return body, true, err
}

// keyWithNewerAccount returns the first key of account id that has a newer own account. The key was removed from the
// account if isRemoved is true, and otherwise the account is deleted.
func (d *Directory) keyWithNewerAccount(id match.PlayerID, isUsed func(match.PlayerID) bool) (
	key KeyID, isRemoved, ok bool,
) {
	now := d.now()
	d.mu.RLock()
	defer d.mu.RUnlock()
	a := d.accounts[id]
	if a == nil {
		return "", false, false
	}
	for _, k := range a.Keys {
		if a.isDeleted(now) && d.hasNewerAccount(k.ID, id, isUsed) {
			return k.ID, false, true
		}
	}
	for _, key := range a.removed {
		if !a.hasKey(key) && d.hasNewerAccount(key, id, isUsed) {
			return key, true, true
		}
	}
	return "", false, false
}

// hasNewerAccount reports whether id is an own account of key, and key has a newer own account. The caller holds the
// lock.
func (d *Directory) hasNewerAccount(key KeyID, id match.PlayerID, isUsed func(match.PlayerID) bool) bool {
	for generation := 0; ; generation++ {
		own := ownID(d.secret, key, generation)
		if d.accounts[own] == nil {
			return false
		}
		if next := ownID(d.secret, key, generation+1); own == id {
			return d.accounts[next] != nil || isUsed(next)
		}
	}
}
