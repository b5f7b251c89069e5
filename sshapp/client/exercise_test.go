package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/manager"
	"notakto/match/progress"
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
	s := testkit.OpenStore(t, t.TempDir())
	t.Cleanup(func() {
		testkit.OK(t, s.Close())
	})
	return &calendar{t, s.Progress(), puzzle.Begin(146).Add(12 * time.Hour)} // a Monday
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
	if e.Kind == client.Rush {
		c.now = c.now.Add(client.RushPause)
	}
	q, ok := e.Question()
	if !ok {
		c.Fatal("no question")
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

func (c *calendar) solve(p match.Player, right ...bool) *client.Exercise {
	c.Helper()
	e := c.daily(p)
	for _, r := range right {
		c.answer(e, r)
	}
	return e
}

func (c *calendar) expectStreak(p match.Player, days int, freeze bool) {
	c.Helper()
	today, err := c.of(p).Today(c.Context())
	if err != nil || today.Streak.Days != days || today.Streak.HasFreeze != freeze {
		c.Errorf("day %d: %+v, %v", today.Number, today.Streak, err)
	}
}

// Ten days of an account: a week without a miss, a missed day that the freeze covers, a puzzle over midnight, and a
// missed day that ends the streak.
func TestAWeekOfDailies(t *testing.T) {
	c := newCalendar(t)
	for day := range 7 {
		c.expectStreak(ann(), day, false)
		e := c.solve(ann(), true, day != 2, true)
		s := c.summary(e)
		if !e.IsOver() || e.Size() != puzzle.PerDay || s.Streak.Days != day+1 || len(s.Week) != day+1 ||
			len(s.Lines) == 0 || s.Next != puzzle.Begin(147+day) {
			t.Errorf("day %d: %+v", day, s)
		}
		c.now = c.now.Add(24 * time.Hour)
	}
	c.expectStreak(ann(), 7, true)
	c.now = c.now.Add(24 * time.Hour) // Monday is missed
	c.expectStreak(ann(), 7, false)

	c.now = puzzle.Begin(155).Add(-time.Minute) // Tuesday, 23:59
	e := c.solve(ann(), true)
	c.now = c.now.Add(2 * time.Minute)
	c.answer(e, true)
	c.answer(e, false)
	if s := c.summary(e); e.Day != 154 || s.Streak.Days != 8 ||
		!strings.Contains(s.Lines[1], "The next puzzles are there.") ||
		wording.Week(s.Week, true) != "M -  T x" || wording.WeekInWords(s.Week) != "This week: a miss on Tuesday." {
		t.Errorf("over midnight: %d, %+v", e.Day, s)
	}
	if next := c.daily(ann()); next.Day != 155 || len(next.Done()) != 0 {
		t.Errorf("after midnight comes day %d", next.Day)
	}
	c.now = c.now.Add(48 * time.Hour)
	c.expectStreak(ann(), 0, false)
}

// A day is open for answers until ten minutes after its end. Only then its puzzles are practice, which shows the
// solutions.
func TestALateAnswerIsPractice(t *testing.T) {
	c := newCalendar(t)
	e := c.solve(ann(), true)
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
	c.solve(bob(), true, true, true)
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

func TestNothingIsKeptOfAGuest(t *testing.T) {
	c := newCalendar(t)
	guest := match.Player{ID: "guest:guy", Name: "guy", Guest: true}
	e := c.solve(guest, true, true, true)
	if s := c.summary(e); !slices.Contains(s.Lines, wording.GuestKeeps) || s.Week != nil || s.Streak.Days != 0 {
		t.Errorf("a guest reads %q", s.Lines)
	}
	if again := c.daily(guest); again.Solved() != 0 {
		t.Error("answers of a guest were kept")
	}
	if _, err := c.of(guest).Slips(t.Context()); !errors.Is(err, client.ErrNoSlips) {
		t.Errorf("slips of a guest: %v", err)
	}
	alone := client.Exercises{Now: func() time.Time { return c.now }}
	offline, err := alone.Puzzles(t.Context(), 0)
	testkit.OK(t, err)
	c.answer(offline, true)
	if s := c.summary(offline); !slices.Contains(s.Lines, wording.NotKept) {
		t.Errorf("without a server: %q", s.Lines)
	}
}

func TestPracticeCountsForNothing(t *testing.T) {
	c := newCalendar(t)
	e, err := c.of(ann()).Puzzles(t.Context(), 145)
	testkit.OK(t, err)
	for range puzzle.PerDay {
		c.answer(e, true)
	}
	if s := c.summary(e); e.Kind != client.Practice || !slices.Contains(s.Lines, wording.PracticeDone) {
		t.Errorf("practice: %+v", s)
	}
	state, err := c.kept.State(t.Context(), ann())
	if err != nil || len(state.Answers) != 0 {
		t.Errorf("kept: %+v, %v", state.Answers, err)
	}
	for _, day := range []int{-1, 147} {
		if _, err := c.of(ann()).Puzzles(t.Context(), day); !errors.Is(err, client.ErrNoDay) {
			t.Errorf("day %d: %v", day, err)
		}
	}
}

// A run is recorded every three seconds, so a lost connection loses little, and at its end.
func TestRush(t *testing.T) {
	c := newCalendar(t)
	begin := func() *client.Exercise {
		e, err := c.of(ann()).Rush(t.Context())
		testkit.OK(t, err)
		return e
	}
	e := begin()
	for i, want := range []int{1, 1, 1, 4} {
		if i == 3 {
			c.now = c.now.Add(3 * time.Second)
		}
		c.answer(e, true)
		if best, err := c.kept.BestRuns(t.Context(), 146); err != nil || len(best) != 1 || best[0].Solved != want {
			t.Errorf("in the run: %+v, %v, want %d", best, err, want)
		}
	}
	c.answer(e, true)
	if s := c.summary(e); len(s.Best) != 1 || s.Best[0].Solved != 5 {
		t.Errorf("in the end: %+v", s.Best)
	}
	c.now = e.Ends.Add(-time.Second)
	c.answer(e, false)
	c.now = e.Ends
	if _, err := e.Answer(t.Context(), rules.Move{Cell: 5}); !errors.Is(err, client.ErrNoQuestion) || !e.IsOver() {
		t.Errorf("after the time: %v", err)
	}
	e = begin()
	c.answer(e, true)
	if today, ever := e.Best(); today != 5 || ever != 5 || len(e.Done()) != 0 {
		t.Errorf("the best runs: %d, %d", today, ever)
	}
	for range client.RushErrors {
		c.answer(e, false)
	}
	s := c.summary(e)
	if _, open := e.Question(); open || e.Solved() != 1 || len(e.Done()) != client.RushErrors ||
		s.Lines[1] != "Best today 5, ever 5." || len(s.Best) != 1 || wording.Marks(e.Marks(), true) != "xxx" {
		t.Errorf("three errors: %+v", s)
	}
}

// A program cannot answer faster than a person.
func TestARushRefusesQuickAnswers(t *testing.T) {
	c := newCalendar(t)
	e, err := c.of(ann()).Rush(t.Context())
	testkit.OK(t, err)
	for range 2 {
		q, _ := e.Question()
		c.now = c.now.Add(client.RushPause - 1)
		if _, err := e.Answer(t.Context(), moveThat(q.Position, true)); !errors.Is(err, client.ErrTooQuick) {
			t.Errorf("a quick answer: %v", err)
		}
		c.now = c.now.Add(1 - client.RushPause)
		c.answer(e, true)
	}
}

// Puzzles are drawn and answers are judged in a turn. A dropped turn is an error.
func TestExercisesTakeTurns(t *testing.T) {
	c, turns := newCalendar(t), 0
	x := c.of(ann())
	x.InTurn = func(do func()) { turns++; do() }
	rush, err := x.Rush(t.Context())
	if err != nil || turns != 1 {
		t.Errorf("a rush opens after %d turns: %v", turns, err)
	}
	if _, err := x.Puzzles(t.Context(), 0); err != nil || turns != 2 {
		t.Errorf("the day opens after %d turns: %v", turns, err)
	}
	c.now = c.now.Add(time.Second)
	if c.answer(rush, true); turns != 3 {
		t.Errorf("an answer after %d turns", turns)
	}
	x.InTurn = func(func()) {}
	if _, err := x.Rush(t.Context()); !errors.Is(err, context.Canceled) {
		t.Errorf("without a turn a rush opens: %v", err)
	}
	if _, err := x.Puzzles(t.Context(), 0); !errors.Is(err, context.Canceled) {
		t.Errorf("without a turn the day opens: %v", err)
	}
}

// A slip comes back after 1, 3, 7 and 21 days.
func TestSlips(t *testing.T) {
	c := newCalendar(t)
	s := testkit.OpenStore(t, t.TempDir())
	defer func() { _ = s.Close() }()
	c.kept = s.Progress()
	m := manager.New(manager.Config{Journal: s, Seed: 7})
	defer m.Close()
	one, _ := rules.Notakto(1)
	id, err := m.PlayComputer(t.Context(), ann(), match.Terms{Variant: one}, strategy.Perfect, rules.First)
	testkit.OK(t, err)
	seat := client.New(m)
	defer seat.Close()
	table, err := seat.Sit(t.Context(), id, ann().ID)
	testkit.OK(t, err)
	testkit.OK(t, table.Play(t.Context(), rules.Move{Cell: 7}))
	testkit.OK(t, table.Resign(t.Context()))
	c.now = time.Now()
	_, err = c.of(ann()).Slips(t.Context())
	if !errors.Is(err, client.ErrNoSlips) || !strings.HasSuffix(err.Error(), ": the next comes in 1 day") {
		t.Errorf("on the day of the match: %v", err)
	}
	for _, days := range []int{1, 1, 3, 7, 21} {
		c.now = c.now.Add(time.Duration(days) * 24 * time.Hour)
		e, err := c.of(ann()).Slips(t.Context())
		testkit.OK(t, err)
		q, _ := e.Question()
		if !strings.Contains(q.Prompt, "You played A7 and could have won.") {
			t.Errorf("asked: %+v", q)
		}
		c.answer(e, days != 1 || e.Day != puzzle.Number(time.Now())+1)
		t.Log(e.Done()[0].Note, c.summary(e).Lines)
	}
	state, err := c.kept.State(t.Context(), ann())
	if err != nil || len(state.Slips) != 1 || !state.Slips[0].IsGone() {
		t.Errorf("in the end: %+v, %v", state.Slips, err)
	}
}

// The second game of a rated pair begins with the opening of the first one, and a slip of that one shows its answer.
func TestARatedPairHidesSlips(t *testing.T) {
	x := newCalendar(t).of(ann())
	x.IsRated = true
	if _, err := x.Slips(t.Context()); !errors.Is(err, match.ErrRated) {
		t.Errorf("slips during a rated pair: %v", err)
	}
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
		for _, text := range []string{string(open), fmt.Sprint(q), q.Title + q.Prompt} {
			if strings.Contains(text, q.Position.Variant().FormatMove(m)) {
				t.Errorf("%v is in %s", m, text)
			}
		}
	}
	if len(e.Done()) != 0 || e.IsAnswered() {
		t.Error("a new exercise has answers")
	}
	if _, err := e.Answer(t.Context(), rules.Move{Board: 8, Cell: 1}); !errors.Is(err, rules.ErrNoSuchBoard) {
		t.Errorf("a board too far: %v", err)
	}
	if e.Skip() {
		t.Error("a daily was skipped")
	}
	c.answer(e, true)
	if _, err := c.kept.State(t.Context(), ann()); err != nil || e.Solved() != 1 {
		t.Error("the answer after it was lost")
	}
	var none progress.Share
	testkit.Equal(t, wording.FoundIt(none), "", "an answer is told before the first one")
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
	if _, err := e.Answer(t.Context(), rules.Move{Cell: 1}); !errors.Is(err, client.ErrNoQuestion) {
		t.Errorf("a second answer: %v", err)
	}
}
