package match

import (
	"time"

	"notakto/rules"
)

// Snapshot is the state of a match for one reader, without the codes that this reader may not know. The readers of one
// side share it; it must not be modified.
type Snapshot struct {
	*State
	Spectators int
	// ForfeitAt is the journal's time at which the player to move forfeits by absence. Zero while that player is
	// connected, or cannot forfeit.
	ForfeitAt time.Time
	// MoveBy is the journal's time at which the player to move exceeds the limit: see [Overdue]. Zero without a limit.
	// While a clock runs, MoveBy moves on by the time that is not charged.
	MoveBy time.Time
	// CutOff says that this node could not record anything for a while: the match may have continued elsewhere.
	CutOff bool
}

// ClockLeft returns what the clock leaves to a side at a time, never less than zero.
func (s *Snapshot) ClockLeft(side rules.Side, now time.Time) time.Duration {
	if side == s.Turn() && s.ClockRuns() && !s.MoveBy.IsZero() {
		return max(0, min(s.MoveBy.Sub(now), s.SeatState(side).ClockLeft))
	}
	return s.SeatState(side).ClockLeft
}

// ChangedAt returns when the last move was made. Before the first move it returns when the match began, and before that
// when its table was opened.
func (s *Snapshot) ChangedAt() time.Time {
	if s.TurnSince.IsZero() {
		return s.OpenedAt
	}
	return s.TurnSince
}

// Summary is a match in progress as shown in a list.
type Summary struct {
	ID ID
	Terms
	Players    [2]Player // in the order of moving
	Position   rules.Position
	Plies      int        // moves made, without the marks of an opening
	LastMove   rules.Move // without a cell if none was made
	Spectators int        // at this node
	IsMoving   bool       // both players are connected, and the last move is not long ago
	IsBetween  bool       // over, and the second game of its pair is about to begin; only among a player's own matches
	IsSecond   bool       // of a rated pair
	// ForfeitAt is as of [Snapshot], and for a table on another node computed from the log.
	ForfeitAt time.Time
	// MoveBy is as of [Snapshot] for a clock of days, else zero. It is computed from the log, as if all time were charged.
	MoveBy time.Time
}

// IsOfPeople reports whether neither player is a computer.
func (s Summary) IsOfPeople() bool { return !s.Players[0].IsComputer() && !s.Players[1].IsComputer() }

// SeenBy returns s without the codes that the player of a side may not see, and without the seed of a pair that is not
// over. [rules.Nobody] stands for spectators. It returns s itself if nothing has to be hidden, as in most matches.
func (s *State) SeenBy(side rules.Side) *State {
	if s.TableCode == "" && s.Code == "" && s.seats[0].Code == "" && s.seats[1].Code == "" &&
		s.Pair.Seed == s.OpeningSeed() {
		return s
	}
	seen := *s
	seen.Pair.Seed = s.OpeningSeed()
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

// ToMove returns the player to move.
func (s Summary) ToMove() Player { return s.Players[s.Plies%len(s.Players)] }

// MayBeVoid reports whether the match would be void if the player to move ran out of time. That is so before the
// player's first move, except in the second game of a pair.
func (s Summary) MayBeVoid() bool { return s.Plies < len(s.Players) && !s.IsSecond }

// Opponent returns the opponent of a player of the match.
func (s Summary) Opponent(p PlayerID) Player {
	if s.Players[1].ID == p {
		return s.Players[0]
	}
	return s.Players[1]
}

// Summary returns the summary of s with the fields that follow from the log alone.
func (s State) Summary() Summary {
	var last rules.Move
	if n := len(s.Moves); n > 0 {
		last = s.Moves[n-1]
	}
	return Summary{
		ID: s.ID, Terms: s.Terms, Players: [2]Player{s.seats[0].Player, s.seats[1].Player}, Position: s.Position,
		Plies: len(s.Moves), LastMove: last, IsBetween: !s.SecondGameAt().IsZero(),
		IsSecond: s.Game() == 2,
	}
}
