package plain

import (
	"context"
	"strconv"

	"notakto/rules/lesson"
	"notakto/sshapp/client"
	"notakto/sshapp/start"
	"notakto/sshapp/wording"
)

// learnCommand tells the lessons, or opens one of them or its test.
func (s *session) learnCommand(words []string) {
	x := &s.exercises
	if len(words) == 0 {
		s.out.report(x.tellLessons())
		return
	}
	n, err := strconv.Atoi(words[0])
	switch {
	case err != nil || n == 0:
		s.out.printLine("Type learn and the number of a lesson, such as learn 1.")
	case len(words) > 1 && words[1] == "test":
		s.unlessBusy(func() error {
			return x.enter(func(ctx context.Context) (*client.Exercise, error) {
				return x.source().LessonTest(ctx, n)
			})
		})
	default:
		s.unlessBusy(func() error { return x.begin(start.Learn, n) })
	}
}

func (x *exercises) tellLessons() error {
	ctx, cancel := x.player.callContext()
	defer cancel()
	all, done, err := x.source().Lessons(ctx)
	if err != nil {
		return err
	}
	for i, l := range all {
		x.out.printLine(wording.LessonName(l) + ", " + wording.LessonProgress(done[i], l.Size()) + ".")
	}
	x.out.printLine("Type learn and a number. If you know a lesson, learn and its number and test skip it.")
	return nil
}

func (x *exercises) backCommand(_ []string) {
	if x.open == nil || !x.open.Back() {
		x.out.printLine("There is no step to go back to.")
		return
	}
	x.ask()
}

func (x *exercises) isVisit() bool { return x.open != nil && x.open.Kind == client.Visit }

// tryCommand begins the first visit, or its second match after the first one.
func (s *session) tryCommand(_ []string) {
	x := &s.exercises
	if x.isVisit() {
		x.open.Next()
		x.ask()
		return
	}
	s.unlessBusy(func() error {
		x.open = x.source().Visit()
		x.ask()
		return nil
	})
}

// rematchCommand begins the second match of a first visit, or asks for a rematch.
func (s *session) rematchCommand(words []string) {
	if s.exercises.isVisit() {
		s.tryCommand(words)
		return
	}
	s.tables.rematchCommand(words)
}

// goOnVisit goes on after a move of the first visit. The visit ends with its second match.
func (x *exercises) goOnVisit(f client.Feedback) {
	switch {
	case f.Text == "":
		x.open.Next()
		x.ask()
	case x.open.Step()+1 < x.open.Size():
		x.out.printLine(f.Text, "Type try, or leave.")
	default:
		x.out.printLine(f.Text, lesson.VisitDone)
		x.endVisit()
	}
}

// endVisit records that the visit is over or skipped. After a lost connection, an unrecorded visit is offered again.
func (x *exercises) endVisit() {
	x.open = nil
	ctx, cancel := x.player.callContext()
	defer cancel()
	x.out.report(x.source().MarkVisited(ctx))
}
