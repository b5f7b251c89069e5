package wording

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"notakto/match/history"
	"notakto/match/rating"
)

// HistoryLine describes a finished match in a player's list, without the match's name.
func HistoryLine(e history.Entry) string {
	return fmt.Sprintf("%s  %-4s  %-13s  %-9s  %-8s  against %s", e.Ended.UTC().Format("2006-01-02"), e.Result(),
		Terms(e.Terms), Count(e.Plies, "move", "moves"), HowEnded(e), e.Opponent.Name)
}

// Ended says how a match ended for its player, as a line without its stop: "You lost to cyd (3 boards)". opponent is
// the opponent's name as shown.
func Ended(e history.Entry, opponent string) string {
	text := "You drew with "
	switch {
	case e.IsVoid():
		return "Cancelled: " + Variant(e.Variant) + " against " + opponent
	case e.Winner == e.Side:
		text = "You won against "
	case e.Winner == e.Side.Other():
		text = "You lost to "
	}
	game := Variant(e.Variant)
	if e.Pool.IsRated() {
		game = "rated"
	}
	return text + opponent + " (" + game + ")"
}

// HowEnded says in one word how a match ended, or returns "" if it was played to its end.
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

// Day names the day of a past time, as people say it on the day of now.
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

// BriefDay is [Day] in at most eight columns. A date of the last ten months has no year, and an older one no day.
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

// Totals sums up a player's finished matches, in at most two lines that fit into a small window.
func Totals(t history.Totals) []string {
	if t.Matches == 0 {
		return []string{"No finished match yet.", "Matches appear here when they end."}
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

// Standing tells a player's rating, rank and pairs in a sentence or two. It returns "" for a player without a rated
// pair.
func Standing(s history.Standing) string {
	if s.Ended.IsZero() {
		return ""
	}
	text := fmt.Sprintf("Rating %d +/- %d", s.Rating.Value(), s.Rating.WholeDeviation())
	if s.Rating.Provisional() {
		text += ", provisional"
	}
	switch {
	case s.Rank > 0:
		text += ", " + Ordinal(s.Rank) + " of " + strconv.Itoa(s.Players)
	case s.Rating.Pairs < rating.ListedPairs:
		text += ", " + pairsToList(s.Rating)
	}
	return text + fmt.Sprintf(". Rated pairs: %d won, %d split, %d lost.", s.Won, s.Split, s.Lost)
}

// RatingChange returns the rating before and after a pair, with the difference: "1500? → 1562? (+62)".
func RatingChange(r history.RatedPair) string {
	return fmt.Sprintf("%s → %s (%+d)", r.Before, r.After, r.Change())
}

// LadderProgress says what a pair means for the ladder. It tells how many pairs a player lacks, the place by s, or that
// the pair did not count: "1 of 8 pairs for the ladder". It returns "" if the player has played another pair since, or
// is off the ladder.
func LadderProgress(r history.RatedPair, s history.Standing) string {
	switch {
	case !r.Counts:
		return fmt.Sprintf("only %d pairs a day with the same player count", history.PairsADay)
	case r.After.Pairs < rating.ListedPairs:
		return pairsToList(r.After)
	case s.Rank > 0 && !s.Ended.After(r.Ended): // no later pair
		return Ordinal(s.Rank) + " of " + strconv.Itoa(s.Players) + " on the ladder"
	default:
		return ""
	}
}

// pairsToList says how far a player is on the way to the ladder.
func pairsToList(r rating.Rating) string {
	return fmt.Sprintf("%d of %d pairs for the ladder", r.Pairs, rating.ListedPairs)
}

// RatedPairLine returns a pair's [RatingChange] and [LadderProgress], in the middle of a sentence.
func RatedPairLine(r history.RatedPair, s history.Standing) string {
	return RatingChange(r) + joined(", ", LadderProgress(r, s))
}

// joined returns separator and text, or "" for an empty text.
func joined(separator, text string) string {
	if text == "" {
		return ""
	}
	return separator + text
}

// Results counts games by their results: "won 2, lost 1". It returns "" without games.
func Results(won, lost, drawn int) string {
	var parts []string
	for _, of := range [...]struct {
		name   string
		number int
	}{{"won", won}, {"lost", lost}, {"drew", drawn}} {
		if of.number > 0 {
			parts = append(parts, of.name+" "+strconv.Itoa(of.number))
		}
	}
	return strings.Join(parts, ", ")
}

// Quit returns the text that stays in the shell after a session. results tells what was played, and rated how the
// rating changed. Both may be empty. The command to come back has a line of its own. With isByLogin, the name comes
// only from the login, so the command names the player.
func Quit(name, results, rated, host string, isByLogin bool) string {
	if results == "" && host == NoHost {
		return "Goodbye, " + name + "."
	}
	line := "Notakto  " + name + joined("  ", results) + joined("  ", rated)
	if host == NoHost {
		return line
	}
	if isByLogin {
		word := quoted(name)
		if strings.ContainsAny(name, " #") { // quoted leaves them to texts
			word = `"` + name + `"`
		}
		host = "-l " + word + " " + host
	}
	return line + "  again:\nssh " + host
}

// LadderLine returns a player's line on the ladder.
func LadderLine(s history.Standing) string {
	return fmt.Sprintf("%4d  %-16s  %4s  %s, won %d", s.Rank, s.Player.Name, s.Rating,
		Count(s.Won+s.Split+s.Lost, "pair", "pairs"), s.Won)
}

// NoLadder is the text of an empty ladder. It says how to get on it.
const NoLadder = "The ladder is empty. Be the first: play eight rated pairs. One a month keeps you on it."

// Ordinal returns a rank as 1st, 2nd, 3rd or 4th.
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
