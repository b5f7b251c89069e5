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

// ticketKey is the key prefix of tickets in the registry. The player's ID follows: a player has one ticket at most.
const ticketKey = "seek."

// ticketVersion is the version of the tickets that this program writes, and the highest that it reads and rewrites.
// Tickets without a version are of version 1.
const ticketVersion = 1

// errNewerTicket says that a newer version of the program wrote a ticket. It may have fields that a rewrite would drop.
var errNewerTicket = errors.New("it was written by a newer version of the program")

// ticket is a seek as stored in the registry, in JSON.
type ticket struct {
	Version int          `json:"version"`
	Player  match.Player `json:"player"`
	match.Terms
	Node   match.Node   `json:"node"`             // the player's node
	Seek   uint64       `json:"seek"`             // the number of the seek on that node
	Since  time.Time    `json:"since,omitzero"`   // when the ticket was first put
	Ticket uint64       `json:"ticket,omitempty"` // the order of the tickets
	Match  match.ID     `json:"match,omitempty"`  // the match that the player is paired in, or empty
	Side   rules.Side   `json:"side,omitempty"`
	Claims bool         `json:"claims,omitempty"` // by the player's own node: final once the other ticket names the match
	Other  match.Player `json:"other,omitzero"`   // the opponent
	Away   match.Node   `json:"away,omitempty"`   // the opponent's node
	From   []string     `json:"from,omitempty"`   // the player's networks, smallest first

	entry match.Entry
}

func keyOf(p match.PlayerID) string {
	sum := sha256.Sum256([]byte(p))
	return ticketKey + hex.EncodeToString(sum[:16])
}

// text returns the text of the ticket's entry.
func (p ticket) text() []byte {
	p.Version = ticketVersion
	text, err := json.Marshal(p)
	if err != nil {
		panic(err) // no field can fail to encode
	}
	return text
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
	if p.Player.ID == "" || match.CheckTerms(p.Terms) != nil || keyOf(p.Player.ID) != n.Key {
		return ticket{}, fmt.Errorf("the entry %q is no place in a queue", n.Key)
	}
	if p.Ticket == 0 {
		p.Since, p.Ticket = n.At, n.Revision
	}
	return p, nil
}

// promised returns p with a pairing: match id, p on side, against other.
func (p ticket) promised(id match.ID, side rules.Side, other ticket) ticket {
	p.Match, p.Side, p.Other, p.Away = id, side, other.Player, other.Node
	return p
}

// free returns p without a pairing.
func (p ticket) free() ticket {
	p.Match, p.Side, p.Other, p.Away, p.Claims = "", rules.Nobody, match.Player{}, "", false
	return p
}

// holds reports whether p's pairing is final.
func (p ticket) holds() bool { return p.Match != "" && !p.Claims }

func isTicket(n match.Entry) bool { return strings.HasPrefix(n.Key, ticketKey) }

// opening returns the match that the ticket is paired in.
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
