package tui

import (
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/client"
)

// reviewed brings the reviews on a match.
type reviewed struct {
	table   *client.Table
	reviews []strategy.MoveReview
}

// review looks at every move of a match that has ended.
func review(at *client.Table) tea.Cmd {
	variant, moves := at.Variant, at.Moves
	return func() tea.Msg { return reviewed{at, strategy.Review(variant, moves)} }
}

// was is what the position was before a move.
func was(r strategy.MoveReview) string {
	switch r.Before {
	case strategy.Win:
		return "won"
	case strategy.Loss:
		return "lost"
	default:
		return "drawn"
	}
}

// bestText is the moves that perfect play would have chosen from.
func bestText(v rules.Variant, r strategy.MoveReview) string {
	switch {
	case len(r.Best) == 0:
		return "none"
	case len(r.Best) == r.Choices:
		return "any move"
	case len(r.Best) > 6:
		return byBoard(r.Best)
	}
	words := make([]string, len(r.Best))
	for i, m := range r.Best {
		words[i] = v.FormatMove(m)
	}
	return strings.Join(words, " ")
}

// byBoard lists moves with each board's letter once: "A125 C7".
func byBoard(moves []rules.Move) string {
	var text strings.Builder
	for i, m := range moves {
		if i == 0 || m.Board != moves[i-1].Board {
			if i > 0 {
				text.WriteByte(' ')
			}
			text.WriteString(rules.BoardName(int(m.Board)))
		}
		text.WriteString(strconv.Itoa(int(m.Cell)))
	}
	return text.String()
}

// summaryText is how the match ended, and the reviews on it in short: who let it slip last, by the end itself or by a
// move.
func summaryText(at *client.Table, reviews []strategy.MoveReview) string {
	end := reasonText(at)
	switch r, found := strategy.TurningPoint(reviews, at.Outcome); {
	case at.Outcome.IsVoid():
		return strings.TrimSuffix(end, ".") + ": the match does not count."
	case len(reviews) == 0:
		return end
	case strategy.ResignedWon(reviews, at.Outcome):
		return strings.TrimSuffix(end, ".") + " a won position."
	case found:
		return end + "  The turning point: move " + strconv.Itoa(r.Ply) + " (" + at.Variant.FormatMove(r.Move) + ")."
	case strategy.IsFlawless(reviews, at.Outcome):
		return end + "  Perfect play agrees with every move."
	default:
		return end
	}
}
