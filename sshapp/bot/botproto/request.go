package botproto

import (
	"encoding/json"
	"fmt"
	"strconv"

	"notakto/match"
	"notakto/rules"
)

// Verb is what a request asks for.
type Verb string

// The verbs.
const (
	DoComputer Verb = "computer"
	DoSeek     Verb = "seek"
	DoCancel   Verb = "cancel"
	DoCreate   Verb = "create"
	DoJoin     Verb = "join"
	DoMove     Verb = "move"
	DoResign   Verb = "resign"
	DoRematch  Verb = "rematch"
	DoWatch    Verb = "watch"
	DoLeave    Verb = "leave"
	DoState    Verb = "state"
	DoPing     Verb = "ping"
)

// Verbs returns all verbs.
func Verbs() []Verb {
	return []Verb{
		DoComputer, DoSeek, DoCancel, DoCreate, DoJoin, DoMove, DoResign, DoRematch, DoWatch, DoLeave, DoState, DoPing,
	}
}

// Request is a message from a client. Which fields count depends on Do; an empty field is left out.
type Request struct {
	Do      Verb     `json:"do"`
	Match   match.ID `json:"match,omitempty"`
	Move    string   `json:"move,omitempty"`
	Variant string   `json:"variant,omitempty"`
	// Variants are those that a seek accepts, the preferred ones first, in the place of Variant.
	Variants []string    `json:"variants,omitempty"`
	Level    string      `json:"level,omitempty"`
	Seat     rules.Side  `json:"seat,omitempty"`
	Code     match.Code  `json:"code,omitempty"`
	N        json.Number `json:"n,omitempty"`
}

// Ping returns a ping with a number.
func Ping(n int) Request { return Request{Do: DoPing, N: json.Number(strconv.Itoa(n))} }

// Encode returns the request as a line, its end included.
func (r Request) Encode() ([]byte, error) {
	line, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("encode a %s request: %w", r.Do, err)
	}
	return append(line, '\n'), nil
}
