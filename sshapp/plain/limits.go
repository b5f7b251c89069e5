package plain

import (
	"slices"
	"time"

	"notakto/match"
	"notakto/sshapp/client"
	"notakto/sshapp/idle"
	"notakto/sshapp/wording"
)

func (s *session) checkIdle() {
	switch s.idle.Check(s.awaitsOpponent()) {
	case idle.Nothing:
	case idle.Warn:
		s.printLine("Still there? Press Enter to stay; if not, goodbye in " +
			wording.Count(wording.Seconds(s.idle.Warning()), "second", "seconds") + ".")
	case idle.End:
		s.printLine("You were away for a while.")
		s.leaveAll()
		s.end = idle.ErrIdle
	}
}

// awaitsOpponent reports whether it is an opponent's turn in a match of the player's.
func (s *session) awaitsOpponent() bool {
	return s.tables.current.IsTheirTurn() || s.tables.background.IsTheirTurn() ||
		slices.ContainsFunc(s.away.matches, func(o client.OwnMatch) bool {
			return o.State == client.OpponentsTurn
		})
}

// lastMinute is how long before the end of the time for a move the player is warned.
const lastMinute = time.Minute

// warnAt returns when the player is to be warned that the time for a move is short, by this process's clock; zero for
// never. now is the journal's.
func (s *session) warnAt(now time.Time) time.Time {
	at := s.tables.current
	if !at.IsNeeded() || !at.IsMyTurn() || at.MoveBy.IsZero() || s.reported.warned == (warned{at.ID, len(at.Moves) + 1}) {
		return time.Time{}
	}
	return time.Now().Add(at.MoveBy.Sub(now) - lastMinute)
}

// warned is the move of which it was said that the time for it is short.
type warned struct {
	match match.ID
	ply   int
}

// warnOfLimit warns the player once for each move that the time for it is short.
func (s *session) warnOfLimit() {
	at, now := s.tables.current, s.cfg.Manager.Now()
	if due := s.warnAt(now); due.IsZero() || due.After(time.Now()) {
		return
	}
	s.reported.warned = warned{at.ID, len(at.Moves) + 1}
	s.printLine(at.limitText(now))
}

// limitText is how long the move to come may take; empty without a limit, with one of hours, or if the player to
// move loses earlier by being away.
func (at table) limitText(now time.Time) string {
	left := at.MoveBy.Sub(now)
	if at.MoveBy.IsZero() || !at.ForfeitAt.IsZero() || left > time.Hour {
		return ""
	}
	within := wording.Count(wording.Seconds(left), "second", "seconds")
	if left >= 2*time.Minute {
		within = wording.Count(int(left.Minutes()), "minute", "minutes")
	}
	switch first := at.IsFirstMove(); {
	case at.IsMyTurn() && first && at.Game() != 2:
		return "Your first move has to come within " + within + ", or the match does not count."
	case at.IsMyTurn():
		return "Your move has to come within " + within + ", or you lose."
	case first:
		return at.subject(at.Turn()) + " has " + within + " for the first move."
	default:
		return at.subject(at.Turn()) + " has " + within + " left to move."
	}
}

// opponentLimit is [limitText] for a player who waits, if the time is short.
func (at table) opponentLimit(now time.Time) string {
	if at.IsMyTurn() || at.MoveBy.Sub(now) > lastMinute {
		return ""
	}
	return at.limitText(now)
}
