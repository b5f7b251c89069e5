package match

import (
	"strings"
	"time"
	"unicode"

	"notakto/rules"
	"notakto/rules/strategy"
)

// ID names a match. An ID has ten random characters of lower-case base32.
type ID string

// Kind is the type of an [Event].
type Kind uint8

// The kinds of event. An event has the fields Match, Seq and At, Seat if it is about one player, and those in
// parentheses.
const (
	// Opened says that a table was opened (Terms, Origin, Code of a private table, Pair of a rated match, Player if a
	// challenge names an opponent).
	Opened    Kind = iota + 1
	Seated         // a player took a seat (Player, Code to resume as a guest, Node)
	Moved          // the player made a move (Move, Spent)
	Resigned       // the player gave up
	Left           // the last session of the player ended
	Returned       // the player reconnected (Node)
	NoShow         // the player never connected and counts as away since the seat was taken
	Forfeited      // the player stayed away longer than the grace period and has lost
	Offered        // the player wants a rematch
	Rematched      // both players want a rematch, or the second game of a pair begins (Next)
	Cancelled      // the table was closed before a second player joined (Seat if that player declined)

	// Overdue says that the player did not move in time (Spent), and has lost. Before the player's first move the match
	// is void instead. Even then the player loses in the second game of a pair without a clock of days, and with
	// OtherMoved or MissedBefore.
	Overdue
	// Revealed says that the player had the deadly cells shown to both players. A cross in a deadly cell kills its
	// board.
	Revealed
	// Expired makes a match against the computer void because the player stayed away for too long.
	Expired

	// Adjudicated ends a match by decision of the operator. The player of Seat wins. Without a Seat the match is void.
	Adjudicated

	// Withdrawn ends the player's offer of a rematch because the player was seated in another match.
	Withdrawn

	// TakebackOffered says that the player asks to take back a move, or agrees to the opponent's [Request] (Spent, the
	// time charged for the turn that a takeback ends).
	TakebackOffered
	// HintsOffered says that the player asks for hints, or agrees to the opponent's Request.
	HintsOffered
	// Declined says that the player declines the opponent's Request.
	Declined

	// LastKind is the newest kind that this version knows.
	LastKind = Declined
)

// Origin says how the players of a match met. A rematch has the origin of the previous match.
type Origin uint8

// The origins.
const (
	UnknownOrigin   Origin = iota // recorded by an older version for a match without a code
	QueueOrigin                   // in the queue
	PrivateOrigin                 // by the code of a private table
	ComputerOrigin                // against the computer
	ReviewOrigin                  // against the computer, beginning with the moves of another match
	ChallengeOrigin               // by a challenge to a named player or to anyone

	// LastOrigin is the newest origin that this version knows.
	LastOrigin = ChallengeOrigin
)

// LimitsMoves reports whether moves have a limit even without a clock, because the players did not arrange to sit down
// together.
func (o Origin) LimitsMoves() bool { return o == QueueOrigin || o == ChallengeOrigin }

// Event is an entry of a match's log. A recorded event does not change. [Kind] says which fields an event uses.
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
	Pair   PairGame // the game that Opened opens, else later facts of its pair

	// Spent is the time charged to Seat's player for this turn, in whole milliseconds, zero without a clock. Outages of
	// the journal are not charged.
	Spent time.Duration
}

// Node identifies one run of a server. A server draws its Node at random at each start and is a new node after a
// restart.
type Node string

// PlayerID identifies an account (see package account), a guest by a random name, or a computer by its level. A
// PlayerID does not reveal a player's keys.
type PlayerID string

// Player is a person or computer at a table. The maker of a Player ensures that Name is printable, at most 16 cells
// wide and free of control characters.
type Player struct {
	ID    PlayerID
	Name  string
	Guest bool
	Level strategy.Level // of a computer, zero for a person
}

// Computer returns the computer player of a level.
func Computer(level strategy.Level) Player {
	return Player{ID: PlayerID("computer:" + level.String()), Name: level.String(), Level: level}
}

// IsComputer reports whether p is a computer player.
func (p Player) IsComputer() bool { return p.Level != 0 }

// Code is a text of [CodeLetters]. Six characters admit a player to a private table. Eight let a guest resume a
// seat.
type Code string

// CodeLetters has one character of each group that is easily confused in print, speech or handwriting. Without vowels
// a code spells no word. The groups include
//
//	0 O D, 1 I L, 2 Z, 5 S, 6 G C, 8 B, U V, M N.
const CodeLetters = CodeInitials + "3479"

// CodeInitials are the first characters of codes. Digits are left out because they are commands on the screen where
// codes are typed.
const CodeInitials = "CFHJKMPQRTVWXY"

// Normalize returns c as codes are generated, in upper case and usual width, without spaces and punctuation. A
// question mark stays, because it stands for a character that a player could not read.
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
