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

// ticketKey is the key prefix of tickets in the registry. The player's ID follows: a player has one ticket at most.
const ticketKey = "seek."

// ticketVersion is the version of the tickets that this program writes, and the highest that it reads and rewrites.
const ticketVersion = 4

// errNewerTicket says that a newer version of the program wrote a ticket. The ticket may have fields that a
// rewrite by this version would drop.
var errNewerTicket = errors.New("it was written by a newer version of the program")

// ticket is a seek as stored in the registry, in JSON.
type ticket struct {
	Version int            `json:"version"`
	Player  match.Player   `json:"player"`
	Accepts []match.Terms  `json:"accepts"`          // at least one, the preferred ones first
	Node    match.Node     `json:"node"`             // the player's node
	Seek    uint64         `json:"seek"`             // the number of the seek on that node
	Since   time.Time      `json:"since,omitzero"`   // when the ticket was first put
	Ticket  uint64         `json:"ticket,omitempty"` // the order of the tickets
	Match   match.ID       `json:"match,omitempty"`  // the match for which the player was paired, if any
	Other   match.PlayerID `json:"other,omitempty"`  // the opponent in that match
	From    []string       `json:"from,omitempty"`   // the player's networks, smallest first
	// Forgives says that the player also meets players who did not move in time in a match with the player.
	Forgives bool `json:"forgives,omitempty"`

	entry match.Entry
}

func keyOf(p match.PlayerID) string {
	sum := sha256.Sum256([]byte(p))
	return ticketKey + hex.EncodeToString(sum[:16])
}

// parseTicket decodes an entry. A new ticket gets its time and its order from the entry.
func parseTicket(n match.Entry) (ticket, error) {
	p := ticket{entry: n}
	err := json.Unmarshal(n.Text, &p)
	if p.Version > ticketVersion {
		err = errNewerTicket
	}
	if err != nil {
		return ticket{}, fmt.Errorf("the entry %q: %w", n.Key, err)
	}
	if p.Player.ID == "" || checkAccepted(p.Accepts) != nil || keyOf(p.Player.ID) != n.Key {
		return ticket{}, fmt.Errorf("the entry %q is no place in a queue", n.Key)
	}
	if p.Ticket == 0 {
		p.Since, p.Ticket = n.At, n.Revision
	}
	return p, nil
}

// checkAccepted returns an error unless a player may seek an opponent for these terms.
func checkAccepted(accepted []match.Terms) error {
	if len(accepted) == 0 || len(accepted) > match.MaxAccepted {
		return rules.ErrBadVariant
	}
	for _, terms := range accepted {
		if err := match.CheckTerms(terms); err != nil {
			return err
		}
	}
	return nil
}

// agree returns the terms on which the players of two tickets play. Of the terms in both lists, agreed has the
// lowest sum of its two indexes. In a tie, the terms nearer the front of first win. found is false if the lists
// have no terms in common.
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

// toPutPaired returns the entry to put for a ticket that is paired with other in a match.
func (t ticket) toPutPaired(id match.ID, other ticket) match.Entry {
	t.Match, t.Other = id, other.Player.ID
	return t.toPut()
}

// isRated reports whether the player accepts rated terms.
func (t ticket) isRated() bool {
	return slices.ContainsFunc(t.Accepts, func(terms match.Terms) bool { return terms.Pool.IsRated() })
}

// isOfBots reports whether the ticket is for rated pairs of programs only.
func (t ticket) isOfBots() bool {
	return !slices.ContainsFunc(t.Accepts, func(terms match.Terms) bool { return terms.Pool != match.BotPool })
}

// waits reports whether t exists and is not paired.
func (t ticket) waits() bool { return t.Player.ID != "" && t.Match == "" }

// isRenewalOf reports whether t is the same ticket as another, put again so that it does not expire.
func (t ticket) isRenewalOf(other ticket) bool {
	return t.Player.ID == other.Player.ID && t.Node == other.Node && t.Seek == other.Seek && t.Ticket == other.Ticket &&
		t.Match == other.Match && t.Forgives == other.Forgives && slices.Equal(t.Accepts, other.Accepts)
}
