package plain

import (
	"slices"

	"notakto/sshapp/idle"
	"notakto/sshapp/wording"
)

func (s *session) checkIdle() {
	switch s.idle.Check(s.awaitsOpponent()) {
	case idle.Nothing:
	case idle.Warn:
		s.printLine("Still there? Press Enter to stay; if not, goodbye in " + wording.Count(wording.Seconds(s.idle.Warning()), "second", "seconds") + ".")
	case idle.End:
		s.printLine("You were away for a while.")
		s.leaveAll()
		s.end = idle.ErrIdle
	}
}

// awaitsOpponent reports whether it is an opponent's turn in a match of the player's.
func (s *session) awaitsOpponent() bool {
	return s.table.IsTheirTurn() || s.backgroundTable.IsTheirTurn() || slices.ContainsFunc(s.background, func(a *backgroundMatch) bool { return a.isTheirTurn })
}
