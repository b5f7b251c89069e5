package plain

import "notakto/match"

// news takes in how a match stands now and tells what has changed.
func (s *session) news(at *sitting, snapshot *match.Snapshot, open bool) {
	if !open {
		s.cleared(at)
		return
	}
	s.tellCutOff(snapshot.CutOff)
	before, mine := at.Snapshot, at.mine()
	if at.Snapshot = *snapshot; at.mine() && !mine {
		s.idle.Heard()
	}
	if snapshot.Over() && !before.Over() {
		s.reviewed = at
	}
	if at == s.other {
		s.newsFromAfar(at, before)
		return
	}
	told := at.changes(before, s.manager.Now())
	if at.Over() && !before.Over() {
		told = append(told, at.afterwards())
	}
	s.say(told...)
	switch {
	case at.Closed:
		s.step()
	case before.Next == "" && at.Next != "" && at.seated():
		s.try(s.goTo(at.Next))
	}
}

// tellCutOff tells once that nothing can be recorded at this server, and once that this is over.
func (s *session) tellCutOff(is bool) {
	switch {
	case is == s.cutOff:
	case is:
		s.say("Nothing can be recorded at this server just now, and what it tells may be old. Wait, or connect again.")
	default:
		s.say("This server can record again.")
	}
	s.cutOff = is
}

// newsFromAfar tells of the match that is kept open only what the player has to know.
func (s *session) newsFromAfar(at *sitting, before match.Snapshot) {
	turned := at.mine() && len(at.Moves) > len(before.Moves)
	came := at.Begun() && !before.Begun()
	if !turned && !came && !at.Over() {
		return
	}
	way := "Type go to go over."
	if at.Over() {
		at.leave()
		s.other, way = nil, ""
	}
	s.say("At your other table:", join(at.changes(before, s.manager.Now())...), way)
}

// cleared takes in that a table has closed. A match that is over can still be looked back at.
func (s *session) cleared(at *sitting) {
	switch {
	case at == s.other:
		s.other = nil
	case at.Over():
		s.say("The table has been cleared.")
	default:
		s.say("The table has closed. The match is kept: type mine to hear your matches.")
		s.here, s.asked = nil, nil
	}
	at.leave()
}
