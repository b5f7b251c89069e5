package strategy_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"notakto/internal/testkit"
	"notakto/rules"
	"notakto/rules/strategy"
)

func notakto(t testing.TB, boards int) rules.Variant {
	t.Helper()
	v, err := rules.Notakto(boards)
	testkit.OK(t, err)
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
	testkit.OK(t, err)
	return p
}

func after(t testing.TB, game string) rules.Position {
	t.Helper()
	g, err := rules.ParseGame(game)
	testkit.OK(t, err)
	return g.Position
}

// liveBoards returns the 46 live boards up to symmetry, found by play.
func liveBoards(t *testing.T) []string {
	found, seen := []rules.Position{notakto(t, 1).Start()}, map[rules.Shape]bool{}
	var all []string
	for i := 0; i < len(found); i++ {
		if seen[found[i].Shape()] {
			continue
		}
		seen[found[i].Shape()] = true
		all = append(all, found[i].String())
		for _, m := range found[i].LegalMoves() {
			if next := play(t, found[i], m); !next.IsDead(0) {
				found = append(found, next)
			}
		}
	}
	return all
}

// bruteForce knows which positions of Notakto the side to move wins. It follows every line of play by the rules alone,
// and remembers positions by their shape.
type bruteForce map[rules.Shape]bool

func (b bruteForce) wins(t *testing.T, p rules.Position) bool {
	if p.Outcome().IsOver() {
		return p.Outcome().Winner == p.Turn()
	}
	shape := p.Shape()
	won, known := b[shape]
	if !known {
		won = slices.ContainsFunc(p.LegalMoves(), func(m rules.Move) bool { return !b.wins(t, play(t, p, m)) })
		b[shape] = won
	}
	return won
}

func (b bruteForce) check(t *testing.T, p rules.Position) {
	t.Helper()
	got := strategy.Evaluate(p)
	if want := b.wins(t, p); (got == strategy.Win) != want || got == strategy.Draw {
		t.Fatalf("%v is judged a %v; by brute force the side to move wins: %v", p, got, want)
	}
}

// The test evaluates every position of one, two and three boards, up to symmetry, and then positions in play: their
// boards may be dead and have every orientation.
func TestTheTheoryAgreesWithBruteForce(t *testing.T) {
	b, rng := bruteForce{}, rand.New(rand.NewPCG(3, 46))
	boards := liveBoards(t)
	for i, first := range boards {
		b.check(t, parse(t, first))
		for j, second := range boards[:i+1] {
			b.check(t, parse(t, first+"/"+second))
			for _, third := range boards[:j+1] {
				b.check(t, parse(t, first+"/"+second+"/"+third))
			}
		}
	}
	if want := 46 + 46*47/2 + 46*47*48/6; len(boards) != 46 || len(b) != want {
		t.Errorf("%d boards and %d positions judged, want 46 and %d", len(boards), len(b), want)
	}
	for boards, games := range map[int]int{1: 200, 2: 200, 3: 500, 4: 20} {
		for range games {
			for p := notakto(t, boards).Start(); !p.Outcome().IsOver(); p = play(t, p, strategy.Random.Choose(p, rng)) {
				if boards < 4 || p.Plies() >= 14 { // else brute force takes too long
					b.check(t, p)
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

// The second search remembers no position and uses scores instead of verdicts.
func TestTicTacToeAgreesWithAPlainSearch(t *testing.T) {
	verdict := 0
	var check func(p rules.Position) int
	check = func(p rules.Position) int {
		verdict++
		best := -2
		for _, m := range p.LegalMoves() {
			best = max(best, -check(play(t, p, m)))
		}
		if outcome := p.Outcome(); outcome.IsOver() {
			best = map[rules.Side]int{p.Turn(): 1, p.Turn().Other(): -1, rules.NoSide: 0}[outcome.Winner]
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

func deadOnPaper(board string) bool {
	for _, line := range []string{"012", "345", "678", "036", "147", "258", "048", "246"} {
		if board[line[0]-'0'] == 'X' && board[line[1]-'0'] == 'X' && board[line[2]-'0'] == 'X' {
			return true
		}
	}
	return false
}
