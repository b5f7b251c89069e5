package strategy_test

import (
	"math/rand/v2"
	"testing"

	"notakto/rules"
	"notakto/rules/strategy"
)

// playOut plays a game between two levels to its end and fails on the first illegal move.
func playOut(t testing.TB, v rules.Variant, first, second strategy.Level, rng *rand.Rand) rules.Game {
	t.Helper()
	game := rules.Game{Variant: v, Position: v.Start()}
	for !game.Position.Outcome().Over() {
		level := first
		if game.Position.Turn() == rules.Second {
			level = second
		}
		m := level.Choose(game.Position, rng)
		next, err := game.Position.Play(m)
		if err != nil {
			t.Fatalf("%v: %v plays %v: %v", game.Position, level, m, err)
		}
		game.Position, game.Moves = next, append(game.Moves, m)
	}
	return game
}

func TestEveryLevelPlaysEveryVariantToItsEnd(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, v := range variants(t) {
		for _, first := range strategy.Levels() {
			for _, second := range strategy.Levels() {
				if game := playOut(t, v, first, second, rng); !game.Position.Outcome().Over() {
					t.Errorf("%v against %v stopped at %v", first, second, game)
				}
			}
		}
	}
}

// FuzzChoose lets the fuzzer lead play to odd positions, where every level must find a legal move.
func FuzzChoose(f *testing.F) {
	for variant := range uint8(10) {
		f.Add(variant, uint64(1), []byte{})
		f.Add(variant, uint64(2), []byte{4, 0, 255, 17, 3, 80, 9, 1, 1, 1})
	}
	f.Fuzz(func(t *testing.T, variant uint8, seed uint64, moves []byte) {
		all := variants(t)
		p := all[int(variant)%len(all)].Start()
		for _, choice := range moves {
			if legal := p.Legal(); len(legal) > 0 {
				p = play(t, p, legal[int(choice)%len(legal)])
			}
		}
		for _, level := range strategy.Levels() {
			m := level.Choose(p, rand.New(rand.NewPCG(seed, 0)))
			if err := p.Check(m); (err == nil) == p.Outcome().Over() {
				t.Fatalf("%v: %v plays %v: %v", p, level, m, err)
			}
			if again := level.Choose(p, rand.New(rand.NewPCG(seed, 0))); again != m {
				t.Fatalf("%v: %v plays %v, then with the same seed %v", p, level, m, again)
			}
		}
	})
}

func TestTheSameSeedPlaysTheSameGame(t *testing.T) {
	for _, v := range variants(t) {
		for _, level := range strategy.Levels() {
			games := map[string]bool{}
			for range 3 {
				games[playOut(t, v, level, strategy.Random, rand.New(rand.NewPCG(9, 10))).String()] = true
			}
			if len(games) != 1 {
				t.Errorf("%v: with one seed %v plays %v", v, level, games)
			}
		}
	}
}

func TestThereIsNothingToChooseInAFinishedGame(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	start := notakto(t, 1).Start()
	for _, level := range append(strategy.Levels(), 0, 200) {
		for _, p := range []rules.Position{after(t, "notakto/1: 7 8 9"), after(t, "tictactoe: 7 1 8 2 9"), {}} {
			if m := level.Choose(p, rng); m != (rules.Move{}) {
				t.Errorf("%v plays %v in %v", level, m, p)
			}
		}
	}
	for _, level := range []strategy.Level{0, 200} {
		if m := level.Choose(start, rng); m != (rules.Move{}) {
			t.Errorf("level %d plays %v", level, m)
		}
	}
}

// drawn counts how often a level plays each move in a position.
func drawn(p rules.Position, level strategy.Level, times int) map[rules.Move]int {
	rng, count := rand.New(rand.NewPCG(11, 12)), map[rules.Move]int{}
	for range times {
		count[level.Choose(p, rng)]++
	}
	return count
}

// checkUniform checks that the moves are about equally frequent, and that there are no others.
func checkUniform(t *testing.T, count map[rules.Move]int, moves []rules.Move) {
	t.Helper()
	total := 0
	for _, n := range count {
		total += n
	}
	chiSquare, expected := 0.0, float64(total)/float64(len(moves))
	for _, m := range moves {
		deviation := float64(count[m]) - expected
		chiSquare += deviation * deviation / expected
	}
	if len(count) != len(moves) || chiSquare > 3*float64(len(moves))+10 {
		t.Errorf("%d moves were drawn, %v (chi square %.1f); want each of %v as often", len(count), count, chiSquare, moves)
	}
}

func TestRandomDrawsFromAllLegalMoves(t *testing.T) {
	for _, p := range []rules.Position{
		notakto(t, 2).Start(), after(t, "tictactoe: 5 1"), after(t, "notakto/3: A7 A8 A9 B5"),
	} {
		checkUniform(t, drawn(p, strategy.Random, 20_000), p.Legal())
	}
}
