package client

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"notakto/match/progress"
	"notakto/rules"
	"notakto/rules/lesson"
)

// ErrNoLesson says that there is no lesson with a number.
var ErrNoLesson = errors.New("there is no such lesson")

// Lessons returns the lessons, and the number of steps that the player has done of each.
func (x Exercises) Lessons(ctx context.Context) (all []lesson.Lesson, done []int, err error) {
	state, err := x.Progress.State(ctx, x.Player)
	return lesson.All(), state.Lessons[1:], err
}

// Lesson opens a lesson at its first step that is not done. A lesson with all steps done opens at its first step. If
// n is 0, Lesson opens the first lesson with a step that is not done, or else lesson 1. The errors are [ErrNoLesson]
// and those of the store.
func (x Exercises) Lesson(ctx context.Context, n int) (*Exercise, error) {
	all, done, err := x.Lessons(ctx)
	if err != nil {
		return nil, err
	}
	if n == 0 {
		isOpen := func(l lesson.Lesson) bool { return done[l.Number-1] < l.Size() }
		n = max(1, slices.IndexFunc(all, isOpen)+1)
	}
	e, err := x.lesson(ctx, Lesson, n)
	if err != nil {
		return nil, err
	}
	return e.begin(done[n-1] % e.Size()), nil
}

// LessonTest opens the test of a lesson. If all answers are right, the lesson is done. The errors are [ErrNoLesson] and
// those of the store.
func (x Exercises) LessonTest(ctx context.Context, n int) (*Exercise, error) {
	return x.lesson(ctx, LessonTest, n)
}

// lesson opens lesson n or its test, with puzzles drawn by the time.
func (x Exercises) lesson(ctx context.Context, kind ExerciseKind, n int) (*Exercise, error) {
	if n < 1 || n > progress.Lessons {
		return nil, fmt.Errorf("%w: want 1 to %d", ErrNoLesson, progress.Lessons)
	}
	e, err := x.open(ctx, kind)
	if err != nil {
		return nil, err
	}
	e.lesson = lesson.All()[n-1]
	if kind == Lesson {
		for _, s := range e.lesson.Steps {
			e.ask(stepQuestion(s))
		}
	}
	about := [...]string{
		Lesson:     "Now three puzzles, one try each. Two right answers complete the lesson. ",
		LessonTest: "Three positions, one try each. Three right answers complete the lesson. ",
	}[kind]
	for i, s := range e.lesson.DrawPuzzles(rand.New(rand.NewPCG(0, uint64(e.askedAt.UnixNano())))) {
		q := stepQuestion(s)
		if q.Prompt = s.Task + " You have one try."; i == 0 {
			q.Prompt = about + s.Task
		}
		e.ask(q)
	}
	return e.begin(0), nil
}

func stepQuestion(s lesson.Step) Question {
	return Question{Position: s.Position, Prompt: s.Text + " " + s.Task, step: &s}
}

// recordStep stores a step of a lesson that the answer f ends, or the lesson after its last puzzle.
func (e *Exercise) recordStep(ctx context.Context, f *Feedback) error {
	steps := e.index + 1
	switch {
	case f.Again:
		return nil
	case f.step.IsPuzzle:
		solved := e.solved
		if f.Right {
			solved++
		}
		if !e.passes(solved, len(e.done)+1) {
			return nil
		}
		steps = e.lesson.Size()
	default:
		if next, ok := f.step.Next(f.Move); ok {
			f.following, f.goesOn = stepQuestion(next), true
			f.following.Title = f.Title
			return nil
		}
	}
	return e.exercises.Progress.CompleteStep(ctx, e.exercises.Player, e.lesson.Number, steps)
}

// ExplainedBy returns the number of the lesson that explains the first wrong answer to a puzzle. The result is 0
// without such an answer or lesson, and in a lesson.
func (e *Exercise) ExplainedBy() int {
	for _, f := range e.done {
		if !f.Right && e.LessonNumber() == 0 {
			return lesson.Explaining(f.Position, f.Better)
		}
	}
	return 0
}

// IsPassed reports whether enough puzzles of a lesson or its test are solved. A lesson needs two, and a test all.
func (e *Exercise) IsPassed() bool { return e.passes(e.solved, len(e.done)) }

func (e *Exercise) passes(solved, asked int) bool {
	least := lesson.Puzzles
	if e.Kind == Lesson {
		least--
	}
	return asked == lesson.Puzzles && solved >= least
}

// LessonNumber returns the number of the lesson, 0 for other kinds.
func (e *Exercise) LessonNumber() int { return e.lesson.Number }

// Visit opens the first visit. Size counts a match as one question. The position of a question changes with each move.
// An answer that does not end the match has a Feedback without Text.
func (x Exercises) Visit() *Exercise {
	e := &Exercise{Kind: Visit, exercises: x, questions: make([]Question, 2), visit: lesson.NewVisit()}
	e.question = visitQuestion(e.visit)
	return e
}

func visitQuestion(v lesson.Visit) Question {
	return Question{Position: v.Position, Prompt: v.Text, RedPrompt: v.RedText, Last: v.Last}
}

// playVisit plays a move of the visit and the answer to it.
func (e *Exercise) playVisit(m rules.Move) (f Feedback, err error) {
	if f.visit, err = e.visit.Play(m, visitRand(e.visit)); err != nil {
		return f, err
	}
	f.Question = visitQuestion(f.visit)
	outcome := f.Position.Outcome()
	if !outcome.IsOver() {
		f.following, f.goesOn = f.Question, true
		return f, nil
	}
	f.Text, f.Prompt, f.Right = f.Prompt, "You lose.", outcome.Winner == f.visit.You
	if f.Right {
		f.Prompt = "You win."
	}
	f.visit, _ = f.visit.Next(visitRand(f.visit))
	f.following = visitQuestion(f.visit)
	return f, nil
}

// MarkVisited records that the player's first visit is over.
func (x Exercises) MarkVisited(ctx context.Context) error {
	return x.Progress.MarkVisited(ctx, x.Player)
}

// IsNew reports whether to show the first visit. An account is new before its first match, exercise, lesson step and
// visit. A guest is always new. If the store keeps no progress of an account, or cannot be read, the result
// is false.
func (x Exercises) IsNew(ctx context.Context) bool {
	if !x.IsKept() {
		return x.Player.Guest
	}
	isNew, err := x.Progress.IsNew(ctx, x.Player.ID)
	return err == nil && isNew
}

// visitRand returns the randomness of novice's next move in a first visit. Equal visits of two players go on equally.
func visitRand(v lesson.Visit) *rand.Rand {
	return rand.New(rand.NewPCG(1, uint64(v.Position.Plies())))
}
