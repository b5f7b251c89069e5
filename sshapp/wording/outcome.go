package wording

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"notakto/match"
	"notakto/match/history"
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

// HistoryLine is a finished match in a player's list, without its name.
func HistoryLine(e history.Entry) string {
	return fmt.Sprintf("%s  %-4s  %-13s  %-9s  %-8s  against %s", e.Ended.UTC().Format("2006-01-02"), e.Result(),
		Terms(e.Terms), Count(e.Plies, "move", "moves"), HowEnded(e), e.Opponent.Name)
}

// HowEnded is how a match ended, in one word, or empty where it was played to its end.
func HowEnded(e history.Entry) string {
	switch e.Reason {
	case "boards", "line", "draw":
		return ""
	case "resign":
		return "resigned"
	default:
		return e.Reason
	}
}

// Day is the day of a time in the past, as it is said on the day of now.
func Day(at, now time.Time) string {
	at, now = at.UTC(), now.UTC()
	midnight := now.Truncate(24 * time.Hour)
	switch {
	case !at.Before(midnight):
		return "today"
	case !at.Before(midnight.Add(-24 * time.Hour)):
		return "yesterday"
	case at.Year() == now.Year():
		return at.Format("2 Jan")
	default:
		return at.Format("2 Jan 2006")
	}
}

// BriefDay is [Day] in at most eight columns: a date of the last ten months has no year, an older one no day.
func BriefDay(at, now time.Time) string {
	at, now = at.UTC(), now.UTC()
	switch {
	case !at.Before(now.Truncate(24 * time.Hour)):
		return "today"
	case now.Sub(at) < 300*24*time.Hour:
		return at.Format("2 Jan")
	default:
		return at.Format("Jan 2006")
	}
}

// Totals is what a player's finished matches add up to, in at most two lines that fit into a small window.
func Totals(t history.Totals) []string {
	if t.Matches == 0 {
		return []string{"No finished match yet.", "A match comes once both have left."}
	}
	var parts []string
	for _, result := range []struct {
		name   string
		number int
	}{{"won", t.Won}, {"lost", t.Lost}, {"drawn", t.Matches - t.Won - t.Lost}} {
		if result.number > 0 {
			parts = append(parts, strconv.Itoa(result.number)+" "+result.name)
		}
	}
	lines := []string{Count(t.Matches, "match", "matches") + ": " + strings.Join(parts, ", ") + "."}
	if share, ok := t.Share(); ok {
		lines = append(lines, fmt.Sprintf("Winning positions kept: %.0f%% of %d.", math.Round(100*share), t.Chances))
	}
	return lines
}

// Standing is a player's rating, rank and pairs, in a sentence or two; empty for a player without a rated pair.
func Standing(s history.Standing) string {
	if s.Ended.IsZero() {
		return ""
	}
	text := fmt.Sprintf("Rating %d +/- %d", s.Rating.Value(), s.Rating.WholeDeviation())
	if s.Rating.Provisional() {
		text += ", provisional"
	}
	if s.Rank > 0 {
		text += ", " + Ordinal(s.Rank) + " of " + strconv.Itoa(s.Players)
	}
	return text + fmt.Sprintf(". Rated pairs: %d won, %d split, %d lost.", s.Won, s.Split, s.Lost)
}

// LadderLine is a player's line on the ladder.
func LadderLine(s history.Standing) string {
	return fmt.Sprintf("%4d  %-16s  %4s  %s, won %d", s.Rank, s.Player.Name, s.Rating,
		Count(s.Won+s.Split+s.Lost, "pair", "pairs"), s.Won)
}

// NoLadder is said where no player is listed yet, and how to be.
const NoLadder = "No player is on the ladder yet. Play eight rated pairs to enter it, and one a month to stay."

// Ordinal is a rank: 1st, 2nd, 3rd, 4th.
func Ordinal(n int) string {
	ending := "th"
	if tens := n / 10 % 10; tens != 1 {
		switch n % 10 {
		case 1:
			ending = "st"
		case 2:
			ending = "nd"
		case 3:
			ending = "rd"
		}
	}
	return strconv.Itoa(n) + ending
}
