package lesson

import (
	"math/rand/v2"
	"strings"

	"notakto/rules"
	"notakto/rules/strategy"
)

// VisitDone stands in the lobby after the first visit.
const VisitDone = "You know the rule. learn shows how to win; daily is new every day."

// Visit is the first visit of an account. The player has a match on one board against the level novice, and then one
// on two boards. [NewVisit] begins a Visit. A Visit is immutable.
type Visit struct {
	Position rules.Position
	Text     string     // belongs to Position
	RedText  string     // if not "", replaces Text on a screen that shows killing cells in red
	Last     rules.Move // the last move of novice, or the zero Move before the first one
	You      rules.Side

	said     sentence // the sentence that answer has reached
	tookBack bool     // a move of the player has been taken back
	isSecond bool     // on two boards
}

// sentence numbers the sentences that teach the rule, in the order of a visit. A move of the player leads to at most
// one new sentence.
type sentence int

const (
	saysPlace sentence = iota
	saysOneSign
	saysLine
	saysLastBoard
)

// fewCells is the largest number of safe cells that makes answer warn of the last board.
const fewCells = 2

// NewVisit begins the first match. The player moves first, in a won position.
func NewVisit() Visit {
	one, _ := rules.Notakto(1)
	return Visit{
		Position: one.Start(), You: rules.First,
		Text: "You both place X. Put one anywhere: press 1 to 9.",
	}
}

// Play places the player's X and novice's answer. If the player kills the last board while a safe cell is left, Play
// takes the move back, once in both matches. Position then stays, and Text gives the reason. The errors are those of
// [rules.Position.Check].
func (v Visit) Play(m rules.Move, rng *rand.Rand) (Visit, error) {
	next, err := v.Position.Play(m)
	if err != nil {
		return v, err
	}
	v.RedText = ""
	if next.Outcome().IsOver() && !v.tookBack && safeCells(v.Position) > 0 {
		v.tookBack, v.Text = true, "Three in a row: the board dies, and you lose. Try another cell."
		return v, nil
	}
	v.Position = next
	return v.answer(rng), nil
}

// answer plays novice's move, if the match is not over, and chooses the text.
func (v Visit) answer(rng *rand.Rand) Visit {
	if !v.Position.Outcome().IsOver() {
		v.Last = strategy.Novice.Choose(v.Position, rng)
		v.Position, _ = v.Position.Play(v.Last)
	}
	novice, p := strategy.Novice.String(), v.Position
	isLast, safe := p.LiveBoards() == 1, safeCells(p)
	switch outcome := p.Outcome(); {
	case outcome.IsOver():
		v.Text = v.ending(outcome.Winner == v.You)
	case v.said == saysPlace:
		v.said, v.Text = saysOneSign, novice+", the computer, answered. X is the only sign: there is no O."
		if v.isSecond {
			v.said = saysLine
			v.Text = novice + " played " + v.Last.String() +
				". Your turn: a capital letter for the board, then a digit."
		}
	case v.said == saysOneSign && killingCells(p) != "":
		v.said, v.Text = saysLine, "Three in a row kills a board. "+killingCells(p)+" would do it."
		v.RedText = "Three in a row kills a board. The red digits would do it."
	case v.said >= saysLine && isLast && safe == 0:
		v.Text = "Every cell left kills the board, and you lose. Next time leave " + novice + " no safe cell."
	case v.said >= saysLine && isLast && safe <= fewCells:
		v.said, v.Text = saysLastBoard, "The player who kills the last board loses. Make "+novice+" do it."
	case v.isSecond && isLast:
		v.Text = novice + " played " + v.Last.String() + ". One board is dead. The match goes on, on the last board."
	case v.isSecond:
		v.Text = novice + " played " + v.Last.String() + ". You can kill a board. Only killing the last loses."
	default:
		v.Text = novice + " played " + v.Last.Cell.String() + ". Your turn."
	}
	return v
}

func (v Visit) ending(isWon bool) string {
	text, novice := "That is the whole game.", strategy.Novice.String()
	switch {
	case !isWon:
		text = "You killed the last board, so " + novice + " wins."
	case v.isSecond:
		text = novice + " killed the last board, so you win."
	}
	if v.isSecond {
		return text
	}
	return text + " Now with two boards?"
}

// Next begins the second match, on two boards, with novice's first move. The player is in a won position. The result
// is false before the end of the first match, and in the second one.
func (v Visit) Next(rng *rand.Rand) (Visit, bool) {
	if v.isSecond || !v.Position.Outcome().IsOver() {
		return v, false
	}
	two, _ := rules.Notakto(2)
	next := Visit{Position: two.Start(), You: rules.Second, tookBack: v.tookBack, isSecond: true}
	return next.answer(rng), true
}

// killingCells lists the cells that kill the only board, as in "1 and 5". A single board shows no letter.
func killingCells(p rules.Position) string {
	return strings.ReplaceAll(killingMoves(p), rules.BoardName(0), "")
}

func safeCells(p rules.Position) int {
	n := 0
	for _, m := range p.LegalMoves() {
		if !p.Kills(m) {
			n++
		}
	}
	return n
}
