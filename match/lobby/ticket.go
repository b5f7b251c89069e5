package lobby

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"notakto/match"
	"notakto/rules"
)

// ticketKeyPrefix begins the keys of tickets in the registry. A hash of the player's ID follows. A player has one
// ticket at most.
const ticketKeyPrefix = "seek."

// ticketVersion is the version of tickets that this program writes, and the highest that it reads and rewrites.
const ticketVersion = 4

// errNewerTicket says that a newer version of the program wrote a ticket. Rewriting such a ticket could drop fields.
var errNewerTicket = errors.New("it was written by a newer version of the program")

// ticket is a seek as JSON in the registry. The JSON names must not change, because nodes of other versions read them.
type ticket struct {
	Version    int            `json:"version"`
	Player     match.Player   `json:"player"`
	Accepts    []match.Terms  `json:"accepts"` // at least one, the preferred ones first
	Node       match.Node     `json:"node"`
	SeekNumber uint64         `json:"seek"`             // on Node
	Since      time.Time      `json:"since,omitzero"`   // when the ticket was first put
	Order      uint64         `json:"ticket,omitempty"` // of the queue, lowest first
	Match      match.ID       `json:"match,omitempty"`
	Opponent   match.PlayerID `json:"other,omitempty"`    // in Match
	Networks   []string       `json:"from,omitempty"`     // of the player, smallest first
	Forgives   bool           `json:"forgives,omitempty"` // see [Options]
	Meets      Meets          `json:"meets,omitempty"`    // older versions ignore Meets and IsProgram
	IsProgram  bool           `json:"program,omitempty"`

	entry   match.Entry
	isTaken bool // a newer ticket names Player as Opponent
}

func keyOf(p match.PlayerID) string {
	sum := sha256.Sum256([]byte(p))
	return ticketKeyPrefix + hex.EncodeToString(sum[:16])
}

// parseTicket decodes an entry. A new ticket takes Since and Order from its entry.
func parseTicket(e match.Entry) (ticket, error) {
	t := ticket{entry: e}
	err := json.Unmarshal(e.Text, &t)
	if t.Version > ticketVersion {
		err = errNewerTicket
	}
	if err != nil {
		return ticket{}, fmt.Errorf("the entry %q: %w", e.Key, err)
	}
	if t.Player.ID == "" || checkAccepted(t.Accepts) != nil || keyOf(t.Player.ID) != e.Key {
		return ticket{}, fmt.Errorf("the entry %q is not a valid ticket", e.Key)
	}
	if t.Order == 0 {
		t.Since, t.Order = e.At, e.Revision
	}
	return t, nil
}

// checkAccepted returns an error unless accepted holds one to [match.MaxAccepted] valid terms. Rated pairs with a clock
// of days are not for the queue, because a player could not make the first moves of both games in time.
func checkAccepted(accepted []match.Terms) error {
	if len(accepted) == 0 || len(accepted) > match.MaxAccepted {
		return rules.ErrBadVariant
	}
	for _, terms := range accepted {
		if err := match.ValidateTerms(terms); err != nil {
			return err
		}
		if terms.Pool.IsRated() && terms.Clock.IsCorrespondence() {
			return rules.ErrBadVariant
		}
	}
	return nil
}

// agree returns the terms in both lists with the lowest sum of their two indexes. In a tie the terms nearer the front
// of first win. found is false if the lists have no terms in common.
func agree(first, second []match.Terms) (agreed match.Terms, found bool) {
	lowest := len(first) + len(second)
	for i, terms := range first {
		if j := slices.Index(second, terms); j >= 0 && i+j < lowest {
			agreed, found, lowest = terms, true, i+j
		}
	}
	return agreed, found
}

// toPut returns the entry that replaces the ticket's current entry.
func (t ticket) toPut() match.Entry {
	t.Version = ticketVersion
	text, err := json.Marshal(t)
	if err != nil {
		panic(err) // no field can fail to encode
	}
	return match.Entry{Key: keyOf(t.Player.ID), Text: text, Revision: t.entry.Revision}
}

// toPutPaired returns the entry that says that t is paired with other in a match.
func (t ticket) toPutPaired(id match.ID, other ticket) match.Entry {
	t.Match, t.Opponent = id, other.Player.ID
	return t.toPut()
}

func (t ticket) isRated() bool {
	return slices.ContainsFunc(t.Accepts, func(terms match.Terms) bool { return terms.Pool.IsRated() })
}

// isOfBots reports whether the ticket is for rated pairs of programs only.
func (t ticket) isOfBots() bool {
	return !slices.ContainsFunc(t.Accepts, func(terms match.Terms) bool { return terms.Pool != match.BotPool })
}

// kind says whether a player is a program, and which players the player wants to meet. The lowest bit is set for a
// program.
type kind uint8

// Values of kind, without the lowest bit.
const (
	wantsAll kind = 2 * iota
	wantsPeople
	wantsPrograms
	kinds // the number of kinds
)

// kind ignores Meets in a ticket with rated terms, because the pool of a rated pair decides who meets.
func (t ticket) kind() (k kind) {
	if t.IsProgram {
		k = 1
	}
	switch {
	case t.Meets == "" || t.isRated():
		return k + wantsAll
	case t.Meets == MeetsPrograms:
		return k + wantsPrograms
	default:
		return k + wantsPeople
	}
}

func (k kind) isProgram() bool { return k%2 == 1 }

// wants reports whether a player of kind k wants to meet one of kind other.
func (k kind) wants(other kind) bool {
	meets := k - k%2
	return meets == wantsAll || other.isProgram() == (meets == wantsPrograms)
}

// canMeet reports whether players of kinds k and other want to meet each other.
func (k kind) canMeet(other kind) bool { return k.wants(other) && other.wants(k) }

func (t ticket) isWaiting() bool { return t.Player.ID != "" && t.Match == "" && !t.isTaken }

// isRenewalOf reports whether t differs from other only by a renewal.
func (t ticket) isRenewalOf(other ticket) bool {
	return t.Player.ID == other.Player.ID && t.Node == other.Node && t.SeekNumber == other.SeekNumber &&
		t.Order == other.Order && t.Match == other.Match && t.Forgives == other.Forgives &&
		t.Meets == other.Meets && t.IsProgram == other.IsProgram && slices.Equal(t.Accepts, other.Accepts)
}
