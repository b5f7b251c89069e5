package client_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/manager"
	"notakto/match/store"
	"notakto/rules"
	"notakto/rules/puzzle"
	"notakto/rules/strategy"
	"notakto/sshapp/client"
	"notakto/sshapp/wording"
)

// calendar is a store with a clock that the test sets.
type calendar struct {
	*testing.T
	kept *store.Progress
	now  time.Time
}

func newCalendar(t *testing.T) *calendar {
	return &calendar{t, testkit.Store(t).Progress(), puzzle.Begin(146).Add(12 * time.Hour)} // a Monday
}

func (c *calendar) of(p match.Player) client.Exercises {
	return client.Exercises{Player: p, Progress: c.kept, Now: func() time.Time { return c.now }}
}

func (c *calendar) daily(p match.Player) *client.Exercise {
	c.Helper()
	e, err := c.of(p).Puzzles(c.Context(), 0)
	testkit.OK(c, err)
	return e
}

func (c *calendar) summary(e *client.Exercise) client.Summary {
	c.Helper()
	s, err := e.Summary(c.Context())
	testkit.OK(c, err)
	return s
}

// answer answers the current question, right or not, and goes on.
func (c *calendar) answer(e *client.Exercise, right bool) client.Feedback {
	c.Helper()
	q, ok := e.Question()
	if !ok {
		c.Fatal("no question")
	}
	if e.Kind == client.Rush { // a program cannot answer faster than a person
		c.now = c.now.Add(client.RushPause - 1)
		_, err := e.Answer(c.Context(), moveThat(q.Position, right))
		testkit.ErrorIs(c, err, client.ErrTooQuick)
		c.now = c.now.Add(1)
	}
	f, err := e.Answer(c.Context(), moveThat(q.Position, right))
	e.Take(f)
	e.Next()
	if err != nil || f.Right != right {
		c.Fatalf("%v: answered %+v, %v", q.Position, f, err)
	}
	return f
}

func moveThat(p rules.Position, wins bool) rules.Move {
	winning := strategy.Analyse(p).WinningMoves()
	for _, m := range p.LegalMoves() {
		if slices.Contains(winning, m) == wins {
			return m
		}
	}
	return rules.Move{}
}

// A day is open for answers until ten minutes after its end. Only then its puzzles are practice, which shows the
// solutions.
func TestALateAnswerIsPractice(t *testing.T) {
	c := newCalendar(t)
	e := c.daily(ann())
	c.answer(e, true)
	open := func(after time.Duration) client.ExerciseKind {
		c.now = puzzle.Begin(147).Add(after)
		x, err := c.of(ann()).Puzzles(t.Context(), 146)
		testkit.OK(t, err)
		return x.Kind
	}
	testkit.Equal(t, open(client.DailyGrace-1), client.Daily, "the day is practice while answers to it count")
	c.answer(e, true)
	testkit.Equal(t, open(client.DailyGrace), client.Practice, "the closed day is no practice")
	f := c.answer(e, true)
	state, err := c.kept.State(t.Context(), ann())
	if err != nil || len(state.Answers) != 2 || e.Kind != client.Practice ||
		!strings.HasPrefix(f.Text, "The day is over") {
		t.Errorf("a late answer: %+v, %+v, %v", f, state.Answers, err)
	}
	if s := c.summary(e); !slices.Contains(s.Lines, wording.PracticeDone) || s.Streak.Days != 0 {
		t.Errorf("the result: %+v", s)
	}
}

// The first answer of an account counts, from whichever device.
func TestTwoDevicesOfAnAccount(t *testing.T) {
	c := newCalendar(t)
	one, two := c.daily(ann()), c.daily(ann())
	first := c.answer(one, false)
	q, _ := two.Question()
	f, err := two.Answer(t.Context(), moveThat(q.Position, true))
	if err != nil || f.Right || f.Move != first.Move || !strings.Contains(f.Text, "first answer counts") {
		t.Errorf("the second answer: %+v, %v", f, err)
	}
	two.Take(f)
	two.Next()
	c.answer(two, true)
	for other := c.daily(bob()); !other.IsOver(); {
		c.answer(other, true)
	}
	again := c.daily(ann())
	if q, open := again.Question(); !open || q.Title != "3 of 3" || again.Solved() != 1 || again.Errors() != 1 ||
		again.Done()[0].Note != "1 of 2 found it." {
		t.Errorf("a third session: %+v, %+v", q, again.Done())
	}
	today, err := c.of(ann()).Today(t.Context())
	if line := wording.DailyWaits(today.Number, today.Answered, today.Streak); err != nil ||
		line != "Daily 146 has 1 puzzle left" {
		t.Errorf("the lobby tells %q, %v", line, err)
	}
	testkit.Equal(t, c.summary(again).ShareLine("example.org", true), "", "an unfinished day is shared")
	c.answer(again, true)
	for ascii, want := range map[bool]string{
		false: "Notakto daily 146  ✗✓✓  ssh -t example.org daily",
		true:  "Notakto daily 146  x++  ssh -t example.org daily",
	} {
		testkit.Equal(t, c.summary(again).ShareLine("example.org", ascii), want)
	}
}

func TestASlipComesADayAfterItsMatch(t *testing.T) {
	c := newCalendar(t)
	s := testkit.Store(t)
	c.kept = s.Progress()
	m := manager.New(manager.Config{Journal: s, Seed: 7})
	defer m.Close()
	one, _ := rules.Notakto(1)
	id, err := m.PlayComputer(t.Context(), ann(), match.Terms{Variant: one}, strategy.Perfect, rules.First)
	testkit.OK(t, err)
	seat, err := m.Sit(t.Context(), id, ann().ID)
	testkit.OK(t, err)
	defer seat.Close()
	testkit.OK(t, seat.Play(t.Context(), rules.Move{Cell: 7}))
	testkit.OK(t, seat.Resign(t.Context()))
	c.now = time.Now()
	_, err = c.of(ann()).Slips(t.Context())
	testkit.ErrorIs(t, err, client.ErrNoSlips)
	testkit.Contains(t, err.Error(), ": the next comes in 1 day")
	c.now = c.now.Add(24 * time.Hour)
	e, err := c.of(ann()).Slips(t.Context())
	testkit.OK(t, err)
	q, _ := e.Question()
	testkit.Contains(t, q.Prompt, "You played A7 and could have won.")

	// The second game of a rated pair begins with the opening of the first one, and a slip shows its answer.
	x := c.of(ann())
	x.IsRated = true
	_, err = x.Slips(t.Context())
	testkit.ErrorIs(t, err, match.ErrRated)
}

// No form of an open exercise holds the solution, and no answer is lost by a mistyped move.
func TestAnOpenExerciseHoldsNoSolution(t *testing.T) {
	c := newCalendar(t)
	e := c.daily(ann())
	q, _ := e.Question()
	open, err := json.Marshal(struct {
		*client.Exercise
		client.Question
	}{e, q})
	testkit.OK(t, err)
	for _, m := range strategy.Analyse(q.Position).WinningMoves() {
		if text := string(open) + fmt.Sprint(q); strings.Contains(text, q.Position.Variant().FormatMove(m)) {
			t.Errorf("%v is in %s", m, text)
		}
	}
	_, err = e.Answer(t.Context(), rules.Move{Board: 8, Cell: 1})
	testkit.ErrorIs(t, err, rules.ErrNoSuchBoard)
	if e.Skip() {
		t.Error("a daily was skipped")
	}
	c.answer(e, true)
	testkit.Equal(t, e.Solved(), 1)
}

// A front end draws an exercise while an answer is on its way to the store.
func TestAnAnswerLeavesTheExerciseAlone(t *testing.T) {
	c := newCalendar(t)
	e := c.daily(ann())
	q, _ := e.Question()
	answered := make(chan client.Feedback)
	go func() {
		f, err := e.Answer(t.Context(), moveThat(q.Position, true))
		if err != nil {
			t.Error(err)
		}
		answered <- f
	}()
	for range 100 {
		if shown, open := e.Question(); !open || shown != q || e.Solved() != 0 || e.IsAnswered() ||
			wording.Marks(e.Marks(), true) != "---" {
			t.Fatalf("drawn before Take: %+v", shown)
		}
	}
	e.Take(<-answered)
	if shown, open := e.Question(); !open || shown != q || !e.IsAnswered() || wording.Marks(e.Marks(), true) != "+--" {
		t.Errorf("after Take: %+v", shown)
	}
	_, err := e.Answer(t.Context(), rules.Move{Cell: 1})
	testkit.ErrorIs(t, err, client.ErrNoQuestion)
}
