package wording

import (
	"cmp"
	"strconv"
	"strings"

	"notakto/rules"
	"notakto/rules/strategy"
)

// Review judges a move by perfect play and gives the reason, in one or two sentences.
func Review(r strategy.MoveReview) string {
	switch v := r.PositionBefore.Variant(); {
	case r.IsMistake():
		best := r.Clearest()
		text := "A slip. " + couldHave(r, v.FormatMove(best))
		if because := LossReason(positionAfter(r.PositionBefore, best)); because != "" {
			return text + ": then " + because + "."
		}
		text += "."
		if reply, ok := r.Refutation(); ok {
			text += " Now " + v.FormatMove(reply) + " wins."
		}
		return text
	case r.VerdictBefore == strategy.Loss:
		if because := LossReason(r.PositionBefore); because != "" {
			return "Lost by now: " + because + "."
		}
		return "Lost by now: every move loses against perfect play."
	default:
		text := rarityText(r)
		if because := LossReason(r.PositionAfter); r.VerdictBefore == strategy.Win && because != "" {
			return text + ": now " + because + "."
		}
		return text + "."
	}
}

// ReviewForms returns the text of [Review] behind the mover's name, in forms from long to short.
func ReviewForms(r strategy.MoveReview, mover string) []string {
	text := Review(r)
	forms := []string{mover + "  " + text}
	for _, end := range [...]string{":", " Now ", "."} {
		short, _, _ := strings.Cut(text, end)
		forms = append(forms, mover+"  "+strings.TrimSuffix(short, ".")+".")
	}
	return forms
}

// positionAfter returns the position after m. m must be legal.
func positionAfter(p rules.Position, m rules.Move) rules.Position {
	next, _ := p.Play(m)
	return next
}

// couldHave says how many moves were better than a slip, and names the clearest.
func couldHave(r strategy.MoveReview, best string) string {
	won, winning := " won", " winning moves"
	if r.VerdictBefore != strategy.Win {
		won, winning = " drew", " drawing moves"
	}
	if len(r.Best) == 1 {
		return "Only " + best + won
	}
	return best + " was one of " + strconv.Itoa(len(r.Best)) + winning
}

// rarityText tells how many of the moves kept the verdict.
func rarityText(r strategy.MoveReview) string {
	verb := "wins"
	if r.VerdictBefore != strategy.Win {
		verb = "draws"
	}
	switch len(r.Best) {
	case r.Choices:
		return "Every move " + verb
	case 1:
		return "The only move that " + verb
	default:
		return "One of " + strconv.Itoa(len(r.Best)) + " moves that " + strings.TrimSuffix(verb, "s")
	}
}

// LossReason completes a sentence with the reason why p is lost for the side to move. p must be lost. The result is ""
// if the reason is hard to see.
func LossReason(p rules.Position) string {
	why := strategy.ExplainLoss(p)
	switch why.Reason {
	case strategy.NoSafeCell:
		return "every free cell kills " + rules.BoardName(why.Boards[0])
	case strategy.Answered:
		return "each safe cell of " + rules.BoardName(why.Boards[0]) + " has an answer"
	case strategy.Twins:
		first, second := rules.BoardName(why.Boards[0]), rules.BoardName(why.Boards[1])
		if len(why.Boards) == 2 {
			return first + " and " + second + " are alike, and a move on one has an answer on the other"
		}
		return "the boards are alike in pairs, such as " + first + " and " + second +
			", and a move on one has an answer on its twin"
	case strategy.ByTheory, strategy.GameOver:
	}
	return ""
}

// RuleOfThumb returns a short rule to learn from a move in a won position, even from a mistake. The result is "" if
// no rule fits.
func RuleOfThumb(r strategy.MoveReview) string {
	if rule := ruleOfThumb(r); rule != "" {
		return "Rule of thumb: " + rule
	}
	return ""
}

// Rules of thumb, as ends of sentences. TestRulesOfThumbAreTrue checks each rule.
const (
	ruleNoSafeCell = "on the last board, count the safe cells and leave none."
	rulePaired     = "on the last board, have an answer ready for every safe move."
	ruleCenter     = "on one empty board, take the centre."
	ruleEmptyOdd   = "with an odd number of empty boards, the player to move can win."
	ruleEmptyEven  = "with an even number of empty boards, let the other player start."
)

// RulesOfThumb returns the rules of [RuleOfThumb], in the order of a match.
func RulesOfThumb() []string {
	rules := []string{ruleEmptyOdd, ruleEmptyEven, ruleCenter, rulePaired, ruleNoSafeCell}
	for i, rule := range rules {
		rules[i] = Capital(rule)
	}
	return rules
}

func ruleOfThumb(r strategy.MoveReview) string {
	if r.VerdictBefore != strategy.Win || r.PositionBefore.Variant().IsTicTacToe() {
		return ""
	}
	next := positionAfter(r.PositionBefore, r.Clearest())
	switch strategy.ExplainLoss(next).Reason {
	case strategy.NoSafeCell:
		return ruleNoSafeCell
	case strategy.Answered:
		return rulePaired
	// No short rule holds for every set of boards that are alike in pairs.
	case strategy.Twins:
		if strategy.Classify(next) == strategy.EmptyBoards {
			return ruleEmptyEven
		}
	case strategy.ByTheory, strategy.GameOver:
	}
	switch strategy.Classify(r.PositionBefore) {
	case strategy.OneEmptyBoard:
		return ruleCenter
	case strategy.EmptyBoards:
		return ruleEmptyOdd
	case strategy.AnySituation:
	}
	return ""
}

// TheoryHeading stands above [Theory].
const TheoryHeading = "Letters say what a board is worth (lesson 5). Multiply; a dead board is 1."

// Theory gives the values of the boards before a move, after it, and after the better move if it was a mistake. For
// tic-tac-toe it returns nil.
func Theory(r strategy.MoveReview) []string {
	v := r.PositionBefore.Variant()
	if v.IsTicTacToe() {
		return nil
	}
	lines := []string{
		worthLine("Before "+v.FormatMove(r.Move), r.PositionBefore),
		worthLine("After "+v.FormatMove(r.Move), r.PositionAfter),
	}
	if r.IsMistake() {
		best := r.Clearest()
		lines = append(lines, worthLine("After "+v.FormatMove(best), positionAfter(r.PositionBefore, best)))
	}
	return append(lines, "The player to move loses at a, bb, bc and cc, and wins otherwise.")
}

func worthLine(when string, p rules.Position) string {
	if p.Outcome().IsOver() {
		return when + ": every board is dead, and the match is over."
	}
	// neutral is the value of a dead board, and of a live one that cannot change the result.
	const neutral = "1"
	w := strategy.EvaluateBoards(p)
	var boards, idle, parts []string
	for i, value := range w.Boards {
		switch {
		case value != neutral:
			boards = append(boards, rules.BoardName(i)+" "+value)
		case !p.IsDead(i):
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

// BestMoves lists the best moves. A long list has each board's letter once, as in "A125 C7".
func BestMoves(r strategy.MoveReview) string {
	const short = 6
	v := r.PositionBefore.Variant()
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

// TurningPoint names the slip that decided a match and the better move. short is a shorter form without the player
// and the move's number. For a match without slips the results say that no player slipped. The results are "" if the
// moves did not decide the match.
func TurningPoint(
	reviews []strategy.MoveReview, outcome rules.Outcome, subject func(rules.Side) string,
) (text, short string) {
	r, found := strategy.TurningPoint(reviews, outcome)
	switch {
	case outcome.IsVoid(), strategy.ResignedWon(reviews, outcome):
		return "", ""
	case found:
		move, better := r.PositionBefore.Variant().FormatMove(r.Move)+". ", BetterMove(reviews, outcome)
		return possessive(subject(r.Side)) + " last slip was move " + strconv.Itoa(r.Ply) + ", " + move + better,
			"Last slip: " + move + better
	case strategy.IsFlawless(reviews, outcome):
		const short = "Nobody slipped."
		return cmp.Or(decidedBy(reviews, outcome), short), short
	default:
		return "", ""
	}
}

// decidedBy names the cause of a win without slips, "" for a draw.
func decidedBy(reviews []strategy.MoveReview, outcome rules.Outcome) string {
	const start = "Nobody slipped: "
	switch {
	case outcome.Winner == rules.NoSide || len(reviews) == 0:
		return ""
	case reviews[0].PositionBefore != reviews[0].PositionBefore.Variant().Start():
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

// BetterMove names the move that would have won or drawn at the turning point, as a sentence. Without a turning
// point it returns "".
func BetterMove(reviews []strategy.MoveReview, outcome rules.Outcome) string {
	r, found := strategy.TurningPoint(reviews, outcome)
	if !found || outcome.IsVoid() || strategy.ResignedWon(reviews, outcome) {
		return ""
	}
	result := "won"
	if r.VerdictBefore != strategy.Win {
		result = "drawn"
	}
	return r.PositionBefore.Variant().FormatMove(r.Clearest()) + " would have " + result + "."
}

// Leaders tells in a sentence which player was winning after each move, with perfect play from there. Without moves
// it returns "".
func Leaders(reviews []strategy.MoveReview, name func(rules.Side) string) string {
	leader := func(r strategy.MoveReview) string {
		if r.Leader() == rules.NoSide {
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
