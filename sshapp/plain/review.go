package plain

import (
	"strconv"
	"strings"

	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/wording"
)

// review looks back at the match that ended last.
func (s *session) review(words []string) {
	at := s.reviewed
	if s.here != nil {
		at = s.here
	}
	switch {
	case at == nil:
		s.say("There is nothing to look back at: review is for after a match.")
	case !at.Over():
		s.say("A review comes when the match is over.")
	case len(at.Moves) == 0:
		s.say("No move was made.")
	case len(words) == 0:
		s.slips(at)
	default:
		s.remarks(at, words[0])
	}
}

// slips tells the match in short.
func (s *session) slips(at *sitting) {
	remarks := strategy.Review(at.Variant, at.Moves)
	s.say(wording.Count(len(remarks), "move", "moves")+".", remarked(at, remarks), at.headline(), turningPoint(at, remarks))
	for _, r := range remarks {
		if r.Slip() {
			s.say(at.remarkText(r))
		}
	}
	s.say("Type review all to hear every move, or review and a move's number.")
}

func (s *session) remarks(at *sitting, which string) {
	remarks := strategy.Review(at.Variant, at.Moves)
	if which != "all" {
		i, ok := number(which, len(remarks))
		if !ok {
			s.say("There is no such move: they are 1 to " + strconv.Itoa(len(remarks)) + ".")
			return
		}
		remarks = remarks[i : i+1]
	}
	for _, r := range remarks {
		s.say(at.remarkText(r))
	}
}

// remarkText is a remark as sentences.
func (at *sitting) remarkText(r strategy.Remark) string {
	move := "Move " + strconv.Itoa(r.Ply) + ", " + at.Variant.FormatMove(r.Move) + " by " + at.who(r.Side) + ": "
	best := bestText(at.Variant, r)
	switch {
	case r.Slip():
		return move + "a slip, from " + stands(r.Before) + " to " + stands(r.After) + ". Better: " + best + "."
	case r.Before == strategy.Loss:
		return move + "lost already, whatever the move."
	default:
		return move + stands(r.Before) + ", and as good as any. Best: " + best + "."
	}
}

// stands is a verdict as what a position is for who moves in it.
func stands(v strategy.Verdict) string {
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
func bestText(v rules.Variant, r strategy.Remark) string {
	if len(r.Best) == r.Choices {
		return "any move"
	}
	words := make([]string, len(r.Best))
	for i, m := range r.Best {
		words[i] = v.FormatMove(m)
	}
	return strings.Join(words, " ")
}

// remarked is how the match ended, and whether the end was a slip.
func remarked(at *sitting, remarks []strategy.Remark) string {
	if strategy.ResignedWon(remarks, at.Outcome) {
		return strings.TrimSuffix(at.because(), ".") + " a won position."
	}
	return at.because()
}

// turningPoint is who let the match slip last, and where; empty if the match did not end by the moves, or the end was
// the worse slip.
func turningPoint(at *sitting, remarks []strategy.Remark) string {
	if strategy.ResignedWon(remarks, at.Outcome) {
		return ""
	}
	if r, found := strategy.TurningPoint(remarks, at.Outcome); found {
		return "The turning point: move " + strconv.Itoa(r.Ply) + ", " + at.Variant.FormatMove(r.Move) + "."
	}
	if strategy.IsFlawless(remarks, at.Outcome) {
		return "Perfect play agrees with every move."
	}
	return ""
}
