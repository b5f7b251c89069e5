package plain

import "notakto/match"

// onSnapshot takes in how a match stands now and tells what has changed.
func (s *session) onSnapshot(at table, snapshot *match.Snapshot, open bool) {
	if !open {
		s.cleared(at)
		return
	}
	s.tellCutOff(snapshot.CutOff)
	mine := at.IsMyTurn()
	before := at.Take(snapshot, open)
	if at.IsMyTurn() && !mine {
		s.idle.Activity()
	}
	if snapshot.Over() && !before.Over() {
		s.reviewed = at
	}
	if at == s.backgroundTable {
		s.onBackgroundSnapshot(at, before)
		return
	}
	shown := at.changes(before, s.manager.Now())
	if at.Over() && !before.Over() {
		shown = append(shown, at.nextSteps())
	}
	s.printLine(shown...)
	switch {
	case at.Closed:
		s.leaveTable()
	case before.Next == "" && at.Next != "" && at.IsSeated():
		s.report(s.goTo(at.Next))
	}
}

// tellCutOff tells once that nothing can be recorded at this server, and once that this is over.
func (s *session) tellCutOff(is bool) {
	switch {
	case is == s.cutOff:
	case is:
		s.printLine("Nothing can be recorded at this server just now, and what it tells may be old. Wait, or connect again.")
	default:
		s.printLine("This server can record again.")
	}
	s.cutOff = is
}

// onBackgroundSnapshot tells of the match that is kept open only what the player has to know.
func (s *session) onBackgroundSnapshot(at table, before *match.Snapshot) {
	turned := at.IsMyTurn() && len(at.Moves) > len(before.Moves)
	came := at.Started() && !before.Started()
	if !turned && !came && !at.Over() {
		return
	}
	way := "Type go to go over."
	if at.Over() {
		at.Close()
		s.backgroundTable, way = table{}, ""
	}
	s.printLine("At your other table:", join(at.changes(before, s.manager.Now())...), way)
}

// cleared takes in that a table has closed. A match that is over can still be looked back at.
func (s *session) cleared(at table) {
	switch {
	case at == s.backgroundTable:
		s.backgroundTable = table{}
	case at.Over():
		s.printLine("The table has been cleared.")
	default:
		s.printLine("The table has closed. The match is kept: type mine to hear your matches.")
		s.table, s.asked = table{}, nil
	}
	at.Close()
}
