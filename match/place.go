package match

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"notakto/rules"
)

// ticketKey is of the notes that hold places in the queues: one for each player, so that nobody has two.
const ticketKey = "seek."

// placeVersion is the version of the places that this program writes, and the highest that it reads and rewrites. Those without one are of
// version 1.
const placeVersion = 1

// errNewerPlace says that a newer version of the program wrote a place. It may have fields that a rewrite would drop.
var errNewerPlace = errors.New("it was written by a newer version of the program")

// place is a seek as all nodes see it on the board, where it is JSON.
type place struct {
	Version int           `json:"version"`
	Player  Player        `json:"player"`
	Variant rules.Variant `json:"variant"`
	Node    Node          `json:"node"`             // that the player is at
	Seek    uint64        `json:"seek"`             // by its number there
	Since   time.Time     `json:"since,omitzero"`   // when it was taken
	Ticket  uint64        `json:"ticket,omitempty"` // the order in which places were taken
	Match   ID            `json:"match,omitempty"`  // that the player is promised, or empty
	Side    rules.Side    `json:"side,omitempty"`
	Claims  bool          `json:"claims,omitempty"` // the promise is the player's own node's, and holds only if the other's place says so too
	Other   Player        `json:"other,omitzero"`   // whom with
	Away    Node          `json:"away,omitempty"`   // that the other is at
	From    []string      `json:"from,omitempty"`   // the player's networks, the smallest first

	note Note
}

func keyOf(p PlayerID) string {
	sum := sha256.Sum256([]byte(p))
	return ticketKey + hex.EncodeToString(sum[:16])
}

// text is what is written on the note.
func (p place) text() []byte {
	p.Version = placeVersion
	text, err := json.Marshal(p)
	if err != nil {
		panic(err) // nothing in it can fail
	}
	return text
}

// placeOf reads a note. A place that was just taken has its time and its turn from the note.
func placeOf(n Note) (place, error) {
	p := place{note: n}
	err := json.Unmarshal(n.Text, &p)
	if p.Version > placeVersion {
		err = errNewerPlace
	}
	if err != nil {
		return place{}, fmt.Errorf("the note %q: %w", n.Key, err)
	}
	if p.Player.ID == "" || !p.Variant.Valid() || keyOf(p.Player.ID) != n.Key {
		return place{}, fmt.Errorf("the note %q is no place in a queue", n.Key)
	}
	if p.Ticket == 0 {
		p.Since, p.Ticket = n.At, n.Revision
	}
	return p, nil
}

// promised is p once its player is to play another.
func (p place) promised(id ID, side rules.Side, other place) place {
	p.Match, p.Side, p.Other, p.Away = id, side, other.Player, other.Node
	return p
}

// free is p without a promise.
func (p place) free() place {
	p.Match, p.Side, p.Other, p.Away, p.Claims = "", rules.Nobody, Player{}, "", false
	return p
}

// holds reports whether p's player has been promised a match for good.
func (p place) holds() bool { return p.Match != "" && !p.Claims }

func isPlace(n Note) bool { return strings.HasPrefix(n.Key, ticketKey) }

// opening is the match that the place is promised.
func (p place) opening() Opening {
	o := Opening{
		Variant: p.Variant, Origin: QueueOrigin,
		Players: OnSide(p.Side, p.Player, p.Other), Nodes: [2]Node{p.Node, p.Away},
	}
	if p.Side == rules.Second {
		o.Nodes = [2]Node{p.Away, p.Node}
	}
	return o
}
