package wording

import (
	"notakto/match"
	"notakto/rules"
)

// Headline is who won, in two or three words, for the player of a side, or for a spectator if it is none. subject names
// a side at the beginning of a sentence.
func Headline(s *match.State, viewer rules.Side, subject func(rules.Side) string) string {
	switch winner := s.Outcome.Winner; {
	case s.Outcome.Reason == rules.Draw:
		return "A draw"
	case s.Outcome.IsVoid():
		return "No result"
	case viewer == rules.Nobody:
		return subject(winner) + " won"
	case winner == viewer:
		return "You won"
	default:
		return "You lost"
	}
}

// Name is a player's name: a computer's is its level.
func Name(p match.Player) string { return p.Name }

// Result is the winner and the loser of a match that counts, and the game, as a sentence without its stop.
func Result(s *match.State, name func(match.Player) string) string {
	first, second := name(s.SeatState(rules.First).Player), name(s.SeatState(rules.Second).Player)
	verb := " beat "
	switch s.Outcome.Winner {
	case rules.Second:
		first, second = second, first
	case rules.Nobody:
		verb = " drew with "
	}
	game := " on "
	if s.Variant.IsTicTacToe() {
		game = " at "
	}
	return first + verb + second + game + Variant(s.Variant)
}

// Reason is how a match ended, as a sentence; empty if it has not.
func Reason(s *match.State, subject func(rules.Side) string) string {
	winner := s.Outcome.Winner
	if s.Outcome.Reason == rules.Operator {
		return "Ended by the operator."
	}
	if s.Outcome.IsVoid() && s.IsAgainstComputer() && !s.IsHere(s.Position.Turn()) {
		return subject(s.Position.Turn()) + " stayed away too long."
	}
	if s.Outcome.IsVoid() {
		return subject(s.Position.Turn()) + " never moved."
	}
	switch s.Outcome.Reason {
	case rules.Boards:
		if s.Variant.Boards() == 1 {
			return subject(winner.Other()) + " made three in a row."
		}
		return subject(winner.Other()) + " killed the last board."
	case rules.Line:
		return subject(winner) + " made three in a row."
	case rules.Draw:
		return "No cell is left."
	case rules.Resign:
		return subject(winner.Other()) + " resigned."
	case rules.Time:
		return subject(winner.Other()) + " ran out of time."
	case rules.Abandoned:
		return subject(winner.Other()) + " stayed away too long."
	default:
		return ""
	}
}
