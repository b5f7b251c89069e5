package plain

import (
	"strconv"
	"strings"

	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/wording"
)

// reviewCommand looks back at the match that ended last.
func reviewCommand(s *session, words []string) {
	switch at := lastTable(s); {
	case at.isNone():
		s.printLine("There is nothing to look back at: review is for after a match.")
	case !at.Over():
		s.printLine("A review comes when the match is over.")
	case len(at.Moves) == 0:
		s.printLine("No move was made.")
	case len(words) == 0:
		tellMistakes(s, at)
	default:
		tellReviews(s, at, words[0])
	}
}

// lastTable is the table that the player is at, or else the last one at which a match has ended.
func lastTable(s *session) table {
	if !s.tables.current.isNone() {
		return s.tables.current
	}
	return s.tables.reviewed
}

// shareCommand says the match that has ended last at the table in one line.
func shareCommand(s *session, _ []string) {
	at := lastTable(s)
	if at.isNone() || !at.Over() || at.IsWatching() {
		s.printLine("There is nothing to share: share is for after a match of yours.")
		return
	}
	s.printLine(wording.ShareLine(at.State, at.Side, strategy.Review(at.Variant, at.Moves), s.cfg.Host, true))
}

// tellMistakes prints the match in short.
func tellMistakes(s *session, at table) {
	reviews := strategy.Review(at.Variant, at.Moves)
	s.printLine(wording.Count(len(reviews), "move", "moves")+".", reviewSummary(at, reviews), at.headline(), turningPoint(at, reviews))
	for _, r := range reviews {
		if r.Mistake() {
			s.printLine(reviewText(at, r))
		}
	}
	s.printLine("Type review all to hear every move, or review and a move's number.")
}

func tellReviews(s *session, at table, which string) {
	reviews := strategy.Review(at.Variant, at.Moves)
	if which != "all" {
		i, ok := number(which, len(reviews))
		if !ok {
			s.printLine("There is no such move: they are 1 to " + strconv.Itoa(len(reviews)) + ".")
			return
		}
		reviews = reviews[i : i+1]
	}
	for _, r := range reviews {
		s.printLine(reviewText(at, r))
	}
}

// reviewText is a review as sentences.
func reviewText(at table, r strategy.MoveReview) string {
	move := "Move " + strconv.Itoa(r.Ply) + ", " + at.Variant.FormatMove(r.Move) + " by " + at.who(r.Side) + ": "
	best := bestText(at.Variant, r)
	switch {
	case r.Mistake():
		return join(move+"a slip, from "+positionText(r.Before)+" to "+positionText(r.After)+".", wording.Mistake(r, at.subject), "Better: "+best+".")
	case r.Before == strategy.Loss:
		return move + "lost already, whatever the move."
	default:
		return move + positionText(r.Before) + ", and as good as any. Best: " + best + "."
	}
}

// positionText is a verdict as what a position is for who moves in it.
func positionText(v strategy.Verdict) string {
	switch v {
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
	if len(r.Best) == r.Choices {
		return "any move"
	}
	words := make([]string, len(r.Best))
	for i, m := range r.Best {
		words[i] = v.FormatMove(m)
	}
	return strings.Join(words, " ")
}

// reviewSummary is how the match ended, and whether the end was a mistake.
func reviewSummary(at table, reviews []strategy.MoveReview) string {
	if strategy.ResignedWon(reviews, at.Outcome) {
		return strings.TrimSuffix(at.because(), ".") + " a won position."
	}
	return at.because()
}

// turningPoint is who let the match slip last, and where; empty if the match did not end by the moves, or the end was
// the worse slip.
func turningPoint(at table, reviews []strategy.MoveReview) string {
	if strategy.ResignedWon(reviews, at.Outcome) {
		return ""
	}
	if r, found := strategy.TurningPoint(reviews, at.Outcome); found {
		return "The turning point: move " + strconv.Itoa(r.Ply) + ", " + at.Variant.FormatMove(r.Move) + "."
	}
	if strategy.IsFlawless(reviews, at.Outcome) {
		return "Perfect play agrees with every move."
	}
	return ""
}
