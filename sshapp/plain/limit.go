package plain

import (
	"time"

	"notakto/match"
	"notakto/sshapp/wording"
)

// lastMinute is when a player is told that the time for a move is short.
const lastMinute = time.Minute

// warnAt returns when the player is to be told that the time for a move is short, by this process's clock; zero for
// never. now is the journal's.
func (s *session) warnAt(now time.Time) time.Time {
	at := s.table
	if !at.IsNeeded() || !at.IsMyTurn() || at.MoveBy.IsZero() || s.warned == (warned{at.ID, len(at.Moves) + 1}) {
		return time.Time{}
	}
	return time.Now().Add(at.MoveBy.Sub(now) - lastMinute)
}

// warned is the move of which it was said that the time for it is short.
type warned struct {
	match match.ID
	ply   int
}

// warnOfLimit tells the player once for each move that the time for it is short.
func (s *session) warnOfLimit() {
	at, now := s.table, s.manager.Now()
	if due := s.warnAt(now); due.IsZero() || due.After(time.Now()) {
		return
	}
	s.warned = warned{at.ID, len(at.Moves) + 1}
	left := wording.Count(wording.Seconds(at.MoveBy.Sub(now)), "second", "seconds")
	if at.IsFirstMove() {
		s.printLine("Your first move has to come within " + left + ", or the match does not count.")
		return
	}
	s.printLine("Your move has to come within " + left + ", or you lose.")
}
