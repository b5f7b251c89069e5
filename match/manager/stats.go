package manager

import (
	"sync/atomic"

	"notakto/match"
	"notakto/match/stats"
)

// Stats counts for monitors. A node counts the events that it records itself, so the counts of several nodes can be
// added. Active is the exception: every node counts the matches of all nodes.
type Stats struct {
	Active     stats.Counts[ActiveMatches]
	Started    stats.Counts[StartedMatches]
	Ended      stats.Counts[EndedMatches]
	Moves      stats.Counts[string] // by [ByPerson], [ByBot], [ByComputer]
	Reconnects stats.Counts[string] // by [Resumed], [ForfeitedAway]
	Spectators atomic.Int64         // at the tables of this node
	Damaged    atomic.Int64         // matches whose logs cannot be folded
	Troubled   atomic.Bool          // nothing can be recorded, by the latest check
	Draining   atomic.Bool
	Servers    atomic.Int64 // that are up and share the database
	HostKeys   atomic.Int64 // different host keys of those servers; more than one is a fault
}

// Who made a move.
const (
	ByPerson   = "person"
	ByBot      = "bot"
	ByComputer = "computer"
)

// How a player's absence ended.
const (
	Resumed       = "resumed"
	ForfeitedAway = "forfeited"
)

// ActiveMatches is a kind of matches that are not archived.
type ActiveMatches struct {
	Variant  string
	Opponent string // "person" or "computer"
	// State is "waiting" for a second player, "playing", "paused" against the computer while the player is not connected,
	// or "finished" and not archived yet.
	State string
}

// StartedMatches is a kind of matches that have begun. Opponent is as of [ActiveMatches].
type StartedMatches struct{ Variant, Opponent, Origin string }

// EndedMatches is a kind of matches that have ended. Opponent is as of [ActiveMatches].
type EndedMatches struct{ Variant, Opponent, Reason string }

// changed updates Active and Damaged for a match whose entry has changed from before to after.
func (s *Stats) changed(before, after entry) {
	if k, ok := before.kindOf(); ok {
		s.Active.Add(k, -1)
	}
	if k, ok := after.kindOf(); ok {
		s.Active.Add(k, 1)
	}
	if after.broken != nil && before.broken == nil {
		s.Damaged.Add(1)
	}
}

// kindOf returns how an unarchived match counts; false if it does not.
func (e entry) kindOf() (k ActiveMatches, ok bool) {
	if e.state == nil || e.broken != nil {
		return k, false
	}
	k = ActiveMatches{e.state.Variant.String(), opponentIn(e.state), "waiting"}
	switch {
	case e.state.Over():
		k.State = "finished"
	case isParked(e.state):
		k.State = "paused"
	case e.state.Started():
		k.State = "playing"
	}
	return k, true
}

// recorded counts events that this node has recorded, by the states before and after them.
func (s *Stats) recorded(before, after *match.State, events []match.Event) {
	variant, opponent := after.Variant.String(), opponentIn(after)
	if !before.Started() && after.Started() {
		s.Started.Add(StartedMatches{variant, opponent, originOf(after.Origin)}, 1)
	}
	if !before.Over() && after.Over() {
		s.Ended.Add(EndedMatches{variant, opponent, endReason(after)}, 1)
	}
	switch e := events[0]; {
	case e.Kind == match.Moved && after.SeatState(e.Seat).Player.IsComputer():
		s.Moves.Add(ByComputer, 1)
	case e.Kind == match.Returned:
		s.Reconnects.Add(Resumed, 1)
	case e.Kind == match.Forfeited:
		s.Reconnects.Add(ForfeitedAway, 1)
	}
}

func opponentIn(s *match.State) string {
	if s.IsAgainstComputer() {
		return ByComputer
	}
	return ByPerson
}

// originOf returns the name of an origin.
func originOf(o match.Origin) string {
	switch o {
	case match.QueueOrigin:
		return "queue"
	case match.PrivateOrigin:
		return "private"
	case match.ComputerOrigin:
		return "computer"
	case match.ReviewOrigin:
		return "review"
	default:
		return "unknown"
	}
}

// endReason names why a match ended, or that its table was closed before it began.
func endReason(s *match.State) string {
	if s.Closed {
		return "dismantled"
	}
	return s.Outcome.Reason.String()
}
