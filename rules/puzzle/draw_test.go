package puzzle_test

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"notakto/internal/testkit"
	"notakto/rules/puzzle"
	"notakto/rules/strategy"
)

// Past days and runs are a promise, because players share their numbers and compare how far they come. Never change
// these digests. They also fix that puzzles get harder in a week and in a run.
func TestDaysAndRunsStayTheSame(t *testing.T) {
	days, runs := sha256.New(), sha256.New()
	for n := 1; n <= 400; n++ {
		all, err := puzzle.Day(n)
		testkit.OK(t, err)
		for _, p := range all {
			fmt.Fprintln(days, n, p)
		}
	}
	for _, seed := range []string{"", "notakto", "2026-07-01"} {
		run := puzzle.Rush(seed)
		for i := 1; i <= 80; i++ {
			p, err := run.Puzzle(i)
			testkit.OK(t, err)
			fmt.Fprintln(runs, i, p)
		}
	}
	testkit.Equal(t, hex.EncodeToString(days.Sum(nil)),
		"7acab055e6351e971b8d159ab9bd0590a7b2ff945294cbcc4caebf65fc9c1319", "the days 1 to 400")
	testkit.Equal(t, hex.EncodeToString(runs.Sum(nil)),
		"d26c58cfc0e1f5c3dc90aa9c18ec0c7be1f3419193d46a6c28354bb58fd4443a", "three runs")
}

func TestNumbers(t *testing.T) {
	for n, text := range map[int]string{
		-1: "2026-06-29T23:59:59Z",
		0:  "2026-06-30T23:59:59.999999999Z",
		1:  "2026-07-01T00:00:00Z",
		3:  "2026-07-02T23:30:00-01:00",
		// 14 days into the next year
		199: "2027-01-15T12:00:00Z",
	} {
		at, err := time.Parse(time.RFC3339Nano, text)
		testkit.OK(t, err)
		testkit.Equal(t, puzzle.Number(at), n, text)
	}
	for _, n := range []int{-400, 0, 1, 2, 100_000} {
		begin := puzzle.Begin(n)
		if puzzle.Number(begin) != n || puzzle.Number(begin.Add(-1)) != n-1 || begin.Location() != time.UTC {
			t.Errorf("day %d begins at %v", n, begin)
		}
	}
	for _, n := range []int{0, -1, math.MinInt} {
		if d, err := puzzle.Day(n); !errors.Is(err, puzzle.ErrBadNumber) || d[0] != (puzzle.Puzzle{}) {
			t.Errorf("day %d: %v, %v", n, d, err)
		}
		if p, err := puzzle.Rush("seed").Puzzle(n); !errors.Is(err, puzzle.ErrBadNumber) || p != (puzzle.Puzzle{}) {
			t.Errorf("place %d: %v, %v", n, p, err)
		}
	}
	for _, n := range []int{100_000, math.MaxInt} {
		all, err := puzzle.Day(n)
		testkit.OK(t, err)
		far, err := puzzle.Rush("seed").Puzzle(n)
		testkit.OK(t, err)
		for _, p := range append(all[:], far) {
			if winning := strategy.Analyse(p.Position()).WinningMoves(); len(kinds(p.Position(), winning)) != 1 {
				t.Errorf("number %d has %v, won by %v", n, p, winning)
			}
		}
	}
}
