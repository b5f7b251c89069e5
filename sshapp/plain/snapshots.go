package plain

import "notakto/match"

// onSnapshot takes a snapshot and prints what has changed.
func (s *session) onSnapshot(at table, snapshot *match.Snapshot, open bool) {
	if !open {
		s.onTableClosed(at)
		return
	}
	s.tellCutOff(snapshot.CutOff)
	mine := at.IsMyTurn()
	before := at.Take(snapshot, open)
	if at.IsMyTurn() && !mine {
		s.idle.Activity()
	}
	if snapshot.Over() && !before.Over() {
		s.tables.reviewed = at
	}
	if at == s.tables.background {
		s.onBackgroundSnapshot(at, before)
		return
	}
	shown := at.changes(before, s.cfg.Manager.Now())
	if at.Over() && !before.Over() {
		shown = append(shown, at.nextSteps(s.cfg.Manager.Now()))
	}
	s.printLine(shown...)
	switch {
	case at.Closed:
		s.leaveTable()
	case before.Next == "" && at.Next != "" && at.IsSeated():
		s.report(s.goTo(at.Next))
	}
}

// tellCutOff prints once that nothing can be recorded at this server, and once that this is over.
func (s *session) tellCutOff(is bool) {
	switch {
	case is == s.reported.cutOff:
	case is:
		s.printLine("Nothing can be recorded at this server just now, and what it tells may be old. Wait, or connect again.")
	default:
		s.printLine("This server can record again.")
	}
	s.reported.cutOff = is
}

// onBackgroundSnapshot prints of the match that is kept open only what the player has to know.
func (s *session) onBackgroundSnapshot(at table, before *match.Snapshot) {
	turned := at.IsMyTurn() && len(at.Moves) > len(before.Moves)
	came := at.Started() && !before.Started()
	if !turned && !came && !at.Over() {
		return
	}
	way := "Type go to go over."
	if at.Over() {
		at.Close()
		s.tables.background, way = table{}, ""
	}
	s.printLine("At your other table:", join(at.changes(before, s.cfg.Manager.Now())...), way)
}

// onTableClosed takes in that a table has closed. A match that is over can still be looked back at.
func (s *session) onTableClosed(at table) {
	switch {
	case at == s.tables.background:
		s.tables.background = table{}
	case at.Over():
		s.printLine("The table has been closed.")
	default:
		s.printLine("The table has closed. The match is kept: type mine to hear your matches.")
		s.tables.current, s.asked = table{}, nil
	}
	at.Close()
}
