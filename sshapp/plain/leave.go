package plain

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"notakto/match"
	"notakto/sshapp/wording"
)

// leaveCommand steps away from the table, or out of the queue.
func (s *session) leaveCommand(_ []string) {
	at := s.tables.current
	switch {
	case at.IsInviting():
		s.ask("Close this table? Its code will stop working.", question{(*session).giveUp, "Your table is kept."})
	case at.IsPlaying():
		s.printLine("You have left the table.", s.keptText(at), at.resumeHint())
		s.tables.left = at
		s.leaveTable()
	case !at.isNone():
		s.leaveTable()
		next := s.lobbySteps()
		if s.queue.isWaiting() {
			next = s.status()
		}
		s.printLine("You have left the table.", next)
	case s.queue.isWaiting():
		s.queue.leave()
		s.printLine("You have stopped waiting.")
	default:
		s.printLine("You are at no table. Type quit to end the session.")
	}
}

// keptText says what becomes of a match that is left.
func (s *session) keptText(at table) string {
	if kept := wording.Kept(at.State, at.Side); kept != "" {
		return kept + ": type " + wayTo(at.ID, s.cfg.Manager.MatchesOf(s.player.ID)) + " to come back."
	}
	return "Your seat is kept: type " + wayTo(at.ID, s.cfg.Manager.MatchesOf(s.player.ID)) +
		" to come back. When it is your turn you have " +
		wording.Count(wording.Seconds(s.cfg.Manager.TimeLimits().ToReturn(at.State, at.Side)), "second", "seconds") +
		" to do so" + wording.LostByAbsence(at.State, at.Side) + "."
}

// wayTo is what is typed to go to one of the player's matches.
func wayTo(id match.ID, all []match.ID) string {
	if at := slices.Index(all, id); at >= 0 && len(all) > 1 {
		return "go " + strconv.Itoa(at+1)
	}
	return "go"
}

func (s *session) quitCommand(_ []string) { s.leaveAll() }

// leaveAll ends the session and says what is kept.
func (s *session) leaveAll() {
	s.done = true
	s.printLine(s.keptAtEnd(), s.waysBack(), "Goodbye.")
}

// keptAtEnd says what becomes of the player's matches when the session ends; empty if there are none.
func (s *session) keptAtEnd() string {
	limits, own := s.cfg.Manager.TimeLimits(), s.cfg.Manager.MatchesOf(s.player.ID)
	within := limits.Grace
	if at := s.tables.current; !at.isNone() && slices.Equal(own, []match.ID{at.ID}) {
		within = limits.ToReturn(at.State, at.Side)
	}
	grace := wording.Count(wording.Seconds(within), "second", "seconds")
	switch n := len(own); {
	case n == 0:
		return ""
	case n == 1 && s.tables.current.IsInviting():
		return "Your table is kept for " + grace + "."
	case n == 1 && s.areAgainstComputer(own):
		return "Your match is kept for " + retained(s.player) + "."
	case s.areAgainstComputer(own):
		return "Your matches are kept for " + retained(s.player) + "."
	case s.haveClocks(own):
		return "Your matches go on, and so do their clocks."
	case n == 1:
		return "Your match goes on, and your seat is kept: when it is your turn you have " + grace + " to come back."
	default:
		return "Your " + wording.Count(n, "", "matches") +
			" are on, and your seats are kept: when it is your turn you have " + grace + " to come back."
	}
}

// waysBack reminds a guest of the codes that lead back to the matches that are not over; empty for others.
func (s *session) waysBack() string {
	own := s.cfg.Manager.MatchesOf(s.player.ID)
	var ways []string
	for _, at := range [3]table{s.tables.current, s.tables.background, s.tables.left} {
		if !at.isNone() && slices.Contains(own, at.ID) {
			ways = append(ways, at.resumeHint())
		}
	}
	return strings.Join(slices.Compact(ways), " ")
}

// stopSession ends the session because its context has ended: the client has gone, or the server ends it, and says
// why.
func (s *session) stopSession() {
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
	s.printLine(wording.Capital(cause.Error())+".", s.keptAtStop(), s.waysBack(), queue, "Goodbye.")
}

// keptAtStop says what becomes of the player's matches while the server is away; empty if there are none.
func (s *session) keptAtStop() string {
	n := len(s.cfg.Manager.MatchesOf(s.player.ID))
	if n == 1 && s.tables.current.IsInviting() {
		return "Your table is kept, and its code."
	}
	return wording.KeptAtStop(n)
}

// areAgainstComputer reports whether the computer is the opponent in all of the given matches, and waits.
func (s *session) areAgainstComputer(ids []match.ID) bool {
	on := s.cfg.Manager.Summaries(ids)
	return len(on) == len(ids) && !slices.ContainsFunc(on, func(m match.Summary) bool {
		return !m.Players[0].IsComputer() && !m.Players[1].IsComputer() || !m.Clock.IsNone()
	})
}

// retained is how long the computer waits for a player.
func retained(p match.Player) string {
	if p.Guest {
		return "a day"
	}
	return "a month"
}

// haveClocks reports whether one of the given matches has a clock.
func (s *session) haveClocks(ids []match.ID) bool {
	return slices.ContainsFunc(s.cfg.Manager.Summaries(ids), func(m match.Summary) bool { return !m.Clock.IsNone() })
}
