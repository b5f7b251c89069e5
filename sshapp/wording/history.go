package wording

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"notakto/match/history"
	"notakto/match/rating"
	"notakto/rules"
)

// HistoryLines describes the finished matches of a player in columns, with the ID of the match in the last one.
func HistoryLines(all []history.Entry) []string {
	var text strings.Builder
	columns := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	for _, e := range all {
		_, _ = fmt.Fprintf(columns, "%s\t%s\t%s\t%s\t%s\tagainst %s\t%s\n", e.Ended.UTC().Format(time.DateOnly),
			e.Result(), Terms(e.Terms), Count(e.Plies, "move", "moves"), HowEnded(e), e.Opponent.Name, e.Match)
	}
	_ = columns.Flush()
	return slices.Collect(strings.Lines(text.String()))
}

// EndedText tells a player how a match or a challenge ended, without a full stop, as in "You lost to cyd (3 boards)".
// For the match that ended a rated pair it tells the pair and the rating, as in "You split with cyd (rated, 1562 →
// 1541)".
func EndedText(e history.Entry, opponent string) string {
	switch {
	case e.Reason == history.Declined:
		return opponent + " declined your challenge"
	case e.Reason == history.Expired:
		return "Your challenge to " + cmp.Or(opponent, Anyone) + " expired"
	case e.Reason == history.Withdrawn:
		return opponent + " withdrew a challenge"
	case e.IsVoid():
		return "Cancelled: " + Variant(e.Variant) + " against " + opponent
	}
	game, verb := Variant(e.Variant), ResultVerb(e)
	if e.Pool.IsRated() {
		game = "rated"
	}
	if e.Pair.Match != "" {
		game += fmt.Sprintf(", %s → %s", e.Pair.Before, e.Pair.After)
	}
	return "You " + verb + " " + opponent + " (" + game + ")"
}

// Unseen tells of the unseen entries of a player, in forms from long to short. all must not be empty.
func Unseen(all []history.Entry) []string {
	first := EndedText(all[0], all[0].Opponent.Name)
	if len(all) == 1 {
		return []string{first}
	}
	if slices.ContainsFunc(all, history.Entry.IsChallenge) {
		return []string{first + ", and " + strconv.Itoa(len(all)-1) + " more", strconv.Itoa(len(all)) + " new messages"}
	}
	others := " and " + Count(len(all)-1, "other result", "other results")
	forms := []string{first + others, Count(len(all), "new result", "new results")}
	if second := all[1]; len(all) == 2 && !second.IsVoid() {
		forms = append([]string{first + " and " + ResultVerb(second) + " " + second.Opponent.Name}, forms...)
	}
	return forms
}

// EndedBecause tells how a match ended before its last move, as in "they ran out of time", else "".
func EndedBecause(e history.Entry) string {
	who := "you "
	if e.Winner == e.Side {
		who = "they "
	}
	switch e.Reason {
	case rules.ReasonResign.String():
		return who + "resigned"
	case rules.ReasonTime.String():
		return who + "ran out of time"
	case rules.ReasonAbandoned.String():
		return who + "stayed away"
	default:
		return ""
	}
}

// ResultVerb tells how a match that counts, or the rated pair that it ended, ended for the player. The verb stands
// before the opponent's name, as in "lost to".
func ResultVerb(e history.Entry) string {
	if e.Pair.Match != "" {
		return [...]string{rating.Lost: "lost to", rating.Split: "split with", rating.Won: "beat"}[e.Pair.Result]
	}
	switch e.Winner {
	case e.Side:
		return "beat"
	case e.Side.Other():
		return "lost to"
	default:
		return "drew with"
	}
}

// HowEnded returns how a match ended in one word, or "" if it was played to its end.
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

// Day names the day of a past time as people do, such as "today" or "2 Jan".
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

// BriefDay names the day of a past time in at most eight columns, such as "today" or "2 Jan". A date 300 days ago or
// more has the month and the year, such as "Jan 2006".
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

// Totals sums up a player's finished matches, in one or two lines that fit into a small window.
func Totals(t history.Totals) []string {
	if t.Matches == 0 {
		return []string{"No finished matches yet.", "Matches appear here when they end."}
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
	if t.Chances > 0 {
		chances := Count(t.Chances, "time", "times")
		lines = append(lines, fmt.Sprintf("Kept the win %d of %s.", t.Kept, chances))
	}
	return lines
}

// Standing tells a player's rating, rank and pairs in one or two sentences. Without a rated pair it returns "".
func Standing(s history.Standing) string {
	if s.Ended.IsZero() {
		return ""
	}
	text := fmt.Sprintf("Rating %d +/- %d", s.Rating.WholePoints(), s.Rating.WholeDeviation())
	if s.Rating.IsProvisional() {
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

// RatingChange returns the rating before and after a pair, as in "1500? → 1562? (+62)".
func RatingChange(r history.RatedPair) string {
	return fmt.Sprintf("%s → %s (%+d)", r.Before, r.After, r.Change())
}

// LadderProgress tells the place on the ladder after a pair. Before the player has enough pairs for the ladder, it
// counts the pairs so far. For a pair that did not count, it gives the reason. The result is "" for a
// player off the ladder, and if s includes a later pair.
func LadderProgress(r history.RatedPair, s history.Standing) string {
	switch {
	case r.IsInNetwork:
		return fmt.Sprintf("above %d, no pair within a network counts", history.NetworkPoints)
	case !r.Counts:
		return fmt.Sprintf("only %d pairs a day with the same player count", history.PairsADay)
	case r.After.Pairs < rating.ListedPairs:
		return pairsToList(r.After)
	case s.Rank > 0 && !s.Ended.After(r.Ended): // s.Rank is of this pair
		return Ordinal(s.Rank) + " of " + strconv.Itoa(s.Players) + " on the ladder"
	default:
		return ""
	}
}

func pairsToList(r rating.Rating) string {
	return fmt.Sprintf("%d of %d pairs for the ladder", r.Pairs, rating.ListedPairs)
}

// RatedPairLine joins [RatingChange] and [LadderProgress], for the middle of a sentence.
func RatedPairLine(r history.RatedPair, s history.Standing) string {
	return RatingChange(r) + withPrefix(", ", LadderProgress(r, s))
}

// withPrefix returns prefix and text, "" for an empty text.
func withPrefix(prefix, text string) string {
	if text == "" {
		return ""
	}
	return prefix + text
}

// Results counts games by their results, as in "won 2, lost 1". Without games it returns "".
func Results(won, lost, drawn int) string {
	var parts []string
	for _, result := range [...]struct {
		name   string
		number int
	}{{"won", won}, {"lost", lost}, {"drew", drawn}} {
		if result.number > 0 {
			parts = append(parts, result.name+" "+strconv.Itoa(result.number))
		}
	}
	return strings.Join(parts, ", ")
}

// Quit returns the text that stays in the shell after a session. results counts the games that were played, and rated
// tells the change of the rating. Quit leaves out an empty results or rated. The command to come back has a line of its
// own, to be copied. With isByLogin, name is only the user name of the login, and the command includes name.
func Quit(name, results, rated, host string, isByLogin bool) string {
	if results == "" && host == NoHost {
		return "Goodbye, " + name + "."
	}
	line := "Notakto  " + name + withPrefix("  ", results) + withPrefix("  ", rated)
	if host == NoHost {
		return line
	}
	if isByLogin {
		word := quoteForShell(name)
		if strings.ContainsAny(name, " #") { // quoteForShell leaves these unquoted
			word = `"` + name + `"`
		}
		host = "-l " + word + " " + host
	}
	return line + "  Play again:\nssh " + host
}

// LadderLine returns a player's row on the ladder.
func LadderLine(s history.Standing) string {
	return fmt.Sprintf("%4d  %-16s  %4s  %s, won %d", s.Rank, s.Player.Name, s.Rating,
		Count(s.Won+s.Split+s.Lost, "pair", "pairs"), s.Won)
}

// NoLadder tells that the ladder is empty and how to get on it.
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
