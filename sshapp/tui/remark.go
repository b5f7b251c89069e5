package tui

import (
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"notakto/rules"
	"notakto/rules/strategy"
)

// remark is what perfect play says of one move.
type remark struct {
	move    rules.Move
	side    rules.Side
	before  strategy.Verdict // for the side that moved, with perfect play
	after   strategy.Verdict // for the same side
	best    []rules.Move     // the moves that keep the verdict; none in a lost position
	choices int              // how many moves there were
	stands  rules.Position   // after the move
}

// slip reports whether the move gave something away.
func (r remark) slip() bool { return r.before != r.after }

// reviewed brings the remarks on a match.
type reviewed struct {
	sitting *sitting
	remarks []remark
}

// review looks at every move of a match that has ended.
func review(at *sitting) tea.Cmd {
	variant, moves := at.Variant, at.Moves
	return func() tea.Msg {
		remarks := make([]remark, 0, len(moves))
		position := variant.Start()
		for _, m := range moves {
			r, err := remarkOn(position, m)
			if err != nil {
				break
			}
			remarks = append(remarks, r)
			position = r.stands
		}
		return reviewed{at, remarks}
	}
}

func remarkOn(p rules.Position, m rules.Move) (remark, error) {
	analysis := strategy.Analyse(p)
	r := remark{move: m, side: p.Turn(), before: analysis.Verdict, after: analysis.Verdict, choices: len(analysis.Moves)}
	for _, judged := range analysis.Moves {
		if judged.Move == m {
			r.after = judged.Verdict
		}
		if judged.Verdict == analysis.Verdict && analysis.Verdict != strategy.Loss {
			r.best = append(r.best, judged.Move)
		}
	}
	var err error
	r.stands, err = p.Play(m)
	return r, err
}

// was is what the position was before the move.
func (r remark) was() string {
	switch r.before {
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
	switch {
	case len(r.best) == 0:
		return "none"
	case len(r.best) == r.choices:
		return "any move"
	case len(r.best) > 6:
		return byBoard(r.best)
	}
	words := make([]string, len(r.best))
	for i, m := range r.best {
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
		text.WriteString(digitText[m.Cell : m.Cell+1])
	}
	return text.String()
}

// verdictOn sums the remarks up: who let the match slip last, and where.
func verdictOn(at *sitting, remarks []remark) string {
	for i := len(remarks) - 1; i >= 0; i-- {
		if r := remarks[i]; r.slip() {
			return "The turning point: move " + strconv.Itoa(i+1) + " (" + at.Variant.FormatMove(r.move) + ")."
		}
	}
	if len(remarks) == 0 {
		return ""
	}
	return "Perfect play agrees with every move."
}
