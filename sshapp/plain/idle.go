package plain

import (
	"slices"

	"notakto/sshapp/idle"
	"notakto/sshapp/wording"
)

func (s *session) judgeIdle() {
	switch s.idle.Due(s.awaitsOpponent()) {
	case idle.Nothing:
	case idle.Warn:
		s.say("Still there? Press Enter to stay; if not, goodbye in " + wording.Count(wording.Seconds(s.idle.Warning()), "second", "seconds") + ".")
	case idle.End:
		s.say("You were away for a while.")
		s.leaveAll()
		s.end = idle.ErrIdle
	}
}

// awaitsOpponent reports whether it is an opponent's turn in a match of the player's.
func (s *session) awaitsOpponent() bool {
	return s.here.theirs() || s.other.theirs() || slices.ContainsFunc(s.away, func(a *away) bool { return a.theirs })
}
