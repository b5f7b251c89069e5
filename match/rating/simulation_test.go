package rating_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"notakto/match/rating"
	"notakto/rules"
	"notakto/rules/opening"
	"notakto/rules/strategy"
)

// BenchmarkSimulation plays random games between 40 players of known skill, 40 games each. It reports Spearman's
// correlation of their ratings with their skills, as the mean of 200 seeds with its standard error.
//
// A skill is the probability of finding a winning move in a won position. After a miss the player plays any other move.
// In a lost position the player resists as strategy.Perfect does. Skills are uniform from the weakest to 1.
//
//	go test -run '^$' -bench Simulation -benchtime 1x ./match/rating
func BenchmarkSimulation(b *testing.B) {
	drawn := make([]opening.Pair, 1000)
	for i := range drawn {
		drawn[i] = opening.Draw(fmt.Sprint("simulation ", i))
	}
	empty := rules.DefaultVariant().Start()
	for _, unit := range []struct {
		name  string
		games int
		from  []opening.Pair
	}{
		{"pairs of drawn openings", 2, drawn},
		{"single games on three empty boards", 1, []opening.Pair{{empty}}},
	} {
		for _, weakest := range []float64{0.8, 0.95} {
			b.Run(fmt.Sprintf("%s/%.0f-100%%", unit.name, 100*weakest), func(b *testing.B) {
				const seeds = 200
				found := make([]float64, seeds)
				for b.Loop() {
					for seed := range found {
						rng := rand.New(rand.NewPCG(uint64(seed), 1))
						found[seed] = simulation{rng: rng, games: unit.games, from: unit.from}.correlation(weakest)
					}
				}
				mean, deviation := moments(found)
				b.ReportMetric(mean, "rank-correlation")
				b.ReportMetric(deviation/math.Sqrt(seeds), "standard-error")
			})
		}
	}
}

// simulation is a season of rated units of one or two games.
type simulation struct {
	rng   *rand.Rand
	games int
	from  []opening.Pair
}

func (s simulation) correlation(weakest float64) float64 {
	const players, gamesOfEach = 40, 40
	skills, ratings := make([]float64, players), make([]rating.Rating, players)
	for i := range skills {
		skills[i], ratings[i] = weakest+(1-weakest)*s.rng.Float64(), rating.New()
	}
	for range gamesOfEach / s.games {
		order := s.rng.Perm(players)
		for i := 0; i < players; i += 2 {
			one, two := order[i], order[i+1]
			result := s.result(skills[one], skills[two])
			ratings[one], ratings[two] = rating.Update(ratings[one], ratings[two], result)
		}
	}
	points := make([]float64, players)
	for i, r := range ratings {
		points[i] = float64(r.Points)
	}
	return spearman(points, skills)
}

// result plays one rated unit. A single game counts for both.
func (s simulation) result(one, two float64) rating.Result {
	start := s.from[s.rng.IntN(len(s.from))]
	won := rating.Lost
	if s.firstWins(start[0], one, two) {
		won++
	}
	switch {
	case s.games == 1:
		won *= 2
	case !s.firstWins(start[1], two, one):
		won++
	}
	return won
}

// firstWins plays a game to its end.
func (s simulation) firstWins(p rules.Position, first, second float64) bool {
	for skill, other := first, second; !p.Outcome().IsOver(); skill, other = other, skill {
		p, _ = p.Play(s.move(p, skill))
	}
	return p.Outcome().Winner == rules.First
}

func (s simulation) move(p rules.Position, skill float64) rules.Move {
	if strategy.Evaluate(p) != strategy.Win {
		return strategy.Perfect.Choose(p, s.rng)
	}
	found := s.rng.Float64() < skill
	var winning, others []rules.Move
	for _, m := range strategy.Analyse(p).Moves {
		if m.Verdict == strategy.Win {
			winning = append(winning, m.Move)
		} else {
			others = append(others, m.Move)
		}
	}
	if found || len(others) == 0 {
		others = winning
	}
	return others[s.rng.IntN(len(others))]
}

// spearman returns the rank correlation of two lists.
func spearman(x, y []float64) float64 {
	rx, ry := ranks(x), ranks(y)
	n, sum := float64(len(x)), 0.0
	for i := range rx {
		sum += (rx[i] - ry[i]) * (rx[i] - ry[i])
	}
	return 1 - 6*sum/(n*(n*n-1))
}

// ranks returns the rank of each value. Equal values are rare, and ranked in their order.
func ranks(x []float64) []float64 {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(x[i], x[j]) })
	found := make([]float64, len(x))
	for rank, i := range order {
		found[i] = float64(rank)
	}
	return found
}

func moments(x []float64) (mean, deviation float64) {
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		deviation += (v - mean) * (v - mean) / float64(len(x)-1)
	}
	return mean, math.Sqrt(deviation)
}
