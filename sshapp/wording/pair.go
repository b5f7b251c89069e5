package wording

import (
	"time"

	"notakto/match"
	"notakto/rules"
)

// RatedPair is what players of rated terms wait for, in the middle of a sentence.
const RatedPair = "a rated pair"

// Played is what is played in a match: its terms, and which game of a rated pair it is.
func Played(s *match.State) string {
	text := withClock(Variant(s.Variant), s.Clock)
	if game := PairGame(s); game != "" {
		text += ", " + game
	}
	return text
}

// OpeningSeed says how the openings of a rated pair can be checked, in at most 75 columns: by the hash of their seed
// while the pair is on, and then by the seed. Empty if the match is not rated.
func OpeningSeed(s *match.State) string {
	switch {
	case !s.Pool.IsRated():
		return ""
	case s.OpeningSeed() != "":
		return "The openings were drawn from the seed " + s.OpeningSeed()
	default:
		return "Seed hash: " + s.OpeningHash()
	}
}

// PairGame is which game of a rated pair a match is, "rated, game 1 of 2"; empty if it is not rated.
func PairGame(s *match.State) string {
	switch s.Game() {
	case 1:
		return "rated, game 1 of 2"
	case 2:
		return "rated, game 2 of 2"
	default:
		return ""
	}
}

// Resigning says what resigning a match leads to, of which the opponent is named as at the beginning of a sentence.
func Resigning(s *match.State, opponent string) string {
	if s.Game() == 1 {
		return opponent + " will win this game. The second one follows."
	}
	return opponent + " will win."
}

// LostByAbsence is what a player loses by staying away from a match for too long, to be added to a sentence that says
// for how long; empty where it is that match.
func LostByAbsence(s *match.State, side rules.Side) string {
	if s.Game() == 1 && match.HasMoved(s, side) {
		return ", or you lose both games"
	}
	return ""
}

// SecondGame says that the second game of a rated pair follows, and when; empty if it does not, or has begun.
func SecondGame(s *match.State, now time.Time) string {
	at := s.SecondGameAt()
	switch left := Seconds(at.Sub(now)); {
	case at.IsZero():
		return ""
	case left == 0: // a server that stops leaves it to the next start
		return "The second game is about to begin."
	default:
		return "Second game in " + Count(left, "second", "seconds") + "."
	}
}

// PairResult says how a rated pair ended, for the player of a side, or for a spectator; empty unless the pair is over.
func PairResult(s *match.State, side rules.Side, subject func(rules.Side) string) string {
	if !s.IsPairOver() {
		return ""
	}
	if side == rules.Nobody && s.PairPoints(rules.First) != 1 {
		winner := rules.First
		if s.PairPoints(winner) == 0 {
			winner = rules.Second
		}
		return subject(winner) + " won the pair 2-0."
	}
	switch {
	case side == rules.Nobody:
		return "The pair ended 1-1."
	case s.PairPoints(side) == 2:
		return "You won the pair 2-0."
	case s.PairPoints(side) == 1:
		return "You split the pair 1-1."
	default:
		return "You lost the pair 0-2."
	}
}
