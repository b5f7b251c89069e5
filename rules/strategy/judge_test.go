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

func after(t testing.TB, game string) rules.Position {
	t.Helper()
	g, err := rules.ParseGame(game)
	if err != nil {
		t.Fatal(err)
	}
	return g.Position
}

// liveBoards returns the 46 live boards up to symmetry, found by play.
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

// The test evaluates every position of one, two and three boards, up to symmetry.
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

// Boards in play may be dead and have every orientation.
func TestTheTheoryAgreesWithBruteForceInPlay(t *testing.T) {
	b, rng := newBruteForce(), rand.New(rand.NewPCG(3, 46))
	for boards, games := range map[int]int{1: 200, 2: 200, 3: 500, 4: 20} {
		for range games {
			for p := notakto(t, boards).Start(); !p.Outcome().IsOver(); p = play(t, p, strategy.Random.Choose(p, rng)) {
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

// bruteForce evaluates Notakto by the rules alone, with boards as strings, and follows every line of play. To finish
// three boards in time, it leaves out dead boards and takes one of each set of rotations and mirror images.
type bruteForce struct {
	canonical map[string]string
	known     map[string]bool
}

func newBruteForce() *bruteForce {
	return &bruteForce{canonical: map[string]string{}, known: map[string]bool{}}
}

// wins reports whether the side to move wins. No board may be dead.
func (b *bruteForce) wins(boards []string) bool {
	if len(boards) == 0 {
		return true // the opponent has just killed the last one
	}
	slices.Sort(boards)
	key := strings.Join(boards, "/")
	if won, ok := b.known[key]; ok {
		return won
	}
	b.known[key] = slices.ContainsFunc(b.after(boards), func(next []string) bool { return !b.wins(next) })
	return b.known[key]
}

// after lists the boards after every possible move.
func (b *bruteForce) after(boards []string) [][]string {
	var all [][]string
	for i, board := range boards {
		for cell := range 9 {
			if board[cell] == 'X' {
				continue
			}
			next := slices.Delete(slices.Clone(boards), i, i+1)
			if marked := board[:cell] + "X" + board[cell+1:]; !deadOnPaper(marked) {
				next = append(next, b.image(marked))
			}
			all = append(all, next)
		}
	}
	return all
}

// image returns the alphabetically first rotation or mirror image of a board.
func (b *bruteForce) image(board string) string {
	if first, ok := b.canonical[board]; ok {
		return first
	}
	first, turned := board, board
	for i := range 8 {
		if i == 4 {
			turned = turned[6:9] + turned[3:6] + turned[0:3]
		}
		var next strings.Builder
		for cell := range 9 {
			next.WriteByte(turned[6-3*(cell%3)+cell/3])
		}
		turned = next.String()
		first = min(first, turned)
	}
	b.canonical[board] = first
	return first
}

func deadOnPaper(board string) bool {
	for _, line := range []string{"012", "345", "678", "036", "147", "258", "048", "246"} {
		if board[line[0]-'0'] == 'X' && board[line[1]-'0'] == 'X' && board[line[2]-'0'] == 'X' {
			return true
		}
	}
	return false
}

func (b *bruteForce) liveOf(p rules.Position) []string {
	var live []string
	for board := range strings.SplitSeq(p.String(), "/") {
		if !deadOnPaper(board) {
			live = append(live, b.image(board))
		}
	}
	return live
}
