package bot

import (
	"encoding/json"

	"notakto/match"
	"notakto/rules"
)

// The events of the protocol. The order of the fields is that of the contract.
type (
	welcomeEvent struct {
		Event    string     `json:"event"`
		Protocol int        `json:"protocol"`
		Player   player     `json:"player"`
		Matches  []match.ID `json:"matches"`
	}
	seekingEvent struct {
		Event   string `json:"event"`
		Variant string `json:"variant"`
	}
	cancelledEvent struct {
		Event string `json:"event"`
	}
	tableEvent struct {
		Event string     `json:"event"`
		Code  match.Code `json:"code"`
		Match match.ID   `json:"match"`
	}
	matchEvent struct {
		Event    string     `json:"event"`
		Match    match.ID   `json:"match"`
		Variant  string     `json:"variant"`
		Seat     rules.Side `json:"seat"`
		Players  [2]player  `json:"players"`
		Moves    []string   `json:"moves"`
		Turn     rules.Side `json:"turn"`
		Position string     `json:"position"`
		Over     bool       `json:"over"`
		Code     match.Code `json:"code,omitempty"` // a guest's way back to the seat
	}
	moveEvent struct {
		Event string     `json:"event"`
		Match match.ID   `json:"match"`
		Ply   int        `json:"ply"`
		Seat  rules.Side `json:"seat"`
		Move  string     `json:"move"`
		Died  *string    `json:"died"`
		Turn  rules.Side `json:"turn"`
	}
	endEvent struct {
		Event  string     `json:"event"`
		Match  match.ID   `json:"match"`
		Winner rules.Side `json:"winner"`
		Reason string     `json:"reason"`
	}
	presenceEvent struct {
		Event   string     `json:"event"`
		Match   match.ID   `json:"match"`
		Seat    rules.Side `json:"seat"`
		Present bool       `json:"present"`
	}
	errorEvent struct {
		Event   string `json:"event"`
		Code    string `json:"code"`
		Message string `json:"message"`
		Do      string `json:"do,omitempty"`
	}
	pongEvent struct {
		Event string      `json:"event"`
		N     json.Number `json:"n,omitempty"`
	}
	noticeEvent struct {
		Event   string `json:"event"`
		Message string `json:"message"`
	}
)

// player is a player as the protocol shows one; a chair that nobody has taken yet has an empty id.
type player struct {
	ID    match.PlayerID `json:"id"`
	Name  string         `json:"name"`
	Guest bool           `json:"guest"`
}

func describe(p match.Player) player { return player{ID: p.ID, Name: p.Name, Guest: p.Guest} }
