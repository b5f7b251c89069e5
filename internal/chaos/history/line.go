package history

// Line is a line of the bot protocol, a wish or an event, as far as it matters here.
type Line struct {
	Do       string     `json:"do,omitempty"`
	Event    string     `json:"event,omitempty"`
	Match    string     `json:"match,omitempty"`
	Variant  string     `json:"variant,omitempty"`
	Level    string     `json:"level,omitempty"`
	Code     string     `json:"code,omitempty"` // of a table, or of an error
	Move     string     `json:"move,omitempty"`
	Seat     int        `json:"seat,omitempty"`
	Ply      int        `json:"ply,omitempty"`
	Turn     int        `json:"turn,omitempty"`
	Died     *string    `json:"died,omitempty"`
	Player   *Player    `json:"player,omitempty"`
	Players  *[2]Player `json:"players,omitempty"`
	Moves    []string   `json:"moves,omitempty"`
	Position string     `json:"position,omitempty"`
	Over     bool       `json:"over,omitempty"`
	Winner   int        `json:"winner,omitempty"`
	Reason   string     `json:"reason,omitempty"`
	Matches  []string   `json:"matches,omitempty"`
	Message  string     `json:"message,omitempty"`
}

// Player is a player as the protocol shows one; a chair that nobody has taken yet has no ID.
type Player struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// Started reports whether a match event tells of two players.
func (l Line) Started() bool {
	return l.Players != nil && l.Players[0].ID != "" && l.Players[1].ID != ""
}

// Definite reports whether an error says that what was wished for was not done and will not be. After any other nobody
// knows.
func (l Line) Definite() bool {
	switch l.Code {
	case "internal", "unavailable", "draining":
		return false
	default:
		return l.Event == "error"
	}
}
