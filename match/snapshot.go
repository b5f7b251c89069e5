package match

import (
	"time"

	"notakto/rules"
)

// Snapshot is the state of a match for one reader, without the codes that this reader may not know. Readers share
// Snapshots and must not modify them.
type Snapshot struct {
	*State
	Spectators int
	// ForfeitAt is the time, by [Journal.Now], when the player to move forfeits by absence. ForfeitAt is zero while that
	// player is connected or cannot forfeit.
	ForfeitAt time.Time
	// MoveBy is the time, by [Journal.Now], when the player to move exceeds the limit (see [Overdue]), or zero without a
	// limit. While a clock runs, time that is not charged moves MoveBy on.
	MoveBy time.Time
	// CutOff says that this node could not record events for a while, and the match may have continued elsewhere.
	CutOff bool
}

// ClockLeft returns the time that a side has left on the clock at now, never less than zero.
func (s *Snapshot) ClockLeft(side rules.Side, now time.Time) time.Duration {
	if side == s.Turn() && s.ClockRuns() && !s.MoveBy.IsZero() {
		return max(0, min(s.MoveBy.Sub(now), s.Seat(side).ClockLeft))
	}
	return s.Seat(side).ClockLeft
}

// DaysLeft returns the time that a side has left at now for this or its next move, and the time left in its bank after
// that. Without a clock of days, both are zero.
func (s *Snapshot) DaysLeft(side rules.Side, now time.Time) (move, bank time.Duration) {
	if !s.Clock.IsCorrespondence() {
		return 0, 0
	}
	return splitDays(s.ClockLeft(side, now), s.Bank(side))
}

// Bank returns what a side has in the bank of a clock of days before its next move, else zero.
func (s *State) Bank(side rules.Side) time.Duration {
	if !s.Clock.IsCorrespondence() {
		return 0
	}
	return max(0, s.Seat(side).ClockLeft-s.Clock.Days())
}

func splitDays(left, bank time.Duration) (move, rest time.Duration) {
	rest = min(left, bank)
	return left - rest, rest
}

// ChangedAt returns the time of the last move. Before the first move it returns when the match began, or when its
// table was opened if the match has not begun.
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
	Players          [2]Player // in the order of moving
	Position         rules.Position
	Plies            int        // moves made, without the marks of an opening
	LastMove         rules.Move // the zero Move if no move was made
	Spectators       int        // at this node
	IsActive         bool       // both players are connected, and the last move is not long ago
	AwaitsSecondGame bool       // over, with the next game of its pair about to begin (only in a player's own list)
	IsBinding        bool       // a game of a rated pair that a player may lose before the first move
	// ForfeitAt is the time when the match ends if the player to move stays away, by absence or by the limit of the move.
	// For a table on another node it is computed from the log, and ignores the limit of the move.
	ForfeitAt time.Time
	// MoveBy is the deadline of a move with a clock of days, computed from the log as if all time were charged, else
	// zero.
	MoveBy time.Time
	Bank   time.Duration // what the player to move still has in the bank of such a clock before this move
}

// DaysLeft returns the time that the player to move has left at now for a move with a clock of days, and the time left
// in the bank after that.
func (s Summary) DaysLeft(now time.Time) (move, bank time.Duration) {
	return splitDays(max(0, s.MoveBy.Sub(now)), s.Bank)
}

// IsOfPeople reports whether neither player is a computer.
func (s Summary) IsOfPeople() bool { return !s.Players[0].IsComputer() && !s.Players[1].IsComputer() }

// SeenBy returns s without the codes that the player of a side may not see, and without the seed of a pair that is
// not over. The zero side stands for spectators. If s has no such secret, as in most matches, SeenBy returns s
// itself.
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
	if seen.TableCode = ""; side == rules.NoSide {
		seen.Code = ""
	}
	return &seen
}

// ToMove returns the player to move.
func (s Summary) ToMove() Player { return s.Players[s.Plies%len(s.Players)] }

// IsVoidIfLate reports whether the match certainly becomes void if the player to move runs out of time. Every match
// does before that player's first move, except the second game of a pair. The result is also false for two games played
// at once, because a player with a move in the pair's other game loses.
func (s Summary) IsVoidIfLate() bool { return s.Plies < len(s.Players) && !s.IsBinding }

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
		Plies: len(s.Moves), LastMove: last, AwaitsSecondGame: !s.SecondGameAt().IsZero(),
		IsBinding: s.Game() == 2 || s.IsSimultaneous(),
	}
}
