package strategy_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"notakto/rules"
	"notakto/rules/strategy"
)

// The names of the levels, in any case of ASCII letters, and no others are read.
func FuzzParseLevel(f *testing.F) {
	for _, name := range []string{"perfect ", "center", "1", "\u017ftudent", ""} {
		f.Add(name)
	}
	for _, l := range strategy.Levels() {
		f.Add(l.String())
		f.Add(strings.ToUpper(l.String()))
	}
	f.Fuzz(func(t *testing.T, name string) {
		var want strategy.Level
		for _, l := range strategy.Levels() {
			if len(name) == len(l.String()) && strings.EqualFold(name, l.String()) {
				want = l
			}
		}
		if l, err := strategy.ParseLevel(name); l != want || (want == 0) != errors.Is(err, strategy.ErrBadLevel) {
			t.Fatalf("ParseLevel(%q) = %v, %v, want %v", name, l, err, want)
		}
	})
}

// climbed returns the games for measuring the ladder, one to five boards and then tic-tac-toe.
func climbed(t testing.TB) []rules.Variant {
	return []rules.Variant{notakto(t, 1), notakto(t, 2), notakto(t, 3), notakto(t, 4), notakto(t, 5), rules.TicTacToe()}
}

// scoreOf returns the share of games that level wins. A draw counts half, and the seats swap after each game.
func scoreOf(t testing.TB, v rules.Variant, level, opponent strategy.Level, games int, rng *rand.Rand) float64 {
	t.Helper()
	won := 0.0
	for i := range games {
		side, players := rules.First, [2]strategy.Level{level, opponent}
		if i%2 == 1 {
			side, players = rules.Second, [2]strategy.Level{opponent, level}
		}
		switch playOut(t, v, players[0], players[1], rng).Position.Outcome().Winner {
		case side:
			won++
		case rules.NoSide:
			won += 0.5
		}
	}
	return won / float64(games)
}

// onBoards returns the mean of the scores on one to five boards.
func onBoards(scores []float64) float64 {
	sum := 0.0
	for _, s := range scores[:5] {
		sum += s
	}
	return sum / 5
}

// fit fits ratings to scores by the model of Bradley and Terry, by maximum likelihood. The mean rating is 1500, and a
// difference of 400 is odds of ten to one.
func fit(scores [][][]float64) []float64 {
	n := len(scores)
	strength := slices.Repeat([]float64{1}, n)
	for range 1_000 {
		for i := range n {
			won, expected := 0.0, 0.0
			for j := range n {
				if i != j {
					won += onBoards(scores[i][j])
					expected += 1 / (strength[i] + strength[j])
				}
			}
			strength[i] = won / expected
		}
	}
	mean := 0.0
	for i, s := range strength {
		strength[i] = 400 * math.Log10(s)
		mean += strength[i] / float64(n)
	}
	for i := range n {
		strength[i] += 1500 - mean
	}
	return strength
}

// roundRobin plays all levels against each other. scores[i][j] holds the scores of level i against level j, in the
// order of climbed.
func roundRobin(t testing.TB, levels []strategy.Level, games int) [][][]float64 {
	t.Helper()
	rng, variants := rand.New(rand.NewPCG(31, 32)), climbed(t)
	scores := make([][][]float64, len(levels))
	for i := range levels {
		scores[i] = make([][]float64, len(levels))
		for j := range i {
			for _, v := range variants {
				s := scoreOf(t, v, levels[i], levels[j], games, rng)
				scores[i][j], scores[j][i] = append(scores[i][j], s), append(scores[j][i], 1-s)
			}
		}
	}
	return scores
}

// The seed is fixed, to keep the test from failing by chance.
func TestEveryRungBeatsTheOneBelow(t *testing.T) {
	ladder := strategy.Ladder()
	scores := roundRobin(t, ladder, 400)
	for i := 1; i < len(ladder); i++ {
		if mean := onBoards(scores[i][i-1]); mean < 0.6 || mean > 0.8 {
			t.Errorf("%v wins %.3f of its games against %v on one to five boards", ladder[i], mean, ladder[i-1])
		}
		for j, v := range climbed(t) {
			if s := scores[i][i-1][j]; s < 0.55 || s > 0.85 {
				t.Errorf("%v scores %.3f against %v at %v", ladder[i], s, ladder[i-1], v)
			}
		}
	}
	for i, rating := range fit(scores) {
		if math.Abs(rating-float64(ladder[i].Rating())) > 30 {
			t.Errorf("%v is rated %d, and plays like %.0f", ladder[i], ladder[i].Rating(), rating)
		}
	}
}

// BenchmarkLadder plays the ladder, and the older levels for comparison, and prints the tables of docs/benchmarks.md.
func BenchmarkLadder(b *testing.B) {
	levels, rungs := strategy.Levels(), len(strategy.Ladder())
	var text strings.Builder
	for b.Loop() {
		text.Reset()
		scores := roundRobin(b, levels, 2_000)
		ladder := make([][][]float64, rungs)
		for i := range ladder {
			ladder[i] = scores[i][:rungs]
		}
		fitted := fit(ladder)
		for i, l := range levels {
			rating := "-"
			if i < rungs {
				rating = fmt.Sprintf("%.0f", fitted[i])
			}
			fmt.Fprintf(&text, "\n| `%v` | %s |", l, rating)
			for j := range rungs {
				if i == j {
					fmt.Fprint(&text, " |")
				} else {
					fmt.Fprintf(&text, " %.0f |", 100*onBoards(scores[i][j]))
				}
			}
		}
		fmt.Fprintln(&text)
		for i := 1; i < rungs; i++ {
			fmt.Fprintf(&text, "\n| `%v` against `%v` |", levels[i], levels[i-1])
			for _, s := range scores[i][i-1] {
				fmt.Fprintf(&text, " %.1f |", 100*s)
			}
		}
		fmt.Fprintln(&text)
	}
	b.Log(text.String())
}

// erring returns the levels with a share of mistakes, and this share.
func erring() map[strategy.Level]float64 {
	return map[strategy.Level]float64{
		strategy.Novice: 0.80, strategy.Learner: 0.50, strategy.Steady: 0.30, strategy.Careful: 0.17, strategy.Sharp: 0.08,
		strategy.Club: 0.25,
	}
}

func TestEveryRungErrsInItsShareOfMoves(t *testing.T) {
	for _, p := range []rules.Position{
		notakto(t, 1).Start(),
		after(t, "notakto/1: 5 1"),
		after(t, "notakto/3: A5 B1 A1 C3"),
		after(t, "notakto/2: A1 B3"), // lost
		after(t, "tictactoe: 5 7 9"),
	} {
		best := equallyGood(t, p)
		for level, want := range erring() {
			const times = 5_000
			errs := 0
			for m, n := range drawn(p, level, times) {
				if !slices.Contains(best, m) {
					errs += n
				}
			}
			if got := float64(errs) / times; math.Abs(got-want) > 0.02 {
				t.Errorf("%v: %v slips in %.3f of its moves", p, level, got)
			}
		}
	}
}

// A mistake gives something away if possible, never ends the game, and kills no board if another mistake does not.
func TestMistakesArePlausible(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 34))
	mistakes, quiet := 0, 0
	for _, v := range variants(t) {
		for range 8 {
			for p := v.Start(); !p.Outcome().IsOver(); p = play(t, p, strategy.Random.Choose(p, rng)) {
				best, a := equallyGood(t, p), strategy.Analyse(p)
				m := strategy.Novice.Choose(p, rng)
				if slices.Contains(best, m) {
					continue
				}
				mistakes++
				gives := func(m rules.Move) bool { return verdictOf(a, m) != a.Verdict }
				isQuiet := func(m rules.Move) bool {
					next := play(t, p, m)
					return !next.Outcome().IsOver() && !next.IsDead(int(m.Board))
				}
				if play(t, p, m).Outcome().IsOver() {
					t.Fatalf("%v: %v ends the game", p, m)
				}
				for _, other := range p.LegalMoves() {
					switch {
					case slices.Contains(best, other) || play(t, p, other).Outcome().IsOver():
					case gives(other) && !gives(m):
						t.Fatalf("%v: %v gives nothing away, %v would", p, m, other)
					case verdictOf(a, other) > verdictOf(a, m) && gives(other):
						t.Fatalf("%v: %v gives away more than %v", p, m, other)
					case verdictOf(a, other) == verdictOf(a, m) && isQuiet(other) && !isQuiet(m):
						t.Fatalf("%v: %v kills, %v would not", p, m, other)
					}
				}
				if isQuiet(m) {
					quiet++
				}
			}
		}
	}
	if mistakes < 650 || quiet < mistakes*8/10 {
		t.Errorf("of %d slips, %d kill nothing", mistakes, quiet)
	}
}

func verdictOf(a strategy.Analysis, m rules.Move) strategy.Verdict {
	for _, verdict := range a.Moves {
		if verdict.Move == m {
			return verdict.Verdict
		}
	}
	return 0
}

func TestNoRungMissesALineOfItsOwn(t *testing.T) {
	p := after(t, "tictactoe: 7 1 8 2")
	for _, level := range strategy.Ladder() {
		for m := range drawn(p, level, 1_000) {
			if m.Cell != 9 {
				t.Errorf("%v plays %v", level, m)
			}
		}
	}
}

func TestNoRungRepeatsItself(t *testing.T) {
	rng := rand.New(rand.NewPCG(35, 36))
	for _, level := range strategy.Ladder() {
		games := map[string]bool{}
		for range 100 {
			games[playOut(t, notakto(t, 3), level, strategy.Student, rng).String()] = true
		}
		if len(games) < 95 {
			t.Errorf("%v plays %d different games of 100 on three boards", level, len(games))
		}
	}
}
