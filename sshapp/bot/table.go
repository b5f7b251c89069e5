package bot

import (
	"slices"

	"notakto/match"
	"notakto/sshapp/client"
)

// maxEnded is how many tables of matches that are over stay open, the latest, for a rematch and to see the opponent go.
const maxEnded = 4

// maxPast is how many matches that are over and closed are remembered, so that their end is not sent again to a bot
// that only named them.
const maxPast = 64

// table is a table that the session has open, and what the bot was sent of it.
type table struct {
	*client.Table
	feed matchFeed
}

// open adds a table and says how it stands.
func (s *session) open(at *client.Table) *table {
	t := &table{Table: at, feed: matchFeed{seat: at.Side}}
	s.tables = append(s.tables, t)
	s.tell(t, nil)
	return t
}

// table is the table of a match that the session has open, with everything sent that it has shown; nil if there is
// none.
func (s *session) table(id match.ID) *table {
	find := func() *table {
		i := slices.IndexFunc(s.tables, func(t *table) bool { return t.ID == id })
		if i < 0 {
			return nil
		}
		return s.tables[i]
	}
	if t := find(); t != nil {
		s.catchUp(t) // which drops it if it has closed
	}
	return find()
}

// expect sends the next snapshot of a table that is known to have shown one, or to close. It has to be waited for:
// while a newer snapshot takes the place of an older one there is none to be seen.
func (s *session) expect(t *table) {
	select {
	case snapshot, open := <-t.Snapshots():
		s.onSnapshot(t, snapshot, open)
	case <-s.ctx.Done():
		s.drop(t)
	}
}

// catchUp sends what a table has shown so far.
func (s *session) catchUp(t *table) {
	for !t.IsGone() {
		select {
		case snapshot, open := <-t.Snapshots():
			s.onSnapshot(t, snapshot, open)
		default:
			return
		}
	}
}

// onSnapshot takes a snapshot in. A table that has closed is dropped.
func (s *session) onSnapshot(t *table, snapshot *match.Snapshot, open bool) {
	waited := t.IsTheirTurn()
	before := t.Take(snapshot, open)
	if !open {
		s.drop(t)
		return
	}
	if waited && !t.IsTheirTurn() {
		s.idle.Activity() // the time to think begins
	}
	s.tell(t, before)
}

// tell sends what is new at a table, and goes on to the rematch, or the second game of a pair, if there is one now.
// Nothing was sent of it before if before is nil.
func (s *session) tell(t *table, before *match.Snapshot) {
	s.tellCutOff(t.CutOff)
	for _, event := range t.feed.diff(t.Snapshot, s.config.Manager.Now()) {
		s.send(event)
	}
	if t.IsSeated() && t.Next != "" && s.isNextNew(t, before) {
		s.follow(t)
	}
	s.dropEnded()
}

// isNextNew reports whether the match that follows at a table has just begun there, or is a second game that began
// while the bot asked for the first one.
func (s *session) isNextNew(t *table, before *match.Snapshot) bool {
	if before != nil {
		return before.Next == ""
	}
	return t.AwaitsSecondGame() && slices.Contains(s.config.Manager.MatchesOf(t.Player), t.Next)
}

// follow sits down in the rematch, and leaves the table of the match before.
func (s *session) follow(t *table) {
	if _, err := s.sit(t.Next, t.Player); err != nil {
		s.refuse(err, "rematch")
		return
	}
	s.drop(t)
}

func (s *session) drop(t *table) {
	t.Close()
	if t.Over() {
		s.closedMatches = append(s.closedMatches[max(0, len(s.closedMatches)-maxPast+1):], t.ID)
	}
	s.tables = slices.DeleteFunc(s.tables, func(other *table) bool { return other == t })
}

// dropEnded drops the oldest tables of matches that are over if there are too many.
func (s *session) dropEnded() {
	for s.endedTables() > maxEnded {
		oldest := slices.IndexFunc(s.tables, (*table).isEnded)
		s.drop(s.tables[oldest])
	}
}

// isEnded reports whether the match is over and no second game of a pair is about to follow.
func (t *table) isEnded() bool { return t.Over() && t.SecondGameAt().IsZero() }

func (s *session) endedTables() (n int) {
	for _, t := range s.tables {
		if t.isEnded() {
			n++
		}
	}
	return n
}

// checkTableLimit refuses a session that has enough tables open.
func (s *session) checkTableLimit() error {
	if len(s.tables)-s.endedTables() >= s.config.Limits.Tables {
		return errTooMany
	}
	return nil
}
