package lobby

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"notakto/match"
	"notakto/rules"
)

// ticketKey is the prefix of the tickets' keys. A player's key is made of the player's ID, so that no player has two
// tickets.
const ticketKey = "seek."

// ticketVersion is the version of the tickets that this program writes, and the highest that it reads and rewrites.
// Those without one are of version 1.
const ticketVersion = 1

// errNewerTicket says that a newer version of the program wrote a ticket. It may have fields that a rewrite would
// drop.
var errNewerTicket = errors.New("it was written by a newer version of the program")

// ticket is a seek as all nodes see it on the registry, where it is JSON.
type ticket struct {
	Version int          `json:"version"`
	Player  match.Player `json:"player"`
	match.Terms
	Node   match.Node   `json:"node"`             // that the player is at
	Seek   uint64       `json:"seek"`             // by its number there
	Since  time.Time    `json:"since,omitzero"`   // when it was taken
	Ticket uint64       `json:"ticket,omitempty"` // the order in which places were taken
	Match  match.ID     `json:"match,omitempty"`  // of the pairing, or empty
	Side   rules.Side   `json:"side,omitempty"`
	Claims bool         `json:"claims,omitempty"` // the pairing is not final: it is once the other ticket has the same match
	Other  match.Player `json:"other,omitzero"`   // whom with
	Away   match.Node   `json:"away,omitempty"`   // that the other is at
	From   []string     `json:"from,omitempty"`   // the player's networks, the smallest first

	entry match.Entry
}

func keyOf(p match.PlayerID) string {
	sum := sha256.Sum256([]byte(p))
	return ticketKey + hex.EncodeToString(sum[:16])
}

// text is what is written on the entry.
func (p ticket) text() []byte {
	p.Version = ticketVersion
	text, err := json.Marshal(p)
	if err != nil {
		panic(err) // nothing in it can fail
	}
	return text
}

// parseTicket reads an entry. A new ticket has its time and its position from the entry.
func parseTicket(n match.Entry) (ticket, error) {
	p := ticket{entry: n}
	err := json.Unmarshal(n.Text, &p)
	if p.Version > ticketVersion {
		err = errNewerTicket
	}
	if err != nil {
		return ticket{}, fmt.Errorf("the entry %q: %w", n.Key, err)
	}
	if p.Player.ID == "" || match.CheckTerms(p.Terms) != nil || keyOf(p.Player.ID) != n.Key {
		return ticket{}, fmt.Errorf("the entry %q is no place in a queue", n.Key)
	}
	if p.Ticket == 0 {
		p.Since, p.Ticket = n.At, n.Revision
	}
	return p, nil
}

// promised is p with a pairing.
func (p ticket) promised(id match.ID, side rules.Side, other ticket) ticket {
	p.Match, p.Side, p.Other, p.Away = id, side, other.Player, other.Node
	return p
}

// free is p without its pairing.
func (p ticket) free() ticket {
	p.Match, p.Side, p.Other, p.Away, p.Claims = "", rules.Nobody, match.Player{}, "", false
	return p
}

// holds reports whether p has a pairing that is final.
func (p ticket) holds() bool { return p.Match != "" && !p.Claims }

func isTicket(n match.Entry) bool { return strings.HasPrefix(n.Key, ticketKey) }

// opening is the match of p's pairing.
func (p ticket) opening() match.Opening {
	o := match.Opening{
		Terms: p.Terms, Origin: match.QueueOrigin,
		Players: match.OnSide(p.Side, p.Player, p.Other), Nodes: [2]match.Node{p.Node, p.Away},
	}
	if p.Side == rules.Second {
		o.Nodes = [2]match.Node{p.Away, p.Node}
	}
	return o
}
