package client_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"notakto/internal/testkit"
	"notakto/match/progress"
	"notakto/rules"
	"notakto/rules/lesson"
	"notakto/rules/strategy"
	"notakto/sshapp/client"
	"notakto/sshapp/start"
	"notakto/sshapp/wording"
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

func TestAWrongMoveOfALessonIsTriedAgain(t *testing.T) {
	c := newCalendar(t)
	e := c.lesson(2)
	q, _ := e.Question()
	f, err := e.Answer(t.Context(), rules.Move{Cell: 1})
	winning := strategy.Analyse(q.Position).WinningMoves()
	e.Take(f)
	if err != nil || f.Right || !f.Again || f.Better != (rules.Move{}) ||
		strings.Contains(f.Text, winning[0].String()+" wins") ||
		!strings.HasPrefix(f.Text, "A1 lets your opponent win with ") {
		t.Errorf("%+v, %v", f, err)
	}
	if again, open := e.Question(); !open || e.IsAnswered() || again != q {
		t.Errorf("the question is %+v", again)
	}
	c.answer(e, true)
	if q, _ = e.Question(); e.Step() != 0 || !strings.Contains(q.Prompt, "Your opponent played A") {
		t.Errorf("after a right move: %q", q.Prompt)
	}
	for _, want := range []int{0, 0} {
		if !e.Back() || e.Step() != want {
			t.Errorf("back at step %d", e.Step())
		}
	}
	if first, _ := e.Question(); first.Prompt != q.Prompt && first.Position.Plies() != 0 {
		t.Errorf("back at %q", first.Prompt)
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

func TestTheTestSkipsALesson(t *testing.T) {
	c := newCalendar(t)
	for _, right := range []bool{false, true} {
		e, err := c.of(ann()).LessonTest(t.Context(), 4)
		testkit.OK(t, err)
		for _, right := range []bool{true, right, true} {
			if q, _ := e.Question(); strings.Count(q.Prompt, "one try") != 1 {
				t.Errorf("%q", q.Prompt)
			}
			c.answer(e, right)
		}
		all, done, err := c.of(ann()).Lessons(t.Context())
		if err != nil || (done[3] == all[3].Size()) != right {
			t.Errorf("right %v: %v, %v", right, done, err)
		}
		if line := c.summary(e).Lines[1]; strings.HasPrefix(line, "You know lesson 4. Next is lesson 5: ") != right {
			t.Errorf("%q", line)
		}
	}
	guest := ann()
	guest.Guest = true
	testkit.OK(t, c.of(guest).MarkVisited(t.Context()))
	if e, err := c.of(guest).Lesson(t.Context(), 1); err != nil ||
		!slices.Contains(c.summary(e).Lines, wording.GuestKeeps) {
		t.Error(err)
	}
}
