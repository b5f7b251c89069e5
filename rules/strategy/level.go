package strategy

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	"notakto/rules"
)

// ErrBadLevel reports a name of no level.
var ErrBadLevel = errors.New("no such level: want novice, learner, steady, careful, sharp or perfect, " +
	"or one of the older levels random, student, centre and club")

// Level is a computer player. The zero value is no level. The numbers up to [Perfect] must not change, because logs of
// matches hold them. For later levels the logs hold the ID of the computer player.
type Level uint8

// The levels of the computer.
const (
	Random  Level = iota + 1 // any legal move
	Student                  // a fixed rule over board and cell order
	Center                   // the centre, then cells away from the opponent's last
	Club                     // perfect, but errs at one move in four
	Perfect                  // never leaves a won game
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

// Levels lists the [Ladder] and then the older levels.
func Levels() []Level { return append(Ladder(), Random, Student, Center, Club) }

// String returns the level's name in the protocol, or "" for zero.
func (l Level) String() string {
	if int(l) < len(levelNames) {
		return levelNames[l]
	}
	return ""
}

// ParseLevel reads a level's name in upper or lower case. The error is [ErrBadLevel].
func ParseLevel(name string) (Level, error) {
	for _, l := range Levels() {
		if strings.ToLower(name) == l.String() {
			return l, nil
		}
	}
	return 0, fmt.Errorf("%w (not %.40q)", ErrBadLevel, name)
}

// rung is a level of the ladder.
type rung struct {
	mistakes int // chance of a plausible mistake at each move, in percent
	rating   int
}

// rungs are calibrated for each to win about two games of three against the one below. The ratings are fitted to
// games of all rungs against each other. BenchmarkLadder measures them, as shown in docs/benchmarks.md, "The
// computer's levels".
var rungs = [...]rung{
	Novice:  {80, 1195},
	Learner: {50, 1330},
	Steady:  {30, 1453},
	Careful: {17, 1559},
	Sharp:   {8, 1664},
	Perfect: {0, 1800},
}

// Ladder lists the levels to climb, weakest first. A level below [Perfect] plays like Perfect, but makes mistakes at a
// percentage of its moves, of a kind that a person might make.
func Ladder() []Level { return []Level{Novice, Learner, Steady, Careful, Sharp, Perfect} }

// Rating returns the strength of a level of the [Ladder] in games on one to five boards, or 0 for any other level. A
// level that is rated 400 points higher than another wins ten games of eleven. The mean of the ladder is 1500.
func (l Level) Rating() int {
	if int(l) < len(rungs) {
		return rungs[l].rating
	}
	return 0
}

// choose returns a best move or a plausible mistake. Of two random mistakes, choose returns the mistake that leaves
// the opponent fewer winning replies. In tic-tac-toe, choose always completes an own line.
func (r rung) choose(p rules.Position, rng *rand.Rand) rules.Move {
	best := bestMoves(p)
	if rng.IntN(100) >= r.mistakes || after(p, best.moves[0]).Outcome().Reason == rules.ReasonLine {
		return best.pick(rng)
	}
	list := plausibleMistakes(p, &best)
	if list.n == 0 {
		return best.pick(rng)
	}
	m, other := list.pick(rng), list.pick(rng)
	if winningReplies(after(p, other)) < winningReplies(after(p, m)) {
		return other
	}
	return m
}

// plausibleMistakes lists moves that a person might take for best moves. A move in best, or a move that ends the game,
// is never listed. If some remaining moves lower the verdict, the candidates are the moves that lower it least.
// Otherwise all remaining moves are candidates.
//
// A candidate that kills a board, or lets the opponent complete a line in tic-tac-toe, is listed only if every
// candidate does.
func plausibleMistakes(p rules.Position, best *shortlist) shortlist {
	const costWithoutLoss = int(Win) // higher than any loss
	var list shortlist
	verdict := Evaluate(p)
	for _, m := range p.LegalMoves() {
		next := after(p, m)
		if best.has(m) || next.Outcome().IsOver() {
			continue
		}
		loss := int(verdict - evaluateMove(p, m))
		if loss == 0 {
			loss = costWithoutLoss
		}
		cost := 2 * loss
		if next.IsDead(int(m.Board)) || p.Variant().IsTicTacToe() && canCompleteLine(next) {
			cost++
		}
		list.offer(m, cost)
	}
	return list
}

// canCompleteLine reports whether the side to move can win a game of tic-tac-toe at once.
func canCompleteLine(p rules.Position) bool {
	for _, m := range p.LegalMoves() {
		if after(p, m).Outcome().Reason == rules.ReasonLine {
			return true
		}
	}
	return false
}

func winningReplies(p rules.Position) int {
	if p.Variant().IsTicTacToe() {
		return len(Analyse(p).WinningMoves())
	}
	s := newSum(p)
	return s.winningMoves()
}
