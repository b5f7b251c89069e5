package wording

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"

	"notakto/match"
	"notakto/match/history"
	"notakto/rules"
	"notakto/rules/strategy"
)

// Headline returns the result of a match in two or three words, for the player of a side, or for a spectator if viewer
// is rules.Nobody. subject names a side at the beginning of a sentence.
func Headline(s *match.State, viewer rules.Side, subject func(rules.Side) string) string {
	switch winner := s.Outcome.Winner; {
	case s.Outcome.Reason == rules.Draw:
		return "A draw"
	case s.Outcome.IsVoid():
		return "Cancelled"
	case viewer == rules.Nobody:
		return subject(winner) + " won"
	case winner == viewer:
		return "You won"
	default:
		return "You lost"
	}
}

// Name returns a player's name. A computer's name is its level with a mark.
func Name(p match.Player) string {
	if p.IsComputer() {
		return p.Name + " (computer)"
	}
	return p.Name
}

// Result names the winner, the loser and the game of a match that counts, as a sentence without its stop.
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

// Reason says in a sentence how a match ended, or returns "" before the end.
func Reason(s *match.State, subject func(rules.Side) string) string {
	winner := s.Outcome.Winner
	if s.Outcome.Reason == rules.Operator {
		return "Ended by the operator."
	}
	if s.Outcome.IsVoid() && s.IsAgainstComputer() && !s.IsHere(s.Position.Turn()) {
		return subject(s.Position.Turn()) + " stayed away too long."
	}
	if s.Outcome.IsVoid() {
		return subject(s.Position.Turn()) + " did not make a first move."
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
		reason := subject(winner.Other()) + " stayed away too long"
		if s.IsPairOver() && s.Game() == 1 {
			return reason + ": game 2 was not played."
		}
		return reason + "."
	default:
		return ""
	}
}

// Played returns the terms of a match, with the number of a rated pair's game.
func Played(s *match.State) string {
	text := withClock(Variant(s.Variant), s.Clock)
	if game := PairGame(s); game != "" {
		text += ", " + game
	}
	return text
}

// Resigning says what happens if a player resigns. opponent is the opponent's name at the beginning of a sentence.
func Resigning(s *match.State, opponent string) string {
	if s.Game() == 1 {
		return opponent + " will win this game. The second one follows."
	}
	return opponent + " will win."
}

// LostByAbsence says what a player loses by a long absence, as the end of a sentence that tells the time. It returns ""
// if the player loses only the match.
func LostByAbsence(s *match.State, side rules.Side) string {
	if s.Game() == 1 && s.HasMoved(side) {
		return ", or you lose both games"
	}
	return ""
}

// RatedPair names the game of rated terms, in the middle of a sentence.
const RatedPair = "a rated pair"

// PairGame numbers a game of a rated pair, "rated, game 1 of 2". It returns "" for a match that is not rated.
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

// SecondGame says when the second game of a rated pair begins. It returns "" if no second game is to come.
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

// PairResult says how a rated pair ended, for the player of a side or for a spectator. It returns "" unless the pair is
// over.
func PairResult(s *match.State, side rules.Side, subject func(rules.Side) string) string {
	if !s.IsPairOver() {
		return ""
	}
	if side == rules.Nobody && s.PairPoints(rules.First) != 1 {
		winner := rules.First
		if s.PairPoints(winner) == 0 {
			winner = rules.Second
		}
		return subject(winner) + " won the pair 2–0."
	}
	switch {
	case side == rules.Nobody:
		return "The pair ended 1–1."
	case s.PairPoints(side) == 2:
		return "You won the pair 2–0."
	case s.PairPoints(side) == 1:
		return "You split the pair 1–1."
	default:
		return "You lost the pair 0–2."
	}
}

// PairScore returns the score of a rated pair that is over, for the player of a side: "2–0".
func PairScore(s *match.State, side rules.Side) string {
	return strconv.Itoa(s.PairPoints(side)) + "–" + strconv.Itoa(s.PairPoints(side.Other()))
}

// OpeningSeed says how to check the openings of a rated pair, in at most 75 columns. During the pair it gives the hash
// of the seed, then the seed. It returns "" for a match that is not rated.
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

// ShareLine tells a finished match in one line for a chat, for the player of a side. The line has the result, a sign
// for each of the player's moves, and the command to watch the match, or the match's identifier with [NoHost]. The
// signs say that a move kept the win, gave it away, or had none to keep. With ascii they are ASCII characters. If the
// line is pasted into a shell, the shell runs nothing of it. ShareLine returns "" for a void match.
//
// For the last game of a rated pair, the line has the pair's score instead of the signs, and the change of the rating
// in rated. rated may be the zero value.
func ShareLine(s *match.State, side rules.Side, reviews []strategy.MoveReview, rated history.RatedPair, host string,
	ascii bool) string {
	game, kept, gave, none := "Notakto "+strings.Repeat("▦", s.Variant.Boards()), "✓", "✗", "·"
	if ascii {
		game, kept, gave, none = "Notakto/"+strconv.Itoa(s.Variant.Boards()), "+", "x", "-"
	}
	if s.Variant.IsTicTacToe() {
		game = "Tic-tac-toe"
	}
	verb := "lost to"
	switch {
	case s.Outcome.IsVoid():
		return ""
	case s.Outcome.Winner == side:
		verb = "beat"
	case s.Outcome.Winner == rules.Nobody:
		verb = "drew with"
	}
	var marks strings.Builder
	for _, r := range reviews {
		switch {
		case r.Side != side:
		case r.Mistake():
			marks.WriteString(gave)
		case r.Before == strategy.Loss:
			marks.WriteString(none)
		default:
			marks.WriteString(kept)
		}
	}
	opponent := quoted(s.SeatState(side.Other()).Player.Name)
	line := fmt.Sprintf("%s %s %s in %s", game, verb, opponent, Count(len(s.Moves), "move", "moves"))
	switch {
	case s.IsPairOver():
		line = game + " " + sharedPair(s, side, opponent, rated)
	case marks.Len() > 0:
		line += "  " + marks.String()
	}
	if ascii {
		line = strings.ReplaceAll(line, "–", "-")
	}
	command := GameCommand(host, "watch "+string(s.ID))
	return line + "  " + cmp.Or(command, "match "+string(s.ID))
}

func sharedPair(s *match.State, side rules.Side, opponent string, rated history.RatedPair) string {
	text := [...]string{"lost", "split", "won"}[s.PairPoints(side)] + " a rated pair " + PairScore(s, side) +
		" against " + opponent
	switch change := rated.Change(); {
	case rated.Match == "":
	case change < 0:
		text += fmt.Sprintf(", rating %d, down %d", rated.After.Value(), -change)
	default:
		text += fmt.Sprintf(", rating %d, up %d", rated.After.Value(), change)
	}
	return text
}

// quoted quotes a name with a character that could be special in a shell, such as the & of x&reboot. Quotes are enough:
// no name has a double quote, a backslash, a dollar or an exclamation mark.
func quoted(name string) string {
	for _, r := range name {
		if !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) && !strings.ContainsRune(" -_.+#", r) {
			return `"` + name + `"`
		}
	}
	return name
}
