package puzzle

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"time"

	"notakto/rules"
)

// PerDay is the number of puzzles of a day.
const PerDay = 3

// MaxBoards is the largest number of boards of a puzzle of a [Day] or a [Run].
const MaxBoards = 5

// ErrBadNumber says that a number of a day, or of a place in a run, is below 1.
var ErrBadNumber = errors.New("no such puzzle: want a number from 1")

const (
	epoch      = 1_782_864_000 // Unix time of the beginning of day 1, a Wednesday
	daySeconds = 24 * 60 * 60
	week       = 7
	runLength  = 64
)

// Number returns the number of the UTC day of t. 2026-07-01 is day 1, and earlier days have numbers below 1.
func Number(t time.Time) int {
	seconds := t.Unix() - epoch
	day := seconds / daySeconds
	if seconds%daySeconds < 0 {
		day--
	}
	return int(day) + 1
}

// Begin returns the beginning of day n in UTC. The numbers are those of [Number].
func Begin(n int) time.Time { return time.Unix(epoch+(int64(n)-1)*daySeconds, 0).UTC() }

// Day returns the puzzles of day n, on one board, on two, and on three to five boards. Mondays are easy, and Sundays
// are hard. The puzzles of a day never change. The error is [ErrBadNumber] for n below 1.
func Day(n int) ([PerDay]Puzzle, error) {
	var day [PerDay]Puzzle
	if n < 1 {
		return day, fmt.Errorf("%w (not %d)", ErrBadNumber, n)
	}
	weekday := (n%week + 1) % week // Monday is 0.
	g := newGenerator("notakto daily 1", strconv.Itoa(n))
	for i := range day {
		var drawn []candidate
		for range week {
			boards := i + 1
			if boards == PerDay {
				boards += g.below(MaxBoards - PerDay + 1)
			}
			drawn = append(drawn, g.candidate(boards))
		}
		sortByDifficulty(drawn)
		day[i] = Puzzle{drawn[weekday].position}
	}
	return day, nil
}

// Run is the sequence of the puzzles of a run against the clock. The first 64 puzzles of a run differ by more than
// symmetry, and the difficulty never falls. A later puzzle is the hardest of 64 new ones. A Run is safe for concurrent
// use.
type Run struct {
	seed  string
	first []candidate
}

// Rush draws the first 64 puzzles of the run with a seed. Every text is a seed. The run of a seed never changes.
func Rush(seed string) *Run { return &Run{seed, drawRun(seed, 0)} }

// Puzzle returns puzzle i. The first puzzle is 1. From 65 on, Puzzle draws 64 candidates for each puzzle. The error is
// [ErrBadNumber] for i below 1.
func (r *Run) Puzzle(i int) (Puzzle, error) {
	switch {
	case i < 1:
		return Puzzle{}, fmt.Errorf("%w (not %d)", ErrBadNumber, i)
	case i <= runLength:
		return Puzzle{r.first[i-1].position}, nil
	}
	return Puzzle{drawRun(r.seed, i-runLength)[runLength-1].position}, nil
}

// drawRun draws and sorts the candidates for place 64 + beyond, or for the places up to 64 if beyond is 0.
func drawRun(seed string, beyond int) []candidate {
	g := newGenerator("notakto rush 1", strconv.Itoa(beyond)+"\x00"+seed)
	var drawn []candidate
	known := map[shape]bool{}
	for len(drawn) < runLength {
		c := g.candidate(1 + g.below(MaxBoards))
		if s := shapeOf(c.position); !known[s] {
			known[s] = true
			drawn = append(drawn, c)
		}
	}
	sortByDifficulty(drawn)
	return drawn
}

func sortByDifficulty(drawn []candidate) {
	slices.SortStableFunc(drawn, func(c, other candidate) int { return cmp.Compare(c.difficulty, other.difficulty) })
}

// generator draws random numbers. Equal keys lead to equal numbers.
type generator struct{ source *rand.ChaCha8 }

func newGenerator(purpose, seed string) generator {
	return generator{rand.NewChaCha8(sha256.Sum256([]byte(purpose + "\x00" + seed)))}
}

// below draws a number from 0 to n-1.
func (g generator) below(n int) int {
	end := math.MaxUint64 - math.MaxUint64%uint64(n)
	for {
		if v := g.source.Uint64(); v < end {
			return int(v % uint64(n))
		}
	}
}

// candidate draws positions until one is a puzzle.
func (g generator) candidate(boards int) candidate {
	for {
		if c, ok := newCandidate(g.position(boards)); ok {
			return c
		}
	}
}

func (g generator) position(boards int) rules.Position {
	v, _ := rules.Notakto(boards)
	p := v.Start()
	for board := range boards {
		for _, c := range liveBoards()[g.below(len(liveBoards()))] {
			p, _ = p.Play(rules.Move{Board: uint8(board), Cell: c}) // No cross kills a board.
		}
	}
	return p
}

// liveBoards lists the cells with crosses of each live board, in the order of [rules.Position.Crosses].
var liveBoards = sync.OnceValue(func() [][]rules.Cell {
	var boards [][]rules.Cell
	v, _ := rules.Notakto(1)
	for pattern := range uint16(512) {
		p := v.Start()
		var crosses []rules.Cell
		for c := range v.Cells() {
			if pattern&bitOf(c) != 0 {
				p, _ = p.Play(rules.Move{Cell: c}) // After a line Play fails, and p stays dead.
				crosses = append(crosses, c)
			}
		}
		if !p.IsDead(0) {
			boards = append(boards, crosses)
		}
	}
	return boards
})
