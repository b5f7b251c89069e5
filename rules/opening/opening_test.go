package opening

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"notakto/rules"
	"notakto/rules/strategy"
)

// The check does not use the code that draws.
func TestPairs(t *testing.T) {
	first := map[rules.Position]bool{}
	for i := range 300 {
		seed := fmt.Sprint("seed ", i)
		pair, round := draw(seed, maxRounds)
		checkPair(t, seed, pair)
		if round > 20 {
			t.Errorf("%q: %d rounds", seed, round)
		}
		first[pair[0]] = true
	}
	if len(first) < 285 {
		t.Errorf("300 seeds have %d first openings", len(first))
	}
}

func checkPair(t *testing.T, seed string, pair Pair) {
	t.Helper()
	var winning, safe [2]int
	for i, p := range pair {
		if p.Plies() != 4 || p.LiveBoards() != 4 || p.Variant().Boards() != 4 || p.Turn() != rules.First {
			t.Errorf("%q: %v is no position of four marks on four boards that are alive", seed, p)
		}
		if strategy.Evaluate(p) != strategy.Win {
			t.Errorf("%q: %v is not won for the player to move", seed, p)
		}
		for _, m := range p.LegalMoves() {
			next, err := p.Play(m)
			if err != nil {
				t.Fatal(err)
			}
			if strategy.Evaluate(next) == strategy.Loss {
				winning[i]++
			}
			if next.LiveBoards() == 4 {
				safe[i]++
			}
		}
	}
	if winning[0] != winning[1] || safe[0] != safe[1] || winning[0] == 0 {
		t.Errorf("%q: %v have %d winning and %d safe moves", seed, pair, winning, safe)
	}
	if pair[0].Shape() == pair[1].Shape() {
		t.Errorf("%q: %v are the same but for order and symmetry", seed, pair)
	}
}

// Without siblings in any round the pair is fixed, and has the properties of every pair.
func TestTheFixedPair(t *testing.T) {
	pair, rounds := draw("any", 0)
	if pair != Draw("notakto") || rounds != 0 {
		t.Errorf("after %d rounds %v", rounds, pair)
	}
	checkPair(t, "fixed", pair)
}

// Openings of a seed are a promise, because players check them after a pair, even years later.
func TestDrawIsTheSame(t *testing.T) {
	for seed, want := range map[string]string{
		"":                           "........./........./.......XX/X....X... ......XX./.X......./.X......./.........",
		"notakto":                    "..XX..X../.X......./........./......... ........./..X....../........./....XX.X.",
		"K7QXV2M4T5B6N8P9R3S1W0Y2Z4": "........./.....X.../..X..XX../......... ........./...XX..X./........./.X.......",
		"grüße":                      "........./X......X./........./.....X..X ....X..../........./...X...../...X..X..",
	} {
		pair := Draw(seed)
		if got := fmt.Sprint(pair[0], " ", pair[1]); got != want {
			t.Errorf("%q has the openings %q, want %q", seed, got, want)
		}
	}
}

func TestCheck(t *testing.T) {
	for seed, want := range map[string]string{
		"two words, grüße":       "",
		strings.Repeat("x", 128): "",
		"  ":                     "empty",
		strings.Repeat("x", 129): "it has 129 bytes, and may have 128",
		"\x1b[31m":               "control character",
		"a\u0085":                "control character",
		"right\u202eleft":        "control character",
		"\xff":                   "not UTF-8",
	} {
		err := CheckSeed(seed)
		switch {
		case want == "" && err != nil, want != "" && !errors.Is(err, ErrBadSeed):
			t.Errorf("%q: %v, want %q", seed, err, want)
		case want != "" && !strings.Contains(err.Error(), want):
			t.Errorf("%q: %v, want %q", seed, err, want)
		}
	}
}
