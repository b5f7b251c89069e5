package plain

import (
	"slices"
	"time"

	"notakto/match"
	"notakto/sshapp/client"
)

// pollEvery is how often the matches are looked at that the player is away from.
const pollEvery = time.Second

// watchBackground begins to look at the matches that the player is away from.
func (s *session) watchBackground() {
	isAway := func(id match.ID) bool { return !s.isAtTable(id) }
	if s.away.lookAt.IsZero() && slices.ContainsFunc(s.cfg.Manager.MatchesOf(s.player.ID), isAway) {
		s.away.lookAt = time.Now().Add(pollEvery)
	}
}

// isAtTable reports whether a match is open in this session.
func (s *session) isAtTable(id match.ID) bool {
	return s.tables.current.IsNeeded() && s.tables.current.ID == id ||
		s.tables.background.IsNeeded() && s.tables.background.ID == id
}

// pollBackground prints of the matches that the player is away from what must not be missed: that the time to come back
// is running, and that one is over.
func (s *session) pollBackground() {
	if s.away.lookAt.IsZero() || time.Now().Before(s.away.lookAt) {
		return
	}
	own := s.client.OwnMatches(s.player.ID)
	isOpen := func(o client.OwnMatch) bool { return s.isAtTable(o.ID) }
	before := slices.DeleteFunc(s.away.matches, isOpen)
	for _, o := range client.Ended(before, own) {
		s.printLine("A match that you were away from is over: "+s.opponentText(o.Summary)+".",
			"To hear how it ended, type watch "+string(o.ID)+".")
	}
	s.away = away{matches: slices.DeleteFunc(slices.Clone(own), isOpen)}
	for _, o := range s.away.matches {
		wasRunning := slices.ContainsFunc(before, func(was client.OwnMatch) bool {
			return was.ID == o.ID && !was.LostAt().IsZero()
		})
		if !wasRunning && !o.LostAt().IsZero() {
			s.printLine("You are away from "+s.aboutSummary(o.Summary)+".",
				"Type "+wayTo(o.ID, idsOf(own))+" within "+timeLeft(o.Summary, s.cfg.Manager.Now())+", or "+lossText(o.Summary)+".")
		}
	}
	if len(s.away.matches) > 0 {
		s.away.lookAt = time.Now().Add(pollEvery)
	}
}

// lossText is what comes of staying away.
func lossText(m match.Summary) string {
	if m.MayBeVoid() {
		return "that match ends"
	}
	return "you lose that match"
}

func idsOf(own []client.OwnMatch) []match.ID {
	ids := make([]match.ID, len(own))
	for i, o := range own {
		ids[i] = o.ID
	}
	return ids
}
