package lesson

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"

	"notakto/rules"
	"notakto/rules/puzzle"
	"notakto/rules/strategy"
)

// Puzzles is the number of puzzles at the end of a lesson, and in its test.
const Puzzles = 3

// Lesson is one of the lessons. A lesson ends with puzzles. A test of puzzles alone lets a player skip the lesson.
type Lesson struct {
	Number int // from 1
	Title  string
	Steps  []Step // without the puzzles

	puzzles []string
}

// Size returns the number of steps and puzzles.
func (l Lesson) Size() int { return len(l.Steps) + Puzzles }

// DrawPuzzles returns puzzles for the end of l or for its test. The boards are turned and in any order, to let a second
// draw look new.
func (l Lesson) DrawPuzzles(rng *rand.Rand) (all []Step) {
	for _, i := range rng.Perm(len(l.puzzles))[:Puzzles] {
		boards := strings.Split(l.puzzles[i], "/")
		rng.Shuffle(len(boards), func(i, j int) { boards[i], boards[j] = boards[j], boards[i] })
		for i, board := range boards {
			boards[i] = turned(board, rng.IntN(rules.Symmetries))
		}
		p, _ := rules.ParsePosition(strings.Join(boards, "/")) // The tests parse all positions.
		all = append(all, Step{Position: p, Task: "Find a move that wins.", IsPuzzle: true})
	}
	return all
}

// turned moves the crosses of a board by a symmetry.
func turned(board string, symmetry int) string {
	v, image := rules.DefaultVariant(), []byte(board)
	for c := range v.Cells() {
		row, column := v.Place(c)
		toRow, toColumn := v.Place(v.Image(c, symmetry))
		image[toRow*v.Rows()+toColumn] = board[row*v.Rows()+column]
	}
	return string(image)
}

// All returns the six lessons, sorted by number.
func All() []Lesson {
	var all []Lesson
	for i, o := range course {
		l := Lesson{Number: i + 1, Title: o.title, puzzles: o.puzzles[:]}
		for _, text := range o.steps {
			l.Steps = append(l.Steps, newStep(text))
		}
		all = append(all, l)
	}
	return all
}

// outline is the source of a lesson.
type outline struct {
	title   string
	steps   []source
	puzzles [6]string // to draw from, in the notation of positions
}

// source is the source of a step. In a text, {kills} stands for the cells that kill their board, and {letters} for the
// values of the boards.
type source struct {
	start string // notation of a position, or of a game that ends after the opponent's move
	task  string
	texts []string // texts[0] stands above the first move of the player, and texts[i] above a later move
}

// Step is a position that is won for the player to move, with a text and a task. A right move wins.
type Step struct {
	Position rules.Position
	Text     string // explains something, "" for a puzzle
	Task     string // says what to do
	IsPuzzle bool
	later    source // has only the texts of the steps that follow
}

func newStep(s source) Step {
	game, err := rules.ParseGame(s.start)
	if err != nil { // a position
		game.Position, _ = rules.ParsePosition(s.start) // The tests parse all of them.
	}
	step := s.step(game.Position)
	if len(game.Moves) > 0 {
		step.Task = opponentPlayed(game.Variant, game.Moves[len(game.Moves)-1]) + s.task
	}
	return step
}

func (s source) step(p rules.Position) Step {
	fill := strings.NewReplacer("{kills}", killingMoves(p), "{letters}", letters(p))
	return Step{Position: p, Text: fill.Replace(s.texts[0]), Task: s.task, later: source{texts: s.texts[1:]}}
}

func opponentPlayed(v rules.Variant, m rules.Move) string {
	return "Your opponent played " + v.FormatMove(m) + ". "
}

// Check judges m as the answer to s. After a wrong answer the player can try again, except in a puzzle.
func (s Step) Check(m rules.Move) (puzzle.Answer, error) { return puzzle.Check(s.Position, m) }

// Next plays the right move m and the opponent's answer, and returns the step that follows. Next reports false if no
// step follows. Equal moves lead to equal steps.
func (s Step) Next(m rules.Move) (Step, bool) {
	p, err := s.Position.Play(m)
	if err != nil || len(s.later.texts) == 0 {
		return Step{}, false
	}
	answer := strategy.Perfect.Choose(p, rand.New(rand.NewPCG(0, uint64(p.Plies()))))
	next, err := p.Play(answer)
	if err != nil || next.Outcome().IsOver() {
		return Step{}, false
	}
	following := s.later.step(next)
	following.Task = opponentPlayed(next.Variant(), answer) + "Answer it."
	return following, true
}

// killingMoves lists the moves that kill their board, as in "A1 and A5".
func killingMoves(p rules.Position) string {
	var names []string
	for _, m := range p.LegalMoves() {
		if p.Kills(m) {
			names = append(names, p.Variant().FormatMove(m))
		}
	}
	if last := len(names) - 1; last > 0 {
		return strings.Join(names[:last], ", ") + " and " + names[last]
	}
	return strings.Join(names, "")
}

// letters gives the values of the live boards, as in "A is b, B is c".
func letters(p rules.Position) string {
	var values []string
	for i, value := range strategy.EvaluateBoards(p).Boards {
		if !p.IsDead(i) {
			values = append(values, rules.BoardName(i)+" is "+value)
		}
	}
	return strings.Join(values, ", ")
}

// Explaining returns the number of the lesson that explains why m wins in p. The result is 0 for a move that does not
// win a game of Notakto.
func Explaining(p rules.Position, m rules.Move) int {
	next, err := p.Play(m)
	if err != nil || p.Variant().IsTicTacToe() || next.Outcome().IsOver() || strategy.Evaluate(next) != strategy.Loss {
		return 0
	}
	const fewCrosses = 2
	isGivenUp, isOpening, withoutSafeCell := next.IsDead(int(m.Board)), true, 0
	for i := range p.Variant().Boards() {
		if p.IsDead(i) {
			continue
		}
		isOpening = isOpening && bits.OnesCount16(p.Crosses(i)) <= fewCrosses
		isSafe := func(m rules.Move) bool { return int(m.Board) == i && !p.Kills(m) }
		if !slices.ContainsFunc(p.LegalMoves(), isSafe) {
			withoutSafeCell++
		}
	}
	why := strategy.ExplainLoss(next).Reason
	switch {
	case p.LiveBoards() == 1 && isOpening:
		return 2
	case p.LiveBoards() == 1 && why != strategy.ByTheory:
		return 1
	case p.LiveBoards() == 1:
		return 5
	case withoutSafeCell > 1, strategy.Classify(next) == strategy.EmptyBoards:
		return 3
	case why == strategy.Twins, isGivenUp && why != strategy.ByTheory:
		return 4
	default:
		return 6
	}
}
