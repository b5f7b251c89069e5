package plain

import (
	"slices"
	"time"

	"notakto/match"
)

// lookEvery is how often the matches are looked at that the player is away from.
const lookEvery = time.Second

// away is a match of the player's own that is not open here.
type away struct {
	id     match.ID
	about  string
	told   bool // that the time is running
	theirs bool // it is the opponent's turn
}

// follow begins to look at the matches that the player is away from.
func (s *session) follow() {
	for _, id := range s.manager.Of(s.player.ID) {
		if !s.isHere(id) && !slices.ContainsFunc(s.away, func(a *away) bool { return a.id == id }) {
			s.away = append(s.away, &away{id: id})
		}
	}
	if len(s.away) > 0 && s.lookAt.IsZero() {
		s.lookAt = time.Now().Add(lookEvery)
	}
}

// isHere reports whether a match is open in this session.
func (s *session) isHere(id match.ID) bool {
	return s.here.open() && s.here.id == id || s.other.open() && s.other.id == id
}

// lookAway tells of the matches that the player is away from what must not be missed: that the time to come back is running, and that one is
// over.
func (s *session) lookAway() {
	if s.lookAt.IsZero() || time.Now().Before(s.lookAt) {
		return
	}
	s.lookAt = time.Time{}
	mine := s.manager.Of(s.player.ID)
	s.away = slices.DeleteFunc(s.away, func(a *away) bool {
		at := slices.Index(mine, a.id)
		switch {
		case s.isHere(a.id):
			return true
		case at < 0:
			if a.about != "" {
				s.say("Your match is over that you were away from: "+a.about+".", "To hear how it ended, type watch "+string(a.id)+".")
			}
			return true
		}
		s.lookAtOne(a, wayTo(a.id, mine))
		return false
	})
	s.follow()
}

// lookAtOne tells of a match that is on.
func (s *session) lookAtOne(a *away, way string) {
	for _, m := range s.manager.Summaries([]match.ID{a.id}) {
		a.about = s.aboutOne(m)
		a.theirs = m.Mover().ID != s.player.ID
		runs := !a.theirs && !m.LostAt.IsZero()
		if runs && !a.told {
			s.say("You are away from "+a.about+".", "Type "+way+" within "+timeLeft(m, s.manager.Now())+", or you lose that match.")
		}
		a.told = runs
	}
}
