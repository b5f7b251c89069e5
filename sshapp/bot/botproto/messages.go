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

// MaxLine is the most bytes of a request line, without its line break.
const MaxLine = 4096

// Verb names what a request asks for.
type Verb string

// Verbs of the protocol.
const (
	DoComputer  Verb = "computer"
	DoChallenge Verb = "challenge"
	DoAccept    Verb = "accept"
	DoBoard     Verb = "board"
	DoSeek      Verb = "seek"
	DoCancel    Verb = "cancel"
	DoCreate    Verb = "create"
	DoJoin      Verb = "join"
	DoMove      Verb = "move"
	DoResign    Verb = "resign"
	DoRematch   Verb = "rematch"
	DoTakeback  Verb = "takeback"
	DoHint      Verb = "hint"
	DoDecline   Verb = "decline"
	DoWatch     Verb = "watch"
	DoLeave     Verb = "leave"
	DoState     Verb = "state"
	DoPing      Verb = "ping"
)

// Verbs returns all verbs.
func Verbs() []Verb {
	return []Verb{
		DoComputer, DoSeek, DoCancel, DoCreate, DoJoin, DoMove, DoResign, DoRematch, DoTakeback, DoHint, DoDecline,
		DoWatch, DoLeave, DoState, DoChallenge, DoAccept, DoBoard, DoPing,
	}
}

// Request is a message from a client. Do decides which other fields count.
type Request struct {
	Do       Verb       `json:"do"`
	Match    match.ID   `json:"match,omitempty"`
	Move     string     `json:"move,omitempty"`
	Variant  string     `json:"variant,omitempty"`
	Variants []string   `json:"variants,omitempty"` // for seek, the preferred one first, instead of Variant
	Level    string     `json:"level,omitempty"`
	Seat     rules.Side `json:"seat,omitempty"`
	Code     match.Code `json:"code,omitempty"`
	Clock    string     `json:"clock,omitempty"`
	Rated    bool       `json:"rated,omitempty"`
	Anyway   bool       `json:"anyway,omitempty"`                            // for seek, to accept late opponents too
	Meets    string     `json:"meets,omitempty" enum:"people programs both"` // for seek, both by default
	// Opponent is a claimed name or the ID of an account, for challenge. Without it any player may accept.
	Opponent string      `json:"opponent,omitempty"`
	N        json.Number `json:"n,omitempty"`
}

// Ping returns a request that the server answers with [Pong] and n.
func Ping(n int) Request { return Request{Do: DoPing, N: json.Number(strconv.Itoa(n))} }

// Encode returns the request as a line with its line break.
func (r Request) Encode() ([]byte, error) {
	line, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("encode a %s request: %w", r.Do, err)
	}
	return append(line, '\n'), nil
}

// Event is a message from the server. Its concrete type is one of those in this file.
type Event interface {
	// Name returns the event's name in JSON.
	Name() string
}

// Events of the protocol. The order of the fields is their order in a line.
type (
	// Welcome is the first event of a session, and comes again when a guest resumes a seat.
	Welcome struct {
		Protocol int         `json:"protocol"`
		Player   wire.Player `json:"player"`
		Matches  []match.ID  `json:"matches"` // in progress
	}

	// Seeking confirms that the player waits for an opponent.
	Seeking struct {
		Variant  string   `json:"variant"`            // the preferred one
		Variants []string `json:"variants,omitempty"` // all, if the request named several
		Clock    string   `json:"clock,omitempty"`    // of Variant, since default clocks differ
		Rated    bool     `json:"rated,omitempty"`
		Meets    string   `json:"meets,omitempty" enum:"people programs"` // if the request named one
	}

	// Cancelled tells that the player no longer waits for an opponent.
	Cancelled struct{}

	// Table has the code of a private table.
	Table struct {
		Code  match.Code `json:"code"`
		Match match.ID   `json:"match"`
	}

	// Match is a whole match at one moment.
	Match struct {
		Match    match.ID       `json:"match"`
		Variant  string         `json:"variant"`
		Seat     rules.Side     `json:"seat"` // the receiver's, 0 for a spectator
		Players  [2]wire.Player `json:"players"`
		Moves    []string       `json:"moves"`
		Turn     rules.Side     `json:"turn"`
		Position string         `json:"position"`
		Over     bool           `json:"over"`
		Code     match.Code     `json:"code,omitempty"` // for a guest, to resume the seat
		Clock    string         `json:"clock,omitempty"`
		Clocks   *wire.Clocks   `json:"clocks,omitempty"`
		Rated    bool           `json:"rated,omitempty"`
		Pair     *Pair          `json:"pair,omitempty"`    // only if Rated
		Opening  *wire.Opening  `json:"opening,omitempty"` // only if Rated, with marks in Position but not in Moves
		Hinted   bool           `json:"hinted,omitempty"`  // the players may ask for hints
	}

	// Move is a recorded move.
	Move struct {
		Match match.ID   `json:"match"`
		Ply   int        `json:"ply"`
		Seat  rules.Side `json:"seat"`
		Move  string     `json:"move"`
		Died  *string    `json:"died"` // name of the board that the move has killed
		Turn  rules.Side `json:"turn"`
		// Clocks is nil without a clock, and in older moves that are sent together with newer ones.
		Clocks *wire.Clocks `json:"clocks,omitempty"`
	}

	// Takeback tells that moves were taken back. Its fields replace those of the match's earlier events.
	Takeback struct {
		Match    match.ID     `json:"match"`
		Seat     rules.Side   `json:"seat"` // that has asked for it
		Ply      int          `json:"ply"`  // moves that stand
		Turn     rules.Side   `json:"turn"`
		Position string       `json:"position"`
		Clocks   *wire.Clocks `json:"clocks,omitempty"`
	}

	// Asked tells that a player asks for something that needs the opponent's agreement, or of the answer.
	Asked struct {
		Match  match.ID   `json:"match"`
		Seat   rules.Side `json:"seat"` // that asks or answers, 0 if a computer has agreed
		What   Verb       `json:"what" enum:"takeback hint"`
		Answer string     `json:"answer,omitempty" enum:"agreed declined"` // agreed only to hints
	}

	// Hint is the answer to DoHint in a match with hints.
	Hint struct {
		Match   match.ID `json:"match"`
		Ply     int      `json:"ply"`                          // of the move to make
		Move    string   `json:"move"`                         // the clearest of the best moves, "" in a lost position
		Verdict string   `json:"verdict" enum:"win draw loss"` // for the player to move
		Text    string   `json:"text"`                         // the reason
	}

	// End is the end of a match.
	End struct {
		Match  match.ID   `json:"match"`
		Winner rules.Side `json:"winner"` // 0 for a draw or a cancelled match
		Reason string     `json:"reason" enum:"boards line draw resign time abandoned operator"`
		// PairResult counts the games of a rated pair that seat 1's player has won. Only the last game's End has it.
		PairResult *int `json:"pair_result,omitempty"`
		// Rating is the pair's effect on the bot's rating. Only the End at the bot's own seat has it, with PairResult.
		Rating *wire.RatingChange `json:"rating,omitempty"`
	}

	// Challenge is an open challenge, a player in the queue, or the end of a challenge.
	Challenge struct {
		Match   match.ID     `json:"match,omitempty"` // "" for a waiting player
		State   string       `json:"state" enum:"open waiting accepted declined withdrawn expired"`
		From    wire.Player  `json:"from"`
		To      *wire.Player `json:"to,omitempty"` // nil for a challenge to anyone until it is accepted
		Variant string       `json:"variant"`
		Clock   string       `json:"clock,omitempty"`
		Rated   bool         `json:"rated,omitempty"`
		Since   time.Time    `json:"since"`
		Expires time.Time    `json:"expires,omitzero"`
	}

	// Board is the answer to DoBoard. The bot's own challenges come last.
	Board struct {
		Challenges []Challenge `json:"challenges"`
	}

	// Presence tells that another player has come back or gone away.
	Presence struct {
		Match   match.ID   `json:"match"`
		Seat    rules.Side `json:"seat"`
		Present bool       `json:"present"`
	}

	// Error tells why a request was not carried out.
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
		Apart   *Apart `json:"apart,omitempty"` // set in a notice about a player with common terms
	}

	// Apart describes another waiting player with common terms. The bot and the player are not paired before Until.
	Apart struct {
		Name  string    `json:"name"`
		Until time.Time `json:"until"`
		Late  bool      `json:"late,omitempty"` // true if the player did not move in time, false if the bot did not
	}
)

// Pair identifies a game of a rated pair.
type Pair struct {
	ID    match.ID `json:"id"`              // of the first game
	Game  int      `json:"game"`            // 1 or 2
	Other match.ID `json:"other,omitempty"` // the pair's other game, if both are played at once
}

// HasStarted reports whether both seats are taken.
func (m Match) HasStarted() bool { return m.Players[0].ID != "" && m.Players[1].ID != "" }

// events has one event of each type.
var events = [...]Event{
	Welcome{}, Seeking{}, Cancelled{}, Table{}, Match{}, Move{}, Takeback{}, Asked{}, Hint{}, End{},
	Challenge{}, Board{}, Presence{}, Error{}, Pong{}, Notice{},
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
func (Takeback) Name() string { return "takeback" }

// Name implements [Event].
func (Asked) Name() string { return "asked" }

// Name implements [Event].
func (Hint) Name() string { return "hint" }

// Name implements [Event].
func (End) Name() string { return "end" }

// Name implements [Event].
func (Challenge) Name() string { return "challenge" }

// Name implements [Event].
func (Board) Name() string { return "board" }

// Name implements [Event].
func (Presence) Name() string { return "presence" }

// Name implements [Event].
func (Error) Name() string { return "error" }

// Name implements [Event].
func (Pong) Name() string { return "pong" }

// Name implements [Event].
func (Notice) Name() string { return "notice" }

// ErrorCode is the reason in an [Error], as one word.
type ErrorCode string

// Codes of the protocol. The page docs/bot.md explains them.
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
	CodeNoSuchPlayer   ErrorCode = "no_such_player"
	CodeNoSuchTable    ErrorCode = "no_such_table"
	CodeTableFull      ErrorCode = "table_full"
	CodeOwnTable       ErrorCode = "own_table"
	CodeTooMany        ErrorCode = "too_many"
	CodeRateLimited    ErrorCode = "rate_limited"
	CodeRated          ErrorCode = "rated"
	CodeDraining       ErrorCode = "draining"
	CodeInternal       ErrorCode = "internal"
)

// Codes returns all codes.
func Codes() []ErrorCode {
	return []ErrorCode{
		CodeBadJSON, CodeLineTooLong, CodeUnknownDo, CodeBadVariant, CodeBadClock, CodeBadLevel, CodeBadMove,
		CodeNoSuchBoard, CodeNoSuchCell, CodeBoardDead, CodeCellTaken, CodeNotYourTurn, CodeNoSuchMatch,
		CodeNotSeated, CodeMatchOver, CodeAlreadySeeking, CodeNoSuchPlayer, CodeNoSuchTable, CodeTableFull,
		CodeOwnTable, CodeTooMany,
		CodeRateLimited, CodeRated, CodeDraining, CodeInternal,
	}
}

// IsDefinite reports whether the request certainly had no effect. After other codes the client cannot know.
func (e ErrorCode) IsDefinite() bool { return e != CodeInternal && e != CodeDraining }

// Start returns the position before Moves. For a rated match that is the opening, found by taking the moves out of
// Position. The error tells that Variant, Position or Moves is invalid.
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
