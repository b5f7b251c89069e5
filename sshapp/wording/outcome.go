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

// Headline returns the result of a match in two or three words. viewer is the side of the reading player, or
// [rules.NoSide] for a spectator.
func Headline(s *match.State, viewer rules.Side, subject func(rules.Side) string) string {
	switch winner := s.Outcome.Winner; {
	case s.Outcome.Reason == rules.ReasonDraw:
		return "A draw"
	case s.Outcome.IsVoid():
		return "Cancelled"
	case viewer == rules.NoSide:
		return subject(winner) + " won"
	case winner == viewer:
		return "You won"
	default:
		return "You lost"
	}
}

// Name returns a player's name, marked if it is the computer's.
func Name(p match.Player) string {
	if p.IsComputer() {
		return p.Name + " (computer)"
	}
	return p.Name
}

// Result names the winner, the loser and the game of a match that counts, without a full stop.
func Result(s *match.State, name func(match.Player) string) string {
	first, second := name(s.Seat(rules.First).Player), name(s.Seat(rules.Second).Player)
	verb := " beat "
	switch s.Outcome.Winner {
	case rules.Second:
		first, second = second, first
	case rules.NoSide:
		verb = " drew with "
	}
	game := " on "
	if s.Variant.IsTicTacToe() {
		game = " at "
	}
	return first + verb + second + game + Variant(s.Variant)
}

// Reason tells in a sentence why a match ended. Before the end it returns "".
func Reason(s *match.State, subject func(rules.Side) string) string {
	winner := s.Outcome.Winner
	if s.Outcome.Reason == rules.ReasonOperator {
		return "Ended by the operator."
	}
	if s.Outcome.IsVoid() && s.IsAgainstComputer() && !s.IsHere(s.Position.Turn()) {
		return subject(s.Position.Turn()) + " stayed away too long."
	}
	if s.Outcome.IsVoid() {
		return subject(s.Position.Turn()) + " did not make a first move."
	}
	switch s.Outcome.Reason {
	case rules.ReasonBoards:
		if s.Variant.Boards() == 1 {
			return subject(winner.Other()) + " made three in a row."
		}
		return subject(winner.Other()) + " killed the last board."
	case rules.ReasonLine:
		return subject(winner) + " made three in a row."
	case rules.ReasonDraw:
		return "The board is full."
	case rules.ReasonResign:
		return subject(winner.Other()) + " resigned."
	case rules.ReasonTime:
		return subject(winner.Other()) + " ran out of time."
	case rules.ReasonAbandoned:
		reason := subject(winner.Other()) + " stayed away too long"
		if !s.HasMoved(winner.Other()) && s.Pool.IsRated() {
			reason = subject(winner.Other()) + " did not make a first move"
		}
		if s.IsPairOver() && s.Game() == 1 {
			return reason + ": game 2 was not played."
		}
		return reason + "."
	default:
		return ""
	}
}

// Played names the game, the clock and, in a rated pair, the number of the game.
func Played(s *match.State) string {
	text := withClock(Variant(s.Variant), s.Clock)
	if game := PairGame(s); game != "" {
		text += ", " + game
	}
	return text
}

// Resigning tells what a resignation costs. opponent stands at the beginning of the sentence.
func Resigning(s *match.State, opponent string) string {
	if s.Game() == 1 && !s.IsSimultaneous() {
		return opponent + " will win this game. The second game follows."
	}
	return opponent + " will win."
}

// LostByAbsence returns the end of a sentence about the time to come back. If a longer absence of side loses both games
// of a pair, the end warns of the loss. Otherwise the result is "".
func LostByAbsence(s *match.State, side rules.Side) string {
	if s.Game() == 1 && !s.IsSimultaneous() && s.HasMoved(side) {
		return ", or you lose both games"
	}
	return ""
}

// RatedPair names the game of rated terms, in the middle of a sentence.
const RatedPair = "a rated pair"

// PairGame numbers a game of a rated pair, as in "rated, game 1 of 2". For other matches it returns "".
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

// SecondGame tells when the second game of a rated pair begins, and returns "" if no second game follows.
func SecondGame(s *match.State, now time.Time) string {
	at := s.SecondGameAt()
	switch left := Seconds(at.Sub(now)); {
	case at.IsZero():
		return ""
	// The time can pass without the game, for example while the server restarts.
	case left == 0:
		return "The second game is about to begin."
	default:
		return "Second game in " + Count(left, "second", "seconds") + "."
	}
}

// PairResult tells how a rated pair ended, to a player or a spectator. Before the end of the pair it returns "".
func PairResult(s *match.State, side rules.Side, subject func(rules.Side) string) string {
	if !s.IsPairOver() {
		return ""
	}
	if side == rules.NoSide && s.PairPoints(rules.First) != 1 {
		winner := rules.First
		if s.PairPoints(winner) == 0 {
			winner = rules.Second
		}
		return subject(winner) + " won the pair 2–0."
	}
	switch {
	case side == rules.NoSide:
		return "The pair ended 1–1."
	case s.PairPoints(side) == 2:
		return "You won the pair 2–0."
	case s.PairPoints(side) == 1:
		return "You split the pair 1–1."
	default:
		return "You lost the pair 0–2."
	}
}

// PairScore returns the score of a finished rated pair from the view of side, such as "2–0".
func PairScore(s *match.State, side rules.Side) string {
	return strconv.Itoa(s.PairPoints(side)) + "–" + strconv.Itoa(s.PairPoints(side.Other()))
}

// OpeningSeed helps to check the openings of a rated pair, in at most 75 columns. During the pair the text has the
// hash of the seed, and after the pair the seed. For other matches the result is "".
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

// ShareLine describes a finished match in one line for a chat, from the view of side. The line has the result, a
// sign for each of the player's moves, and the command to watch the match. Without a known host it has the match's
// ID instead. ShareLine returns "" for a cancelled match.
//
// The sign ✓ marks a move that kept the win or draw, and ✗ a move that gave the win or draw away. The sign · marks
// a move in a lost position. ascii replaces the signs with ASCII ones. Pasted into a shell, the line runs no command.
//
// For the last game of a rated pair, the line has the score of the pair and the change of the rating instead of the
// result and the signs. The zero value of rated leaves the rating out.
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
	case s.Outcome.Winner == rules.NoSide:
		verb = "drew with"
	}
	var marks strings.Builder
	for _, r := range reviews {
		switch {
		case r.Side != side:
		case r.IsMistake():
			marks.WriteString(gave)
		case r.VerdictBefore == strategy.Loss:
			marks.WriteString(none)
		default:
			marks.WriteString(kept)
		}
	}
	opponent := quoteForShell(s.Seat(side.Other()).Player.Name)
	line := fmt.Sprintf("%s %s %s in %s", game, verb, opponent, Count(len(s.Moves), "move", "moves"))
	if s.Hinted {
		line += ", with hints"
	}
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
		text += fmt.Sprintf(", rating %d, down %d", rated.After.WholePoints(), -change)
	default:
		text += fmt.Sprintf(", rating %d, up %d", rated.After.WholePoints(), change)
	}
	return text
}

// quoteForShell quotes a name that a shell might not read as one word, such as x&reboot. Double quotes are enough.
// No name has a double quote, a backslash, a dollar or an exclamation mark.
func quoteForShell(name string) string {
	for _, r := range name {
		if !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) && !strings.ContainsRune(" -_.+#", r) {
			return `"` + name + `"`
		}
	}
	return name
}
