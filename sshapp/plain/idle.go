package plain

import "time"

// idleWarnings is how much of the limit is left when the player is warned: a tenth.
const idleWarnings = 10

// idle is when the player last typed, and how long that may be ago.
type idle struct {
	limit  time.Duration // zero is for ever
	last   time.Time
	warned bool
}

func newIdle(limit time.Duration) idle { return idle{limit: limit, last: time.Now()} }

func (i *idle) reset() { i.last, i.warned = time.Now(), false }

// next is when the player is to be warned or sent home; zero for never.
func (i *idle) next() time.Time {
	switch {
	case i.limit == 0:
		return time.Time{}
	case i.warned:
		return i.last.Add(i.limit)
	default:
		return i.last.Add(i.limit - i.warning())
	}
}

func (i *idle) warning() time.Duration { return i.limit / idleWarnings }

func (s *session) judgeIdle() {
	i := &s.idle
	switch {
	case i.limit == 0 || time.Now().Before(i.next()):
	case s.awaitsOpponent():
		i.reset()
	case i.warned:
		s.say("You were away for a while.")
		s.leaveAll()
	default:
		i.warned = true
		s.say("Still there? Press Enter to stay; if not, goodbye in " + count(seconds(i.warning()), "second", "seconds") + ".")
	}
}

// awaitsOpponent reports whether there is nothing that the player could do but wait.
func (s *session) awaitsOpponent() bool {
	at := s.here
	return at.seated() && !at.Over() && !at.mine()
}
