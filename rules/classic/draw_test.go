package classic_test

import (
	"slices"
	"testing"

	"notakto/rules/classic"
)

// The random computer takes any free cell, one as often as another.
func TestRandomComputerTakesAnyFreeCell(t *testing.T) {
	for _, mode := range []string{"1", "2"} {
		first := map[string]int{}
		someGames(t, seeded(classic.Random, 5), mode, func(before, _, mark string) {
			if !slices.Contains(freeFaces(before), mark) {
				t.Fatalf("on %s it takes %s", before, mark)
			}
			if before == "123456789" {
				first[mark]++
			}
		})
		for _, face := range freeFaces("123456789") {
			if n := first[face]; n < 75 || n > 150 { // of about a thousand games that it begins
				t.Errorf("it begins with %s in %d games: %v", face, n, first)
			}
		}
	}
}

// A coin is tossed for each game. On an empty board the strong computer takes 5 and the random one any cell, so of the
// games that it begins it takes 5 in half, and in one ninth of the others.
func TestTheComputerIsDrawnByAFairCoin(t *testing.T) {
	center, begun := 0, 0
	someGames(t, seeded(classic.Drawn, 6), "2", func(before, _, mark string) {
		if before != "123456789" {
			return
		}
		begun++
		if mark == "5" {
			center++
		}
	})
	if share := float64(center) / float64(begun); begun < 900 || share < 0.5 || share > 0.61 {
		t.Errorf("it begins %d games, with 5 in %d", begun, center)
	}
}

func TestTheSameSeedPlaysTheSameGame(t *testing.T) {
	const input = "2\n1\n1\n1\n2\n3\n4\n6\n7\n8\n9\n5\n0\n"
	different := map[string]bool{}
	for seed := range uint64(20) {
		first, _ := run(classic.One, input, seeded(classic.Drawn, seed))
		second, _ := run(classic.One, input, seeded(classic.Drawn, seed))
		if first != second {
			t.Fatalf("seed %d plays\n%s\nand\n%s", seed, first, second)
		}
		different[first] = true
	}
	if len(different) < 5 {
		t.Errorf("20 seeds play %d games", len(different))
	}
}

func TestWithoutASeedEveryRunDrawsAnew(t *testing.T) {
	different := map[string]bool{}
	for range 200 {
		out, _ := run(classic.One, "2\n1\n1\n1\n2\n3\n4\n6\n7\n8\n9\n5\n0\n", classic.Options{Computer: classic.Random})
		different[out] = true
	}
	if len(different) < 5 {
		t.Errorf("200 runs play %d games", len(different))
	}
}
