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
func (s *session) trackBackground() {
	for _, id := range s.manager.MatchesOf(s.player.ID) {
		if !s.isAtTable(id) && !slices.ContainsFunc(s.background, func(a *backgroundMatch) bool { return a.id == id }) {
			s.background = append(s.background, &backgroundMatch{id: id})
		}
	}
	if len(s.background) > 0 && s.lookAt.IsZero() {
		s.lookAt = time.Now().Add(pollEvery)
	}
}

// isAtTable reports whether a match is open in this session.
func (s *session) isAtTable(id match.ID) bool {
	return s.table.IsNeeded() && s.table.ID == id || s.backgroundTable.IsNeeded() && s.backgroundTable.ID == id
}

// pollBackground tells of the matches that the player is away from what must not be missed: that the time to come back
// is running, and that one is over.
func (s *session) pollBackground() {
	if s.lookAt.IsZero() || time.Now().Before(s.lookAt) {
		return
	}
	s.lookAt = time.Time{}
	mine := s.manager.MatchesOf(s.player.ID)
	s.background = slices.DeleteFunc(s.background, func(a *backgroundMatch) bool {
		at := slices.Index(mine, a.id)
		switch {
		case s.isAtTable(a.id):
			return true
		case at < 0:
			if a.about != "" {
				s.printLine("Your match is over that you were away from: "+a.about+".", "To hear how it ended, type watch "+string(a.id)+".")
			}
			return true
		}
		s.describeBackground(a, wayTo(a.id, mine))
		return false
	})
	s.trackBackground()
}

// describeBackground tells of a match that is on.
func (s *session) describeBackground(a *backgroundMatch, way string) {
	for _, m := range s.manager.Summaries([]match.ID{a.id}) {
		a.about = s.aboutOne(m)
		a.isTheirTurn = m.ToMove().ID != s.player.ID
		runs := !a.isTheirTurn && !m.ForfeitAt.IsZero()
		if runs && !a.clockShown {
			s.printLine("You are away from "+a.about+".", "Type "+way+" within "+timeLeft(m, s.manager.Now())+", or you lose that match.")
		}
		a.clockShown = runs
	}
}
