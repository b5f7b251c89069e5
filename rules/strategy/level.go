package strategy

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	"notakto/rules"
)

// ErrBadLevel reports a name of no level.
var ErrBadLevel = errors.New("no such level: it is novice, learner, steady, careful, sharp or perfect, " +
	"or one of the older levels random, student, centre and club")

// Level is a computer player. The zero value is none. Logs of matches hold the numbers up to [Perfect].
type Level uint8

// The older levels, and the rungs of the [Ladder] below the perfect player.
const (
	Random  Level = iota + 1 // any legal move
	Student                  // a fixed rule over board and cell order
	Center                   // the centre, then cells away from the opponent's last
	Club                     // perfect, but errs one move in four
	Perfect                  // never leaves a won game: the top of the ladder
	Novice
	Learner
	Steady
	Careful
	Sharp
)

var levelNames = [...]string{
	Random: "random", Student: "student", Center: "centre", Club: "club", Perfect: "perfect",
	Novice: "novice", Learner: "learner", Steady: "steady", Careful: "careful", Sharp: "sharp",
}

// Levels lists all levels: the [Ladder], then the older ones.
func Levels() []Level { return append(Ladder(), Random, Student, Center, Club) }

// String returns the level's name in the protocol, or "" for none.
func (l Level) String() string {
	if int(l) < len(levelNames) {
		return levelNames[l]
	}
	return ""
}

// ParseLevel reads a level's name, in either case of letters. The error is [ErrBadLevel].
func ParseLevel(name string) (Level, error) {
	for _, l := range Levels() {
		if strings.ToLower(name) == l.String() {
			return l, nil
		}
	}
	return 0, fmt.Errorf("%w (not %.40q)", ErrBadLevel, name)
}

// rung is a level of the ladder: the perfect player with a share of mistakes.
type rung struct {
	mistakes int // of a hundred moves in which one can be made
	rating   int
}

// rungs are calibrated for each to win about two games of three against the one below. The ratings are fitted to games
// of all rungs against each other: see docs/benchmarks.md, "The computer's levels". BenchmarkLadder measures them
// again.
var rungs = [...]rung{
	Novice:  {80, 1195},
	Learner: {50, 1330},
	Steady:  {30, 1453},
	Careful: {17, 1559},
	Sharp:   {8, 1664},
	Perfect: {0, 1800},
}

// Ladder lists the levels to climb, weakest first. Each is the perfect player with a share of mistakes that a person
// might make. Chance decides in which moves they come.
func Ladder() []Level { return []Level{Novice, Learner, Steady, Careful, Sharp, Perfect} }

// Rating returns the strength of a level of the [Ladder] in games on one to five boards, or 0 for any other level. A
// level that is rated 400 points higher than another wins ten games of eleven. The mean of the ladder is 1500.
func (l Level) Rating() int {
	if int(l) < len(rungs) {
		return rungs[l].rating
	}
	return 0
}

// choose plays as the perfect player does, except for a share of mistakes. For a mistake it draws two and makes the one
// that leaves the opponent fewer winning replies. In tic-tac-toe it never misses a line of its own.
func (r rung) choose(p rules.Position, rng *rand.Rand) rules.Move {
	best := perfect(p)
	if rng.IntN(100) >= r.mistakes || after(p, best.moves[0]).Outcome().Reason == rules.Line {
		return best.draw(rng)
	}
	list := plausibleMistakes(p, &best)
	if list.n == 0 {
		return best.draw(rng)
	}
	m, other := list.draw(rng), list.draw(rng)
	if winningReplies(after(p, other)) < winningReplies(after(p, m)) {
		return other
	}
	return m
}

// plausibleMistakes lists moves that are not among the best and that a person might take for good ones: those that give
// something away, and as little as possible. If nothing can be given away, it lists the others. A move that kills a
// board, or lets the opponent complete a line in tic-tac-toe, is in the list only if no other mistake is. One that ends
// the game never is.
func plausibleMistakes(p rules.Position, best *shortlist) shortlist {
	const nothing = int(Win) // given away: costs more than any loss of a verdict
	var list shortlist
	verdict := Evaluate(p)
	for _, m := range p.Legal() {
		next := after(p, m)
		if best.has(m) || next.Outcome().Over() {
			continue
		}
		given := int(verdict - evaluateMove(p, m))
		if given == 0 {
			given = nothing
		}
		cost := 2 * given
		if next.Dead(int(m.Board)) || p.Variant().IsTicTacToe() && canCompleteLine(next) {
			cost++
		}
		list.offer(m, cost)
	}
	return list
}

// canCompleteLine reports whether the side to move can win a game of tic-tac-toe at once.
func canCompleteLine(p rules.Position) bool {
	for _, m := range p.Legal() {
		if after(p, m).Outcome().Reason == rules.Line {
			return true
		}
	}
	return false
}

func winningReplies(p rules.Position) int {
	if p.Variant().IsTicTacToe() {
		return len(Analyse(p).Winning())
	}
	s := newSum(p)
	return s.winningMoves()
}
