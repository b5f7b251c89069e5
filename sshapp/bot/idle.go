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

// awaitsOpponents reports whether it is not the bot's turn anywhere, and an opponent's in one of its matches.
func (s *session) awaitsOpponents() bool {
	return slices.ContainsFunc(s.tables, func(t *table) bool {
		return t.IsTheirTurn()
	}) && !slices.ContainsFunc(s.tables, func(t *table) bool { return t.IsMyTurn() })
}

// checkIdle warns a bot that has said nothing for long, and then ends its session.
func (s *session) checkIdle() {
	switch s.idle.Check(s.awaitsOpponents()) {
	case idle.Nothing:
	case idle.Warn:
		s.notice(fmt.Sprintf("still there? any line keeps you here, a ping for one; if not, goodbye in %v", s.idle.Warning()))
	case idle.End:
		s.exitNotice(idle.ErrIdle)
		s.end = idle.ErrIdle
		return
	}
	s.timer.Reset(time.Until(s.idle.Next()))
}
