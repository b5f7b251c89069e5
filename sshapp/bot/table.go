package bot

import (
	"slices"

	"notakto/match"
	"notakto/match/manager"
	"notakto/rules"
)

// maxEnded is how many tables of matches that are over stay open, the latest, for a rematch and to see the opponent go.
const maxEnded = 4

// maxPast is how many matches that are over and closed are remembered, so that their end is not told again to who only
// named them.
const maxPast = 64

// table is a table that the session has open: a seat, or a place to look on from.
type table struct {
	reader
	seat     *manager.Seat // nil for a spectator
	player   match.PlayerID
	now      match.State // the newest that was shown
	feed     matchFeed
	released bool // given back
}

// reader is what a seat and a spectator have in common.
type reader interface {
	ID() match.ID
	Snapshots() <-chan *match.Snapshot
	Close()
}

func seated(seat *manager.Seat, p match.PlayerID) *table {
	return &table{reader: seat, seat: seat, player: p, feed: matchFeed{seat: seat.Side()}}
}

func spectating(spectator *manager.Spectator) *table {
	return &table{reader: spectator, feed: matchFeed{seat: rules.Nobody}}
}

// open adds a table and says how it stands.
func (s *session) open(t *table) (*table, error) {
	s.tables = append(s.tables, t)
	if s.expect(t); t.released { // it closes just now
		return nil, match.ErrDraining
	}
	return t, nil
}

// table is the table of a match that the session has open, with everything told that it has shown; nil if there is
// none.
func (s *session) table(id match.ID) *table {
	find := func() *table {
		i := slices.IndexFunc(s.tables, func(t *table) bool { return t.ID() == id })
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

// isWaiting reports whether it is the opponent's turn at a match of the bot's.
func (t *table) isWaiting() bool { return t.seat != nil && t.now.Turn() == t.seat.Side().Other() }

// isMyTurn reports whether it is the bot's turn.
func (t *table) isMyTurn() bool { return t.seat != nil && t.now.Turn() == t.seat.Side() }

// expect tells the next snapshot of a table that is known to have shown one, or to close. It has to be waited for:
// while a newer snapshot takes the place of an older one there is none to be seen.
func (s *session) expect(t *table) {
	select {
	case snapshot, open := <-t.Snapshots():
		s.onSnapshot(t, snapshot, open)
	case <-s.ctx.Done():
		s.drop(t)
	}
}

// catchUp tells what a table has shown so far.
func (s *session) catchUp(t *table) {
	for !t.released {
		select {
		case snapshot, open := <-t.Snapshots():
			s.onSnapshot(t, snapshot, open)
		default:
			return
		}
	}
}

// onSnapshot tells what is new in a snapshot, and goes on to the rematch if there is one now. A table that has closed
// is dropped.
func (s *session) onSnapshot(t *table, snapshot *match.Snapshot, open bool) {
	if !open {
		s.drop(t)
		return
	}
	s.tellCutOff(snapshot.CutOff)
	before, waited := t.now, t.isWaiting()
	if t.now = *snapshot.State; waited && !t.isWaiting() {
		s.idle.Activity() // the time to think begins
	}
	for _, event := range t.feed.diff(*snapshot.State) {
		s.send(event)
	}
	if t.seat != nil && before.Seq > 0 && before.Next != t.now.Next {
		s.follow(t)
	}
	s.dropEnded()
}

// follow sits down in the rematch, and leaves the table of the match before.
func (s *session) follow(t *table) {
	if _, err := s.sit(t.now.Next, t.player); err != nil {
		s.refuse(err, "rematch")
		return
	}
	s.drop(t)
}

func (s *session) drop(t *table) {
	t.Close()
	t.released = true
	if t.now.Over() {
		s.closedMatches = append(s.closedMatches[max(0, len(s.closedMatches)-maxPast+1):], t.ID())
	}
	s.tables = slices.DeleteFunc(s.tables, func(other *table) bool { return other == t })
}

// dropEnded drops the oldest tables of matches that are over if there are too many.
func (s *session) dropEnded() {
	for s.ended() > maxEnded {
		oldest := slices.IndexFunc(s.tables, func(t *table) bool { return t.now.Over() })
		s.drop(s.tables[oldest])
	}
}

func (s *session) ended() (n int) {
	for _, t := range s.tables {
		if t.now.Over() {
			n++
		}
	}
	return n
}

// checkTableLimit refuses a session that has enough tables open.
func (s *session) checkTableLimit() error {
	if len(s.tables)-s.ended() >= s.config.Limits.Tables {
		return errTooMany
	}
	return nil
}
