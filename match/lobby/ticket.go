package lobby

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"notakto/match"
	"notakto/rules"
)

// ticketKey is the key prefix of tickets in the registry. The player's ID follows: a player has one ticket at most.
const ticketKey = "seek."

// ticketVersion is the version of the tickets that this program writes, and the highest that it reads and rewrites.
// Tickets without a version are of version 1. Older nodes leave those of later versions alone: of version 2 are those
// with a clock, or of a player who accepts several terms; of version 3 those of a player who accepts rated terms.
const ticketVersion = 3

// errNewerTicket says that a newer version of the program wrote a ticket. It may have fields that a rewrite would drop.
var errNewerTicket = errors.New("it was written by a newer version of the program")

// ticket is a seek as stored in the registry, in JSON.
type ticket struct {
	Version     int           `json:"version"`
	Player      match.Player  `json:"player"`
	match.Terms               // of the match that the player is paired in, else the preferred ones
	Accepts     []match.Terms `json:"accepts,omitempty"` // if there are several: the preferred ones first
	Node        match.Node    `json:"node"`              // the player's node
	Seek        uint64        `json:"seek"`              // the number of the seek on that node
	Since       time.Time     `json:"since,omitzero"`    // when the ticket was first put
	Ticket      uint64        `json:"ticket,omitempty"`  // the order of the tickets
	promise
	From []string `json:"from,omitempty"` // the player's networks, smallest first
	// Forgives says that the player meets those too who did not move in time in a match with the player.
	Forgives bool `json:"forgives,omitempty"`

	entry match.Entry
}

// promise is the match that a player is paired in, if any.
type promise struct {
	Match  match.ID     `json:"match,omitempty"`
	Seed   string       `json:"seed,omitempty"` // of the openings, if the match is rated; see [match.PairGame]
	Side   rules.Side   `json:"side,omitempty"`
	Claims bool         `json:"claims,omitempty"` // by the player's own node: final once the other ticket names the match
	Other  match.Player `json:"other,omitzero"`   // the opponent
	Away   match.Node   `json:"away,omitempty"`   // the opponent's node
}

func keyOf(p match.PlayerID) string {
	sum := sha256.Sum256([]byte(p))
	return ticketKey + hex.EncodeToString(sum[:16])
}

func isTicket(n match.Entry) bool { return strings.HasPrefix(n.Key, ticketKey) }

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
	isDrawn := p.Match == "" || !p.Pool.IsRated() || p.Seed != ""
	if !isDrawn || p.Player.ID == "" || match.CheckTerms(p.Terms) != nil || checkAccepted(p.accepted()) != nil ||
		keyOf(p.Player.ID) != n.Key {
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

// agree returns the terms that two players play who seek an opponent: of those that both accept, the ones whose places
// in the two orders of preference have the lowest sum, and of several such the ones that the first player prefers. No
// terms are agreed if they have none in common.
func agree(first, second []match.Terms) (agreed match.Terms, found bool) {
	lowest := len(first) + len(second)
	for i, terms := range first {
		if j := slices.Index(second, terms); j >= 0 && i+j < lowest {
			agreed, found, lowest = terms, true, i+j
		}
	}
	return agreed, found
}

// text returns the text of the ticket's entry.
func (t ticket) text() []byte {
	switch {
	case t.isRated():
		t.Version = ticketVersion
	case len(t.Accepts) > 0 || !t.Clock.IsNone():
		t.Version = 2
	default:
		t.Version = 1 // which all nodes pair
	}
	text, err := json.Marshal(t)
	if err != nil {
		panic(err) // no field can fail to encode
	}
	return text
}

// accepting returns t with the terms that its player accepts, at least one.
func (t ticket) accepting(terms []match.Terms) ticket {
	t.Terms, t.Accepts = terms[0], nil
	if len(terms) > 1 {
		t.Accepts = terms
	}
	return t
}

// accepted returns the terms that the player accepts, the preferred ones first.
func (t ticket) accepted() []match.Terms {
	if len(t.Accepts) == 0 {
		return []match.Terms{t.Terms}
	}
	return t.Accepts
}

// isRated reports whether the player accepts rated terms.
func (t ticket) isRated() bool {
	return slices.ContainsFunc(t.accepted(), func(terms match.Terms) bool { return terms.Pool.IsRated() })
}

// isOfBots reports whether the ticket is for rated pairs of programs only.
func (t ticket) isOfBots() bool {
	return !slices.ContainsFunc(t.accepted(), func(terms match.Terms) bool { return terms.Pool != match.BotPool })
}

// promised returns t paired for the drawn match: on the agreed terms, with t's player on side, against other's.
func (t ticket) promised(drawn Drawn, agreed match.Terms, side rules.Side, other ticket) ticket {
	t.Terms = agreed
	t.promise = promise{Match: drawn.ID, Side: side, Claims: t.Claims, Other: other.Player, Away: other.Node}
	if agreed.Pool.IsRated() {
		t.Seed = drawn.Seed
	}
	return t
}

// free returns t without its pairing.
func (t ticket) free() ticket {
	t.promise = promise{}
	return t.accepting(t.accepted())
}

// waits reports whether t exists and is not paired.
func (t ticket) waits() bool { return t.Player.ID != "" && t.Match == "" }

// holds reports whether t names its match without Claims, as the second ticket of a pairing does: then that is final.
func (t ticket) holds() bool { return t.Match != "" && !t.Claims }

// isRenewalOf reports whether t is the same ticket as another, put again so that it does not expire.
func (t ticket) isRenewalOf(other ticket) bool {
	return t.Player.ID == other.Player.ID && t.Node == other.Node && t.Seek == other.Seek && t.Ticket == other.Ticket &&
		t.Match == other.Match && t.Claims == other.Claims && t.Forgives == other.Forgives &&
		slices.Equal(t.accepted(), other.accepted())
}
