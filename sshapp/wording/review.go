package wording

import (
	"cmp"
	"strconv"
	"strings"

	"notakto/rules"
	"notakto/rules/strategy"
)

// Review judges a move by perfect play, in a sentence or two, with the reason.
func Review(r strategy.MoveReview) string {
	switch v := r.Previous.Variant(); {
	case r.Mistake():
		best := r.Clearest()
		text := "A slip. " + v.FormatMove(best) + keeps(r.Before)
		if because := Because(after(r.Previous, best)); because != "" {
			return text + ": then " + because + "." + alsoKeeps(r)
		}
		text += "." + alsoKeeps(r)
		if reply, ok := r.Refutation(); ok {
			text += " Now " + v.FormatMove(reply) + " wins."
		}
		return text
	case r.Before == strategy.Loss:
		if because := Because(r.Previous); because != "" {
			return "Already lost: " + because + "."
		}
		return "Already lost: every move loses against perfect play."
	default:
		text := howRare(r)
		if because := Because(r.Position); r.Before == strategy.Win && because != "" {
			return text + ": now " + because + "."
		}
		return text + "."
	}
}

// after returns the position after m, which must be legal.
func after(p rules.Position, m rules.Move) rules.Position {
	next, _ := p.Play(m)
	return next
}

func keeps(before strategy.Verdict) string {
	if before == strategy.Win {
		return " wins"
	}
	return " draws"
}

func alsoKeeps(r strategy.MoveReview) string {
	switch others := len(r.Best) - 1; others {
	case 0:
		return ""
	case 1:
		return " One other" + keeps(r.Before) + " too."
	default:
		return " " + strconv.Itoa(others) + " others" + strings.TrimSuffix(keeps(r.Before), "s") + " too."
	}
}

// howRare says how many moves were best.
func howRare(r strategy.MoveReview) string {
	verb := strings.TrimSpace(keeps(r.Before))
	switch len(r.Best) {
	case r.Choices:
		return "Every move " + verb
	case 1:
		return "The only move that " + verb
	default:
		return "One of " + strconv.Itoa(len(r.Best)) + " moves that " + strings.TrimSuffix(verb, "s")
	}
}

// Because gives the reason for which a position is lost for the side to move, as the end of a sentence. The position
// must be lost. Because returns "" if the reason is hard to see.
func Because(p rules.Position) string {
	why := strategy.WhyLost(p)
	switch why.Reason {
	case strategy.NoSafeCell:
		return "every free cell kills " + rules.BoardName(why.Boards[0])
	case strategy.Paired:
		return "each safe cell of " + rules.BoardName(why.Boards[0]) + " has an answer"
	case strategy.Twins:
		first, second := rules.BoardName(why.Boards[0]), rules.BoardName(why.Boards[1])
		if len(why.Boards) == 2 {
			return first + " and " + second + " are alike, and a move on one has an answer on the other"
		}
		return "the boards are alike in pairs, such as " + first + " and " + second +
			", and a move on one has an answer on its twin"
	case strategy.ByTheory, strategy.IsOver:
	}
	return ""
}

// RuleOfThumb returns a rule to remember from a move in a won position, as a sentence. The move may be a mistake. It
// returns "" if no short rule fits.
func RuleOfThumb(r strategy.MoveReview) string {
	if rule := ruleOfThumb(r); rule != "" {
		return "Rule of thumb: " + rule
	}
	return ""
}

// The rules of thumb, as ends of sentences.
const (
	ruleNoSafeCell = "on the last board, count the safe cells and leave none."
	rulePaired     = "on the last board, have an answer ready for every safe move."
	ruleCenter     = "on one empty board, take the centre."
	ruleEmptyOdd   = "with an odd number of empty boards, the player to move can win."
	ruleEmptyEven  = "with an even number of empty boards, move second."
)

// RulesOfThumb returns all rules of [RuleOfThumb], in the order in which a match meets them.
func RulesOfThumb() []string {
	rules := []string{ruleEmptyOdd, ruleEmptyEven, ruleCenter, rulePaired, ruleNoSafeCell}
	for i, rule := range rules {
		rules[i] = Capital(rule)
	}
	return rules
}

func ruleOfThumb(r strategy.MoveReview) string {
	if r.Before != strategy.Win || r.Previous.Variant().IsTicTacToe() {
		return ""
	}
	next := after(r.Previous, r.Clearest())
	switch strategy.WhyLost(next).Reason {
	case strategy.NoSafeCell:
		return ruleNoSafeCell
	case strategy.Paired:
		return rulePaired
	case strategy.Twins: // no short rule holds for all equal pairs of boards
		if strategy.SituationOf(next) == strategy.EmptyBoards {
			return ruleEmptyEven
		}
	case strategy.ByTheory, strategy.IsOver:
	}
	switch strategy.SituationOf(r.Previous) {
	case strategy.OneEmptyBoard:
		return ruleCenter
	case strategy.EmptyBoards:
		return ruleEmptyOdd
	case strategy.AnySituation:
	}
	return ""
}

// TheoryHeading stands above [Theory].
const TheoryHeading = "Give each board its letters and multiply them. Dead boards do not count."

// Theory gives the values of the boards before a move, after it, and after the better move if it was a mistake. It
// returns none for tic-tac-toe.
func Theory(r strategy.MoveReview) []string {
	v := r.Previous.Variant()
	if v.IsTicTacToe() {
		return nil
	}
	lines := []string{
		worth("Before "+v.FormatMove(r.Move), r.Previous),
		worth("After "+v.FormatMove(r.Move), r.Position),
	}
	if r.Mistake() {
		best := r.Clearest()
		lines = append(lines, worth("After "+v.FormatMove(best), after(r.Previous, best)))
	}
	return append(lines, "The player to move loses at a, bb, bc and cc, and wins otherwise.")
}

func worth(when string, p rules.Position) string {
	if p.Outcome().Over() {
		return when + ": every board is dead, and the match is over."
	}
	const neutral = "1" // the value of a board that does not change the result, alive or dead
	w := strategy.WorthOf(p)
	var boards, idle, parts []string
	for i, value := range w.Boards {
		switch {
		case value != neutral:
			boards = append(boards, rules.BoardName(i)+" "+value)
		case !p.Dead(i):
			idle = append(idle, rules.BoardName(i))
		}
	}
	if len(boards) > 0 {
		parts = append(parts, strings.Join(boards, ", "))
	}
	if len(boards) > 1 {
		parts = append(parts, "together "+w.Product)
	}
	switch last := len(idle) - 1; {
	case last == 0:
		parts = append(parts, idle[0]+" changes nothing for either player")
	case last > 0:
		parts = append(parts, strings.Join(idle[:last], ", ")+" and "+idle[last]+" change nothing for either player")
	}
	text := when + ": " + strings.Join(parts, "; ")
	if strategy.Evaluate(p) == strategy.Loss {
		return text + ", so the player to move loses."
	}
	return text + ", so the player to move wins."
}

// BestMoves lists the best moves. A long list has each board's letter once, such as "A125 C7".
func BestMoves(r strategy.MoveReview) string {
	const short = 6
	v := r.Previous.Variant()
	switch {
	case len(r.Best) == 0:
		return "none"
	case len(r.Best) == r.Choices:
		return "any move"
	}
	var text strings.Builder
	for i, m := range r.Best {
		switch isFirst := i == 0 || m.Board != r.Best[i-1].Board; {
		case len(r.Best) > short && !isFirst:
			text.WriteString(strconv.Itoa(int(m.Cell)))
			continue
		case i > 0:
			text.WriteByte(' ')
		}
		text.WriteString(v.FormatMove(m))
	}
	return text.String()
}

// TurningPoint names the slip that decided a match, and the better move, in two sentences. It returns "" if the moves
// did not decide the match. subject names a side at the beginning of a sentence. short leaves out the loser's name and
// the number of the move.
func TurningPoint(
	reviews []strategy.MoveReview, outcome rules.Outcome, subject func(rules.Side) string,
) (text, short string) {
	r, found := strategy.TurningPoint(reviews, outcome)
	switch {
	case outcome.IsVoid(), strategy.ResignedWon(reviews, outcome):
		return "", ""
	case found:
		move, better := r.Previous.Variant().FormatMove(r.Move)+". ", WouldHaveWon(reviews, outcome)
		return possessive(subject(r.Side)) + " last slip was move " + strconv.Itoa(r.Ply) + ", " + move + better,
			"Last slip: " + move + better
	case strategy.IsFlawless(reviews, outcome):
		const short = "Nobody slipped."
		return cmp.Or(decidedBy(reviews, outcome), short), short
	default:
		return "", ""
	}
}

// decidedBy says what decided a flawless match, or returns "" for a draw.
func decidedBy(reviews []strategy.MoveReview, outcome rules.Outcome) string {
	const start = "Nobody slipped: "
	switch {
	case outcome.Winner == rules.Nobody || len(reviews) == 0:
		return ""
	case reviews[0].Previous != reviews[0].Previous.Variant().Start():
		return start + "the opening decided it."
	case outcome.Winner == rules.First:
		return start + "moving first decided it."
	default:
		return start + "moving second decided it."
	}
}

func possessive(subject string) string {
	if subject == "You" {
		return "Your"
	}
	return subject + "'s"
}

// WouldHaveWon names the better move at the turning point, as a sentence, or returns "" without a turning point.
func WouldHaveWon(reviews []strategy.MoveReview, outcome rules.Outcome) string {
	r, found := strategy.TurningPoint(reviews, outcome)
	if !found || outcome.IsVoid() || strategy.ResignedWon(reviews, outcome) {
		return ""
	}
	result := "won"
	if r.Before != strategy.Win {
		result = "drawn"
	}
	return r.Previous.Variant().FormatMove(r.Clearest()) + " would have " + result + "."
}

// Leaders says who was winning after each move with perfect play, as a sentence. It returns "" without moves. name
// names a side in the middle of a sentence.
func Leaders(reviews []strategy.MoveReview, name func(rules.Side) string) string {
	leader := func(r strategy.MoveReview) string {
		if r.Leader() == rules.Nobody {
			return "neither player"
		}
		return name(r.Leader())
	}
	var runs []string
	for first := 0; first < len(reviews); {
		end := first + 1
		for end < len(reviews) && reviews[end].Leader() == reviews[first].Leader() {
			end++
		}
		when := "after move " + strconv.Itoa(end)
		if end-first > 1 {
			when = "after moves " + strconv.Itoa(first+1) + " to " + strconv.Itoa(end)
		}
		runs = append(runs, leader(reviews[first])+" "+when)
		first = end
	}
	switch len(runs) {
	case 0:
		return ""
	case 1:
		return "Winning with perfect play, after every move: " + leader(reviews[0]) + "."
	default:
		return "Winning with perfect play: " + strings.Join(runs, ", ") + "."
	}
}
