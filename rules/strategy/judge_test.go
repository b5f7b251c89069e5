package strategy_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"notakto/rules"
	"notakto/rules/strategy"
)

func notakto(t testing.TB, boards int) rules.Variant {
	t.Helper()
	v, err := rules.Notakto(boards)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func variants(t testing.TB) []rules.Variant {
	t.Helper()
	all := []rules.Variant{rules.TicTacToe()}
	for boards := 1; boards <= rules.MaxBoards; boards++ {
		all = append(all, notakto(t, boards))
	}
	return all
}

func parse(t testing.TB, text string) rules.Position {
	t.Helper()
	p, err := rules.ParsePosition(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// after returns the position after a game's moves.
func after(t testing.TB, game string) rules.Position {
	t.Helper()
	g, err := rules.ParseGame(game)
	if err != nil {
		t.Fatal(err)
	}
	return g.Position
}

// liveBoards returns the 46 patterns up to symmetry and a dead one, found by play.
func liveBoards(b *bruteForce) []string {
	found := []string{"........."}
	for i := 0; i < len(found); i++ {
		for _, next := range b.after(found[i : i+1]) {
			if len(next) == 1 && !slices.Contains(found, next[0]) {
				found = append(found, next[0])
			}
		}
	}
	return found
}

// Every position of one, two and three boards, up to symmetry.
func TestTheTheoryAgreesWithBruteForce(t *testing.T) {
	b := newBruteForce()
	boards := liveBoards(b)
	if len(boards) != 46 {
		t.Fatalf("%d live boards up to symmetry", len(boards))
	}
	verdict := 0
	check := func(live ...string) {
		verdict++
		if got, want := strategy.Evaluate(parse(t, strings.Join(live, "/"))),
			b.wins(live); (got == strategy.Win) != want || got == strategy.Draw {
			t.Errorf("%v is judged a %v; by brute force the side to move wins: %v", live, got, want)
		}
	}
	const dead = "XXX......"
	for i, first := range boards {
		check(first)
		for j, second := range boards[:i+1] {
			check(first, second)
			for _, third := range boards[:j+1] {
				check(first, second, third)
			}
		}
		if alone, beside := strategy.Evaluate(parse(t, first)),
			strategy.Evaluate(parse(t, dead+"/"+first+"/"+dead)); alone != beside {
			t.Errorf("%s is a %v, but beside dead boards a %v", first, alone, beside)
		}
	}
	if want := 46 + 46*47/2 + 46*47*48/6; verdict != want {
		t.Errorf("%d positions judged, want %d", verdict, want)
	}
}

// Boards as they occur in play, with dead ones and every orientation.
func TestTheTheoryAgreesWithBruteForceInPlay(t *testing.T) {
	b, rng := newBruteForce(), rand.New(rand.NewPCG(3, 46))
	for boards, games := range map[int]int{1: 200, 2: 200, 3: 500, 4: 20} {
		for range games {
			for p := notakto(t, boards).Start(); !p.Outcome().Over(); p = play(t, p, strategy.Random.Choose(p, rng)) {
				if boards == 4 && p.Plies() < 8 {
					continue // brute force takes too long
				}
				if got, want := strategy.Evaluate(p), b.wins(b.liveOf(p)); (got == strategy.Win) != want || got == strategy.Draw {
					t.Fatalf("%v is judged a %v; by brute force the side to move wins: %v", p, got, want)
				}
			}
		}
	}
}

func play(t testing.TB, p rules.Position, m rules.Move) rules.Position {
	t.Helper()
	next, err := p.Play(m)
	if err != nil {
		t.Fatalf("%v: %v", p, err)
	}
	return next
}

func TestWhoWins(t *testing.T) {
	for boards, want := range map[int]strategy.Verdict{1: strategy.Win, 2: strategy.Loss, 3: strategy.Win} {
		if got := strategy.Evaluate(notakto(t, boards).Start()); got != want {
			t.Errorf("on %d boards the first player has a %v, want %v", boards, got, want)
		}
	}
	if got := strategy.Evaluate(rules.TicTacToe().Start()); got != strategy.Draw {
		t.Errorf("tic-tac-toe is a %v", got)
	}
}

func TestTheCenterAloneWinsOnOneBoard(t *testing.T) {
	winning := strategy.Analyse(notakto(t, 1).Start()).Winning()
	if !slices.Equal(winning, []rules.Move{{Board: 0, Cell: 5}}) {
		t.Errorf("the winning moves are %v", winning)
	}
}

// A second search, that remembers nothing and sees scores, not verdicts.
func TestTicTacToeAgreesWithAPlainSearch(t *testing.T) {
	verdict := 0
	var check func(p rules.Position) int
	check = func(p rules.Position) int {
		verdict++
		best := -2
		for _, m := range p.Legal() {
			best = max(best, -check(play(t, p, m)))
		}
		if outcome := p.Outcome(); outcome.Over() {
			best = map[rules.Side]int{p.Turn(): 1, p.Turn().Other(): -1, rules.Nobody: 0}[outcome.Winner]
		}
		if want := [...]strategy.Verdict{strategy.Loss, strategy.Draw, strategy.Win}[best+1]; strategy.Evaluate(p) != want {
			t.Fatalf("%v is judged a %v, want %v", p, strategy.Evaluate(p), want)
		}
		return best
	}
	check(rules.TicTacToe().Start())
	if verdict != 549946 {
		t.Errorf("%d nodes seen, want 549946", verdict)
	}
}
