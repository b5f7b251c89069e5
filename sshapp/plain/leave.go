package plain

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"notakto/match"
	"notakto/sshapp/wording"
)

// leave steps away from the table, or out of the queue.
func (s *session) leave([]string) {
	at := s.table
	switch {
	case at.IsInviting():
		s.ask("Clear this table? Its code stops working.", question{(*session).giveUp, "Your table is kept."})
	case at.IsPlaying():
		s.printLine("You have left the table.", s.keptText(at), at.resumeHint())
		s.leaveTable()
	case !at.isNone():
		s.leaveTable()
		s.printLine("You have left the table.", s.status())
	case s.queue.isWaiting():
		s.queue.leave()
		s.printLine("You have stopped waiting.")
	default:
		s.printLine("You are at no table. Type quit to end the session.")
	}
}

// keptText says what becomes of a match that is left.
func (s *session) keptText(at table) string {
	if at.IsAgainstComputer() {
		return "The match is kept for a day: type " + wayTo(at.ID, s.manager.MatchesOf(s.player.ID)) + " to come back."
	}
	return "Your seat is kept: type " + wayTo(at.ID, s.manager.MatchesOf(s.player.ID)) + " to come back. When it is your turn you have " +
		wording.Count(wording.Seconds(s.manager.Grace()), "second", "seconds") + " to do so."
}

// wayTo is what is typed to go to one of the player's matches.
func wayTo(id match.ID, all []match.ID) string {
	if at := slices.Index(all, id); at >= 0 && len(all) > 1 {
		return "go " + strconv.Itoa(at+1)
	}
	return "go"
}

func (s *session) quit([]string) { s.leaveAll() }

// leaveAll ends the session and says what is kept.
func (s *session) leaveAll() {
	s.done = true
	s.printLine(s.keptAtEnd(), s.table.exitCodeText(), s.backgroundTable.exitCodeText(), "Goodbye.")
}

// keptAtEnd says what becomes of the player's matches when the session ends; empty if there are none.
func (s *session) keptAtEnd() string {
	grace := wording.Count(wording.Seconds(s.manager.Grace()), "second", "seconds")
	own := s.manager.MatchesOf(s.player.ID)
	switch n := len(own); {
	case n == 0:
		return ""
	case n == 1 && s.table.IsInviting():
		return "Your table is kept for " + grace + "."
	case n == 1 && s.areAgainstComputer(own):
		return "Your match is kept for a day."
	case s.areAgainstComputer(own):
		return "Your matches are kept for a day."
	case n == 1:
		return "Your match is on, and your seat is kept: when it is your turn you have " + grace + " to come back."
	default:
		return "Your " + wording.Count(n, "", "matches") + " are on, and your seats are kept: when it is your turn you have " + grace + " to come back."
	}
}

// exitCodeText reminds a guest who leaves a match of the resume code.
func (at table) exitCodeText() string {
	if !at.IsNeeded() {
		return ""
	}
	return at.resumeHint()
}

// stop ends the session because its context has ended: nobody listens any more, or the server wants it so, and says
// why.
func (s *session) stop() {
	cause := context.Cause(s.ctx)
	if errors.Is(cause, context.Canceled) {
		s.leaveAll()
		return
	}
	queue := ""
	if s.queue.isWaiting() {
		queue = queueClosed
	}
	s.done, s.end = true, cause
	s.printLine(wording.Capital(cause.Error())+".", s.keptAtStop(), s.table.exitCodeText(), s.backgroundTable.exitCodeText(), queue, "Goodbye.")
}

// keptAtStop says what becomes of the player's matches while the server is away; empty if there are none.
func (s *session) keptAtStop() string {
	n := len(s.manager.MatchesOf(s.player.ID))
	if n == 1 && s.table.IsInviting() {
		return "Your table is kept, and its code."
	}
	return wording.KeptAtStop(n)
}

// areAgainstComputer reports whether the computer is the opponent in all of the given matches.
func (s *session) areAgainstComputer(ids []match.ID) bool {
	on := s.manager.Summaries(ids)
	return len(on) == len(ids) && !slices.ContainsFunc(on, func(m match.Summary) bool {
		return !m.Players[0].IsComputer() && !m.Players[1].IsComputer()
	})
}
