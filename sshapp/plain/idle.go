package plain

import "notakto/sshapp/idle"

func (s *session) judgeIdle() {
	switch s.idle.Due(s.here.theirs()) {
	case idle.Nothing:
	case idle.Warn:
		s.say("Still there? Press Enter to stay; if not, goodbye in " + count(seconds(s.idle.Warning()), "second", "seconds") + ".")
	case idle.End:
		s.say("You were away for a while.")
		s.leaveAll()
		s.end = idle.ErrIdle
	}
}
