package plain

import (
	"slices"
	"time"

	"notakto/match"
)

// pollEvery is how often the matches are looked at that the player is away from.
const pollEvery = time.Second

// backgroundMatch is a match of the player's own that is not open here.
type backgroundMatch struct {
	id          match.ID
	about       string
	clockShown  bool // that the time is running
	isTheirTurn bool // it is the opponent's turn
}

// trackBackground begins to look at the matches that the player is away from.
func trackBackground(s *session) {
	for _, id := range s.cfg.Manager.MatchesOf(s.player.ID) {
		if !isAtTable(s, id) && !slices.ContainsFunc(s.away.matches, func(a *backgroundMatch) bool { return a.id == id }) {
			s.away.matches = append(s.away.matches, &backgroundMatch{id: id})
		}
	}
	if len(s.away.matches) > 0 && s.away.lookAt.IsZero() {
		s.away.lookAt = time.Now().Add(pollEvery)
	}
}

// isAtTable reports whether a match is open in this session.
func isAtTable(s *session, id match.ID) bool {
	return s.tables.current.IsNeeded() && s.tables.current.ID == id || s.tables.background.IsNeeded() && s.tables.background.ID == id
}

// pollBackground tells of the matches that the player is away from what must not be missed: that the time to come back
// is running, and that one is over.
func pollBackground(s *session) {
	if s.away.lookAt.IsZero() || time.Now().Before(s.away.lookAt) {
		return
	}
	s.away.lookAt = time.Time{}
	mine := s.cfg.Manager.MatchesOf(s.player.ID)
	s.away.matches = slices.DeleteFunc(s.away.matches, func(a *backgroundMatch) bool {
		at := slices.Index(mine, a.id)
		switch {
		case isAtTable(s, a.id):
			return true
		case at < 0:
			if a.about != "" {
				s.printLine("Your match is over that you were away from: "+a.about+".", "To hear how it ended, type watch "+string(a.id)+".")
			}
			return true
		}
		describeBackground(s, a, wayTo(a.id, mine))
		return false
	})
	trackBackground(s)
}

// describeBackground tells of a match that is on.
func describeBackground(s *session, a *backgroundMatch, way string) {
	for _, m := range s.cfg.Manager.Summaries([]match.ID{a.id}) {
		a.about = aboutSummary(s, m)
		a.isTheirTurn = m.ToMove().ID != s.player.ID
		runs := !a.isTheirTurn && !m.ForfeitAt.IsZero()
		if runs && !a.clockShown {
			s.printLine("You are away from "+a.about+".", "Type "+way+" within "+timeLeft(m, s.cfg.Manager.Now())+", or you lose that match.")
		}
		a.clockShown = runs
	}
}
