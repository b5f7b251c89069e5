package client_test

import (
	"errors"
	"strings"
	"testing"

	"notakto/internal/testkit"
	"notakto/match/progress"
	"notakto/rules/lesson"
	"notakto/sshapp/client"
	"notakto/sshapp/start"
)

func (c *calendar) lesson(n int) *client.Exercise {
	c.Helper()
	e, err := c.of(ann()).Open(c.Context(), start.Learn, n)
	testkit.OK(c, err)
	return e
}

// An account leaves each lesson after every step, comes back, and does them all.
func TestLessonsAreResumed(t *testing.T) {
	c := newCalendar(t)
	for _, l := range lesson.All() {
		for step := range l.Steps {
			e := c.lesson(0)
			if e.LessonNumber() != l.Number || e.Step() != step || e.Size() != l.Size() {
				t.Fatalf("lesson %d, step %d: opened at %d, %d", l.Number, step, e.LessonNumber(), e.Step())
			}
			for e.Step() == step {
				c.answer(e, true)
			}
		}
		begun := c.lesson(0)
		c.answer(begun, true) // the puzzles begin again, because they count together
		e := c.lesson(0)
		if e.Step() != len(l.Steps) || len(e.Done()) != 0 {
			t.Errorf("lesson %d: opened at %d for its puzzles", l.Number, e.Step())
		}
		for !e.IsOver() {
			c.answer(e, true)
		}
		want, s := "Lesson "+string(rune('0'+l.Number))+" is done.", c.summary(e)
		if !strings.HasPrefix(s.Lines[1], want) {
			t.Errorf("%q", s.Lines)
		}
	}
	if e := c.lesson(0); e.LessonNumber() != 1 || e.Step() != 0 {
		t.Error("the course does not begin again")
	}
	for _, n := range []int{-1, progress.Lessons + 1} {
		if _, err := c.of(ann()).Lesson(t.Context(), n); !errors.Is(err, client.ErrNoLesson) {
			t.Errorf("lesson %d: %v", n, err)
		}
	}
}

// Two of the three puzzles complete a lesson. Otherwise the lesson asks three others.
func TestALessonNeedsTwoPuzzles(t *testing.T) {
	c := newCalendar(t)
	for _, test := range []struct {
		right [3]bool
		want  string
	}{
		{[3]bool{}, "Two right answers complete lesson 2. It asks other puzzles when you come back."},
		{[3]bool{false, false, true}, "Two right answers complete lesson 2. It asks other puzzles when you come back."},
		{[3]bool{true, false, true}, "Lesson 2 is done. Next is lesson 3: even and odd numbers of boards."},
	} {
		e := c.lesson(2)
		for e.Step() < e.Size()-lesson.Puzzles {
			c.answer(e, true)
		}
		asked := ""
		for _, right := range test.right {
			if e.Step() > e.Size()-lesson.Puzzles && e.Back() {
				t.Error("a puzzle can be tried again")
			}
			q, _ := e.Question()
			asked += q.Prompt
			c.answer(e, right)
		}
		if s := c.summary(e); strings.Count(asked, "one try") != lesson.Puzzles || s.Lines[1] != test.want {
			t.Errorf("%v: %q, then %q", test.right, asked, s.Lines)
		}
		_, done, err := c.of(ann()).Lessons(t.Context())
		if isDone := done[1] == e.Size(); err != nil || isDone != e.IsPassed() || isDone != (test.right[0]) {
			t.Errorf("%v: %d steps are done, %v", test.right, done[1], err)
		}
	}
}
