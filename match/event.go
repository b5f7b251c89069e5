package match

import (
	"strings"
	"time"
	"unicode"

	"notakto/rules"
	"notakto/rules/strategy"
)

// ID names a match: ten random characters of lower-case base32.
type ID string

// Kind is the type of an [Event].
type Kind uint8

// The kinds of event, with the fields that each uses besides Match, Seq and At.
const (
	Opened    Kind = iota + 1 // a table was opened: Terms, Origin, Code (of a private table), Pair (of a rated match)
	Seated                    // a player took a seat: Seat, Player, Code (a guest's resume code), Node
	Moved                     // Seat, Move, Spent
	Resigned                  // Seat's player resigned
	Left                      // the last session of Seat's player ended
	Returned                  // Seat's player reconnected: Node
	NoShow                    // Seat's player never connected and counts as away since the seat was taken
	Forfeited                 // Seat's player stayed away longer than the grace period and has lost
	Offered                   // Seat wants a rematch
	Rematched                 // both players want a rematch, or the second game of a pair follows: Next (the new match)
	Cancelled                 // the table was closed before a second player joined

	Overdue  // Seat's player did not move in time; the first move makes the match void, a later one loses: Spent
	Revealed // Seat's player showed the deadly cells to both players: those where a cross kills its board
	Expired  // the player of Seat stayed away from a match against the computer for too long: the match is void

	Adjudicated // the operator ended the match: the player of Seat has won; without a seat the match is void

	Withdrawn // Seat's player was seated in another match, which ends the offer of a rematch

	// LastKind is the newest kind that this version knows.
	LastKind = Withdrawn
)

// Origin says how the players of a match met. A rematch has the origin of the previous match.
type Origin uint8

// The origins.
const (
	UnknownOrigin  Origin = iota // recorded by an older version; not a private table
	QueueOrigin                  // in the queue
	PrivateOrigin                // by the code of a private table
	ComputerOrigin               // one of the players is the computer
	ReviewOrigin                 // as ComputerOrigin, from a position of another match, whose moves come first

	// LastOrigin is the newest origin that this version knows.
	LastOrigin = ReviewOrigin
)

// Event is one entry of a match's log. Events are values and do not change once recorded.
type Event struct {
	Terms
	Match  ID
	Seq    uint64    // 1 for the first event of its match, then without gaps
	At     time.Time // set by the journal
	Kind   Kind
	Seat   rules.Side
	Player Player
	Move   rules.Move
	Origin Origin
	Code   Code
	Next   ID
	Node   Node
	Pair   PairGame

	// Spent is the time charged to Seat's player for this turn, in whole milliseconds. Time in which nothing could be
	// recorded is not charged. Zero in matches without a clock.
	Spent time.Duration
}

// Node identifies one run of one server. It is drawn at random at each start, so that a restarted server is a new node.
type Node string

// PlayerID identifies an account (see package account), a guest by a random name, or a computer by its level. It does
// not reveal a player's keys.
type PlayerID string

// Player is a person or computer at a table. The maker of a Player ensures that Name is printable, at most 16 cells
// wide and free of control characters.
type Player struct {
	ID    PlayerID
	Name  string
	Guest bool
	Level strategy.Level // of a computer player; zero for a person
}

// Computer returns the computer player of a level.
func Computer(level strategy.Level) Player {
	return Player{ID: PlayerID("computer:" + level.String()), Name: level.String(), Level: level}
}

// IsComputer reports whether p is a computer player.
func (p Player) IsComputer() bool { return p.Level != 0 }

// Code is characters from an alphabet without look-alikes: four characters admit a player to a private table, eight let
// a guest resume a seat.
type Code string

// CodeLetters are the characters of codes: one of each group that is easily confused in print, speech or handwriting
// (0 O D, 1 I L, 2 Z, 5 S, 6 G C, 8 B, U V, M N and so on). There are no vowels, to keep words out of codes.
const CodeLetters = CodeInitials + "3479"

// CodeInitials are the first characters of codes. Digits are left out because they are commands on the screen where
// codes are typed.
const CodeInitials = "CFHJKMPQRTVWXY"

// Normalize returns c as it was generated: in upper case, without spaces and punctuation. A question mark stays,
// because it stands for a character that a player could not read. Full-width letters and digits become their usual
// forms.
func (c Code) Normalize() Code {
	return Code(strings.Map(func(r rune) rune {
		if '！' <= r && r <= '～' {
			r -= '！' - '!'
		}
		if unicode.IsSpace(r) || unicode.IsPunct(r) && r != '?' {
			return -1
		}
		return unicode.ToUpper(r)
	}, string(c)))
}
