package wording

import (
	"fmt"
	"math"

	"notakto/match/history"
)

// HistoryLine is a finished match in a player's list, without its name.
func HistoryLine(e history.Entry) string {
	return fmt.Sprintf("%s  %-4s  %-11s  %-9s  %-8s  against %s", e.Ended.UTC().Format("2006-01-02"), e.Result(),
		Variant(e.Variant), Count(e.Plies, "move", "moves"), howEnded(e), e.Opponent.Name)
}

// howEnded is how a match ended, in one word, or empty where it was played to its end.
func howEnded(e history.Entry) string {
	switch e.Reason {
	case "boards", "line", "draw":
		return ""
	case "resign":
		return "resigned"
	default:
		return e.Reason
	}
}

// Totals is what a player's finished matches add up to, in one line or two.
func Totals(t history.Totals) []string {
	drawn := t.Matches - t.Won - t.Lost
	first := Count(t.Matches, "match", "matches") + ": " + Count(t.Won, "won", "won") + ", " + Count(t.Lost, "lost", "lost")
	if drawn > 0 {
		first += ", " + Count(drawn, "drawn", "drawn")
	}
	lines := []string{first + "."}
	if share, ok := t.Share(); ok {
		lines = append(lines, fmt.Sprintf("Winning positions kept: %d of %d, %.0f%%.", t.Kept, t.Chances, math.Round(100*share)))
	}
	return lines
}
