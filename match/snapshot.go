package match

import (
	"time"

	"notakto/rules"
)

// Snapshot is a match at one moment, for one reader: it holds no code that this reader may not know. Readers of one
// side share it, and it never changes.
type Snapshot struct {
	*State
	Spectators int
	// ForfeitAt is when the player to move, who is away, loses by that, in the journal's time; zero while that clock
	// does not run.
	ForfeitAt time.Time
	// MoveBy is when the player to move has to have moved, in the journal's time: see [Overdue]. Zero without a limit.
	MoveBy time.Time
	// CutOff says that this node has not been able to record anything for a while: the match may have gone on elsewhere.
	CutOff bool
}

// Summary is a match in progress as a list shows it.
type Summary struct {
	ID ID
	Terms
	Players    [2]Player // who moves first, who moves second
	Plies      int
	Spectators int  // at this node
	Parked     bool // against the computer, and the player is away
	// ForfeitAt is when the match ends if the player to move, who is away, does not come, as the log has it if the table
	// is at another node.
	ForfeitAt time.Time
}

// SeenBy is s without the codes that are not for the player of a side; [rules.Nobody] is a spectator's. Most matches
// have none.
func (s *State) SeenBy(side rules.Side) *State {
	if s.TableCode == "" && s.Code == "" && s.seats[0].Code == "" && s.seats[1].Code == "" {
		return s
	}
	seen := *s
	for i := range seen.seats {
		if rules.Sides()[i] != side {
			seen.seats[i].Code = ""
		}
	}
	if seen.TableCode = ""; side == rules.Nobody {
		seen.Code = ""
	}
	return &seen
}

// ToMove is who is to move.
func (s Summary) ToMove() Player { return s.Players[s.Plies%len(s.Players)] }

// Opponent is who sits opposite a player of the match.
func (s Summary) Opponent(p PlayerID) Player {
	if s.Players[1].ID == p {
		return s.Players[0]
	}
	return s.Players[1]
}

// Summary is s as a list shows it, without what only a table knows.
func (s State) Summary() Summary {
	return Summary{ID: s.ID, Terms: s.Terms, Players: [2]Player{s.seats[0].Player, s.seats[1].Player}, Plies: len(s.Moves)}
}
