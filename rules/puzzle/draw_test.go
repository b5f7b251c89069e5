package puzzle_test

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"notakto/internal/testkit"
	"notakto/rules"
	"notakto/rules/puzzle"
)

func day(tb testing.TB, n int) [puzzle.PerDay]puzzle.Puzzle {
	tb.Helper()
	d, err := puzzle.Day(n)
	testkit.OK(tb, err)
	return d
}

func rush(tb testing.TB, seed string, i int) puzzle.Puzzle {
	tb.Helper()
	p, err := puzzle.Rush(seed).Puzzle(i)
	testkit.OK(tb, err)
	return p
}

// The check of the solution does not use the code that draws.
func TestDays(t *testing.T) {
	s := newSolver()
	for n := 1; n <= 400; n++ {
		checkDay(t, s, n)
	}
}

func checkDay(tb testing.TB, s *solver, n int) {
	tb.Helper()
	for i, p := range day(tb, n) {
		boards := strings.Split(p.String(), "/")
		if least, most := i+1, []int{1, 2, 5}[i]; len(boards) < least || len(boards) > most {
			tb.Errorf("day %d: puzzle %d has %d boards", n, i+1, len(boards))
		}
		if solution := s.solution(p.Position()); !s.isWon(boards) || len(solution) != 1 {
			tb.Errorf("day %d: %v has the solution %v", n, p, solution)
		}
		if !isReachable(p.Position()) {
			tb.Errorf("day %d: no play leads to %v", n, p)
		}
	}
}

// isReachable reports whether the marks of p can be made in the order of boards and cells.
func isReachable(p rules.Position) bool {
	played := p.Variant().Start()
	for board := range p.Variant().Boards() {
		for cell := range p.Variant().Cells() {
			if p.At(board, cell) == rules.Empty {
				continue
			}
			next, err := played.Play(rules.Move{Board: uint8(board), Cell: cell})
			if err != nil {
				return false
			}
			played = next
		}
	}
	return played == p && p.LiveBoards() == p.Variant().Boards()
}

// Past days are a promise, because players share their numbers. Never change this digest.
func TestDaysStayTheSame(t *testing.T) {
	digest := sha256.New()
	for n := 1; n <= 400; n++ {
		for _, p := range day(t, n) {
			fmt.Fprintln(digest, n, p)
		}
	}
	const want = "7acab055e6351e971b8d159ab9bd0590a7b2ff945294cbcc4caebf65fc9c1319"
	if got := hex.EncodeToString(digest.Sum(nil)); got != want {
		t.Errorf("the days 1 to 400 have the digest %s, want %s", got, want)
	}
}

// Runs are a promise too, because players with one seed compare how far they come.
func TestRunsStayTheSame(t *testing.T) {
	digest := sha256.New()
	for _, seed := range []string{"", "notakto", "2026-07-01"} {
		for i := 1; i <= 80; i++ {
			fmt.Fprintln(digest, i, rush(t, seed, i))
		}
	}
	const want = "d26c58cfc0e1f5c3dc90aa9c18ec0c7be1f3419193d46a6c28354bb58fd4443a"
	if got := hex.EncodeToString(digest.Sum(nil)); got != want {
		t.Errorf("three runs have the digest %s, want %s", got, want)
	}
}

func TestDifficultyRisesFromMondayToSunday(t *testing.T) {
	const weeks = 57
	var mean [7][puzzle.PerDay]int
	for n := 1; n <= 7*weeks; n++ {
		weekday := (puzzle.Begin(n).Weekday() + 6) % 7 // Monday is 0
		for i, p := range day(t, n) {
			mean[weekday][i] += p.Difficulty()
		}
	}
	for weekday := range mean {
		for i := range mean[weekday] {
			mean[weekday][i] /= weeks
			if weekday > 0 && mean[weekday][i] <= mean[weekday-1][i] {
				t.Errorf("puzzle %d is not harder on weekday %d than on the one before", i+1, weekday)
			}
		}
		t.Logf("%v: %v", time.Weekday((weekday+1)%7), mean[weekday])
	}
}

func TestNumbers(t *testing.T) {
	for n, text := range map[int]string{
		-1: "2026-06-29T23:59:59Z",
		0:  "2026-06-30T23:59:59.999999999Z",
		1:  "2026-07-01T00:00:00Z",
		2:  "2026-07-02T23:30:00Z",
		3:  "2026-07-02T23:30:00-01:00",
		// 14 days into the next year
		199: "2027-01-15T12:00:00Z",
	} {
		at, err := time.Parse(time.RFC3339Nano, text)
		if err != nil {
			t.Fatal(err)
		}
		if got := puzzle.Number(at); got != n {
			t.Errorf("%s is day %d, want %d", text, got, n)
		}
	}
	for _, n := range []int{-400, 0, 1, 2, 100_000} {
		begin := puzzle.Begin(n)
		if puzzle.Number(begin) != n || puzzle.Number(begin.Add(-1)) != n-1 {
			t.Errorf("day %d begins at %v", n, begin)
		}
	}
	if begin := puzzle.Begin(1); begin.Weekday() != time.Wednesday || begin.Location() != time.UTC {
		t.Errorf("day 1 begins at %v", begin)
	}
}

func TestBadNumbers(t *testing.T) {
	for _, n := range []int{0, -1, math.MinInt} {
		if d, err := puzzle.Day(n); !errors.Is(err, puzzle.ErrBadNumber) || d[0] != (puzzle.Puzzle{}) {
			t.Errorf("day %d: %v, %v", n, d, err)
		}
		if p, err := puzzle.Rush("seed").Puzzle(n); !errors.Is(err, puzzle.ErrBadNumber) || p != (puzzle.Puzzle{}) {
			t.Errorf("place %d: %v, %v", n, p, err)
		}
	}
	s := newSolver()
	for _, n := range []int{100_000, math.MaxInt} {
		checkDay(t, s, n)
		if p := rush(t, "seed", n); len(s.solution(p.Position())) != 1 {
			t.Errorf("place %d has %v", n, p)
		}
	}
}

// A run draws its first puzzles once.
func TestAPuzzleOfARunIsCheap(t *testing.T) {
	run := puzzle.Rush("seed")
	if n := testing.AllocsPerRun(10, func() { _, _ = run.Puzzle(64) }); n > 0 {
		t.Errorf("%v allocations for a puzzle", n)
	}
}

func TestRush(t *testing.T) {
	s := newSolver()
	for _, seed := range []string{"", "a", "b"} {
		before := 0
		known := map[rules.Shape]bool{}
		for i := 1; i <= 70; i++ {
			p := rush(t, seed, i)
			if len(s.solution(p.Position())) != 1 || !isReachable(p.Position()) {
				t.Errorf("%q: place %d has %v", seed, i, p)
			}
			if d := p.Difficulty(); i <= 64 && d < before {
				t.Errorf("%q: place %d has the difficulty %d, and the one before %d", seed, i, d, before)
			} else if i > 64 && d < 600 {
				t.Errorf("%q: place %d has the difficulty %d", seed, i, d)
			} else {
				before = d
			}
			known[p.Position().Shape()] = true
		}
		if len(known) < 70 {
			t.Errorf("%q: 70 places have %d different puzzles", seed, len(known))
		}
	}
	if rush(t, "a", 10) == rush(t, "b", 10) {
		t.Error("two seeds have one run")
	}
}

// BenchmarkTenYears has a second solver check every puzzle of ten years.
func BenchmarkTenYears(b *testing.B) {
	for b.Loop() {
		s := newSolver()
		for n := 1; n <= 3650; n++ {
			checkDay(b, s, n)
		}
		b.ReportMetric(float64(len(s.won)), "positions")
	}
}
