package plain

import (
	"strconv"
	"strings"

	"notakto/rules"
	"notakto/rules/strategy"
)

// remark is what perfect play says of one move.
type remark struct {
	ply     int // counted from 1
	move    rules.Move
	side    rules.Side
	before  strategy.Verdict // for the side that moved, with perfect play
	after   strategy.Verdict // for the same side
	best    []rules.Move     // the moves that keep the verdict; none in a lost position
	choices int              // how many moves there were
}

// slip reports whether the move gave something away.
func (r remark) slip() bool { return r.before != r.after }

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
	remarks := remarksOn(at)
	s.say(count(len(remarks), "move", "moves")+".", at.because(), at.headline(), turningPoint(at, remarks))
	for _, r := range remarks {
		if r.slip() {
			s.say(r.text(at))
		}
	}
	s.say("Type review all to hear every move, or review and a move's number.")
}

func (s *session) remarks(at *sitting, which string) {
	remarks := remarksOn(at)
	if which != "all" {
		i, ok := number(which, len(remarks))
		if !ok {
			s.say("There is no such move: they are 1 to " + strconv.Itoa(len(remarks)) + ".")
			return
		}
		remarks = remarks[i : i+1]
	}
	for _, r := range remarks {
		s.say(r.text(at))
	}
}

func remarksOn(at *sitting) []remark {
	remarks := make([]remark, 0, len(at.Moves))
	position := at.Variant.Start()
	for i, m := range at.Moves {
		remarks = append(remarks, remarkOn(position, i+1, m))
		next, err := position.Play(m)
		if err != nil {
			break // no table records such a move
		}
		position = next
	}
	return remarks
}

func remarkOn(p rules.Position, ply int, m rules.Move) remark {
	analysis := strategy.Analyse(p)
	r := remark{ply: ply, move: m, side: p.Turn(), before: analysis.Verdict, after: analysis.Verdict, choices: len(analysis.Moves)}
	for _, judged := range analysis.Moves {
		if judged.Move == m {
			r.after = judged.Verdict
		}
		if judged.Verdict == analysis.Verdict && analysis.Verdict != strategy.Loss {
			r.best = append(r.best, judged.Move)
		}
	}
	return r
}

// text is the remark as sentences.
func (r remark) text(at *sitting) string {
	move := "Move " + strconv.Itoa(r.ply) + ", " + at.Variant.FormatMove(r.move) + " by " + at.who(r.side) + ": "
	switch {
	case r.slip():
		return move + "a slip, from " + stands(r.before) + " to " + stands(r.after) + ". Better: " + r.bestText(at.Variant) + "."
	case r.before == strategy.Loss:
		return move + "lost already, whatever the move."
	default:
		return move + stands(r.before) + ", and as good as any. Best: " + r.bestText(at.Variant) + "."
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
func (r remark) bestText(v rules.Variant) string {
	if len(r.best) == r.choices {
		return "any move"
	}
	words := make([]string, len(r.best))
	for i, m := range r.best {
		words[i] = v.FormatMove(m)
	}
	return strings.Join(words, " ")
}

// turningPoint is who let the match slip last, and where.
func turningPoint(at *sitting, remarks []remark) string {
	for i := len(remarks) - 1; i >= 0; i-- {
		if r := remarks[i]; r.slip() {
			return "The turning point: move " + strconv.Itoa(r.ply) + ", " + at.Variant.FormatMove(r.move) + "."
		}
	}
	return "Perfect play agrees with every move."
}
