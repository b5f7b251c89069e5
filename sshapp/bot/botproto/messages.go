package botproto

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"notakto/match"
	"notakto/rules"
	"notakto/sshapp/wire"
)

// Version is the version of the protocol.
const Version = 1

// MaxLine is the length of the longest line in bytes, without its end.
const MaxLine = 4096

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
	Clock    string      `json:"clock,omitempty"`
	Rated    bool        `json:"rated,omitempty"`  // of a seek, in the place of variants and clock
	Anyway   bool        `json:"anyway,omitempty"` // of a seek: to meet those too who did not move in time
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

// Event is a message from the server. Its concrete type is one of those in this file.
type Event interface {
	// Name returns the event's name, as its member "event" has it.
	Name() string
}

// The order of the fields is that of the lines.
type (
	// Welcome is the first event of a session, and comes again when a guest resumes a seat.
	Welcome struct {
		Protocol int         `json:"protocol"`
		Player   wire.Player `json:"player"`
		Matches  []match.ID  `json:"matches"` // that the player has not finished
	}

	// Seeking says that the player waits for an opponent.
	Seeking struct {
		Variant  string   `json:"variant"`            // the preferred one
		Variants []string `json:"variants,omitempty"` // all, if the request named several
		Clock    string   `json:"clock,omitempty"`
		Rated    bool     `json:"rated,omitempty"`
	}

	// Cancelled says that the player waits no longer.
	Cancelled struct{}

	// Table gives the code of a private table.
	Table struct {
		Code  match.Code `json:"code"`
		Match match.ID   `json:"match"`
	}

	// Match is a whole match as it stands.
	Match struct {
		Match    match.ID       `json:"match"`
		Variant  string         `json:"variant"`
		Seat     rules.Side     `json:"seat"` // the reader's; 0 for a spectator
		Players  [2]wire.Player `json:"players"`
		Moves    []string       `json:"moves"`
		Turn     rules.Side     `json:"turn"`
		Position string         `json:"position"`
		Over     bool           `json:"over"`
		Code     match.Code     `json:"code,omitempty"` // with which a guest resumes the seat
		Clock    string         `json:"clock,omitempty"`
		Clocks   *wire.Clocks   `json:"clocks,omitempty"`
		Rated    bool           `json:"rated,omitempty"`
		Pair     *Pair          `json:"pair,omitempty"`    // of a rated match
		Opening  *wire.Opening  `json:"opening,omitempty"` // of a rated match, whose marks are in Position and not in Moves
	}

	// Move is a move that has been recorded.
	Move struct {
		Match match.ID   `json:"match"`
		Ply   int        `json:"ply"`
		Seat  rules.Side `json:"seat"`
		Move  string     `json:"move"`
		Died  *string    `json:"died"` // the board that the move has killed
		Turn  rules.Side `json:"turn"`
		// Clocks are missing without a clock, and where older moves are sent together with newer ones.
		Clocks *wire.Clocks `json:"clocks,omitempty"`
	}

	// End is the end of a match.
	End struct {
		Match  match.ID   `json:"match"`
		Winner rules.Side `json:"winner"` // 0 for a draw, or no result
		Reason string     `json:"reason"`
		// PairResult is how many games of a rated pair seat 1's player has won, in the pair's last game.
		PairResult *int `json:"pair_result,omitempty"`
		// Rating is what the pair has changed for the bot, with PairResult at the bot's own seat.
		Rating *Rating `json:"rating,omitempty"`
	}

	// Rating is a player's rating after a pair, in whole points.
	Rating struct {
		Before      int  `json:"before"` // the pair
		Value       int  `json:"value"`
		Change      int  `json:"change"`
		Deviation   int  `json:"deviation"`
		Provisional bool `json:"provisional"`
		Pairs       int  `json:"pairs"`  // that counted, this one included
		Counts      bool `json:"counts"` // false if the pair changed nothing: the two have met too often today
	}

	// Presence says that another player has come back or gone away.
	Presence struct {
		Match   match.ID   `json:"match"`
		Seat    rules.Side `json:"seat"`
		Present bool       `json:"present"`
	}

	// Error says why a request was not carried out.
	Error struct {
		Code    ErrorCode `json:"code"`
		Message string    `json:"message"`
		Do      Verb      `json:"do,omitempty"` // of the request
	}

	// Pong answers a ping.
	Pong struct {
		N json.Number `json:"n,omitempty"`
	}

	// Notice is a message for the bot's operator.
	Notice struct {
		Message string `json:"message"`
		Apart   *Apart `json:"apart,omitempty"` // in a notice about a player who waits too
	}

	// Apart is a player who waits for some of the same, and is not paired with the bot before a time.
	Apart struct {
		Name  string    `json:"name"`
		Until time.Time `json:"until"`
		Late  bool      `json:"late,omitempty"` // the player did not move in time, and not the bot
	}
)

// Pair is which game of a rated pair a match is, 1 or 2. The ID is that of the first game.
type Pair struct {
	ID   match.ID `json:"id"`
	Game int      `json:"game"`
}

// Started reports whether both seats are taken.
func (m Match) Started() bool { return m.Players[0].ID != "" && m.Players[1].ID != "" }

// events has one event of each type.
var events = [...]Event{
	Welcome{}, Seeking{}, Cancelled{}, Table{}, Match{}, Move{}, End{}, Presence{}, Error{}, Pong{}, Notice{},
}

// EventNames returns the names of all events.
func EventNames() (names []string) {
	for _, e := range events {
		names = append(names, e.Name())
	}
	return names
}

// Name implements [Event].
func (Welcome) Name() string { return "welcome" }

// Name implements [Event].
func (Seeking) Name() string { return "seeking" }

// Name implements [Event].
func (Cancelled) Name() string { return "cancelled" }

// Name implements [Event].
func (Table) Name() string { return "table" }

// Name implements [Event].
func (Match) Name() string { return "match" }

// Name implements [Event].
func (Move) Name() string { return "move" }

// Name implements [Event].
func (End) Name() string { return "end" }

// Name implements [Event].
func (Presence) Name() string { return "presence" }

// Name implements [Event].
func (Error) Name() string { return "error" }

// Name implements [Event].
func (Pong) Name() string { return "pong" }

// Name implements [Event].
func (Notice) Name() string { return "notice" }

// ErrorCode says in one word why a request was not carried out.
type ErrorCode string

// The error codes.
const (
	CodeBadJSON        ErrorCode = "bad_json"
	CodeLineTooLong    ErrorCode = "line_too_long"
	CodeUnknownDo      ErrorCode = "unknown_do"
	CodeBadVariant     ErrorCode = "bad_variant"
	CodeBadClock       ErrorCode = "bad_clock"
	CodeBadLevel       ErrorCode = "bad_level"
	CodeBadMove        ErrorCode = "bad_move"
	CodeNoSuchBoard    ErrorCode = "no_such_board"
	CodeNoSuchCell     ErrorCode = "no_such_cell"
	CodeBoardDead      ErrorCode = "board_dead"
	CodeCellTaken      ErrorCode = "cell_taken"
	CodeNotYourTurn    ErrorCode = "not_your_turn"
	CodeNoSuchMatch    ErrorCode = "no_such_match"
	CodeNotSeated      ErrorCode = "not_seated"
	CodeMatchOver      ErrorCode = "match_over"
	CodeAlreadySeeking ErrorCode = "already_seeking"
	CodeNoSuchTable    ErrorCode = "no_such_table"
	CodeTableFull      ErrorCode = "table_full"
	CodeOwnTable       ErrorCode = "own_table"
	CodeTooMany        ErrorCode = "too_many"
	CodeRateLimited    ErrorCode = "rate_limited"
	CodeRated          ErrorCode = "rated"
	CodeDraining       ErrorCode = "draining"
	CodeInternal       ErrorCode = "internal"
)

// Definite reports whether the request was not carried out and will not be. After the other codes the client cannot
// know.
func (e ErrorCode) Definite() bool { return e != CodeInternal && e != CodeDraining }

// Start returns the position before the first of Moves: of a rated match its opening, which is what is left of Position
// without the moves, else that of the variant. The error says that Variant, Position or Moves are none.
func (m Match) Start() (rules.Position, error) {
	variant, err := rules.ParseVariant(m.Variant)
	if err != nil {
		return rules.Position{}, err
	}
	if !m.Rated {
		return variant.Start(), nil
	}
	text, board := []byte(m.Position), variant.Rows()*variant.Rows()
	for _, name := range m.Moves {
		move, err := variant.ParseMove(name)
		if err != nil {
			return rules.Position{}, err
		}
		row, column := variant.Place(move.Cell)
		if at := int(move.Board)*(board+1) + row*variant.Rows() + column; at < len(text) {
			text[at] = '.'
		}
	}
	return rules.ParsePosition(string(text))
}
