package bot

import (
	"fmt"
	"slices"
	"time"

	"notakto/sshapp/idle"
)

// alarm is when the next look at an idle bot is due; nil for never.
func (s *session) alarm() <-chan time.Time {
	if s.timer == nil {
		return nil
	}
	return s.timer.C
}

// judgeIdle warns a bot that has said nothing for long, and then ends its session.
func (s *session) judgeIdle() {
	switch s.idle.Due(slices.ContainsFunc(s.tables, (*table).waits)) {
	case idle.Nothing:
	case idle.Warn:
		s.notice(fmt.Sprintf("still there? any line keeps you here, a ping for one; if not, goodbye in %v", s.idle.Warning()))
	case idle.End:
		s.farewell(ErrIdle)
		s.end = ErrIdle
		return
	}
	s.timer.Reset(time.Until(s.idle.Next()))
}
