package manager

import (
	"sync/atomic"

	"notakto/match"
	"notakto/match/stats"
)

// Stats counts for monitors. A node counts the events that it records itself, and the counts of several nodes can be
// added. Active, Damaged, Servers and HostKeys are exceptions, because every node counts the matches and the servers of
// all nodes.
type Stats struct {
	Active     stats.Counts[ActiveLabels]
	Started    stats.Counts[StartedLabels]
	Ended      stats.Counts[EndedLabels]
	Moves      stats.Counts[string]
	Reconnects stats.Counts[string]
	Spectators atomic.Int64 // at the tables of this node
	Damaged    atomic.Int64 // matches with an invalid log
	Troubled   atomic.Bool  // the latest check has failed
	Draining   atomic.Bool
	Servers    atomic.Int64 // that are up and share the database
	HostKeys   atomic.Int64 // different host keys of those servers (a fault if more than one)
}

// Keys of [Stats.Moves].
const (
	ByPerson   = "person"
	ByBot      = "bot"
	ByComputer = "computer"
)

// Keys of [Stats.Reconnects] for the end of a player's absence.
const (
	ReconnectResumed   = "resumed"
	ReconnectForfeited = "forfeited"
)

// ActiveLabels labels matches that are not archived.
type ActiveLabels struct {
	Variant  string
	Opponent string // [ByPerson] or [ByComputer]
	// State is "waiting" for a second player, "playing", "paused" against the computer while the player is not
	// connected, or "finished" and not archived yet.
	State string
}

// StartedLabels labels matches that have begun. See [ActiveLabels] for Opponent.
type StartedLabels struct{ Variant, Opponent, Origin string }

// EndedLabels labels matches that have ended. See [ActiveLabels] for Opponent.
type EndedLabels struct{ Variant, Opponent, Reason string }

func (s *Stats) countChange(before, after entry) {
	if k, ok := before.activeKind(); ok {
		s.Active.Add(k, -1)
	}
	if k, ok := after.activeKind(); ok {
		s.Active.Add(k, 1)
	}
	if after.broken != nil && before.broken == nil {
		s.Damaged.Add(1)
	}
}

func (e entry) activeKind() (k ActiveLabels, ok bool) {
	if e.state == nil || e.broken != nil {
		return k, false
	}
	k = ActiveLabels{e.state.Variant.String(), opponentKind(e.state), "waiting"}
	switch {
	case e.state.IsOver():
		k.State = "finished"
	case isParked(e.state):
		k.State = "paused"
	case e.state.HasStarted():
		k.State = "playing"
	}
	return k, true
}

func (s *Stats) countEvents(before, after *match.State, events []match.Event) {
	variant, opponent := after.Variant.String(), opponentKind(after)
	if !before.HasStarted() && after.HasStarted() {
		s.Started.Add(StartedLabels{variant, opponent, originName(after.Origin)}, 1)
	}
	if !before.IsOver() && after.IsOver() {
		s.Ended.Add(EndedLabels{variant, opponent, endReason(after)}, 1)
	}
	switch e := events[0]; {
	case e.Kind == match.Moved && after.Seat(e.Seat).Player.IsComputer():
		s.Moves.Add(ByComputer, 1)
	case e.Kind == match.Returned:
		s.Reconnects.Add(ReconnectResumed, 1)
	case e.Kind == match.Forfeited:
		s.Reconnects.Add(ReconnectForfeited, 1)
	}
}

func opponentKind(s *match.State) string {
	if s.IsAgainstComputer() {
		return ByComputer
	}
	return ByPerson
}

func originName(o match.Origin) string {
	switch o {
	case match.QueueOrigin:
		return "queue"
	case match.PrivateOrigin:
		return "private"
	case match.ComputerOrigin:
		return "computer"
	case match.ReviewOrigin:
		return "review"
	case match.ChallengeOrigin:
		return "challenge"
	default:
		return "unknown"
	}
}

func endReason(s *match.State) string {
	if s.Closed {
		return "dismantled"
	}
	return s.Outcome.Reason.String()
}
