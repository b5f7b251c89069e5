package lesson_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"notakto/rules"
	"notakto/rules/strategy"
)

// beginner plays by the sentences of the first lessons, and of reviews, without the engine. It reads a board only if at
// most readable cells are safe. If no sentence fits, it plays any safe cell.
type beginner struct{ lessons int }

// readable is the number of safe cells that a person can think through in the head.
const readable = 3

// choose returns the move in p after the opponent's last one, which may be the zero move.
func (b beginner) choose(p rules.Position, last rules.Move, rng *rand.Rand) rules.Move {
	legal := p.LegalMoves()
	rng.Shuffle(len(legal), func(i, j int) { legal[i], legal[j] = legal[j], legal[i] })
	for _, fits := range b.rules(p, last) {
		for _, m := range legal {
			if next := play(p, m); !next.Outcome().IsOver() && fits(next, m) {
				return m
			}
		}
	}
	return legal[0]
}

// rules returns the rules that b has learned for a move in p, the surest first.
func (b beginner) rules(p rules.Position, last rules.Move) []func(next rules.Position, m rules.Move) bool {
	isSafe := func(next rules.Position, m rules.Move) bool { return !next.IsDead(int(m.Board)) }
	leavesNoSafeCell := func(next rules.Position, _ rules.Move) bool {
		return next.LiveBoards() == 1 && !hasSafeCell(next)
	}
	leavesAnswers := func(next rules.Position, _ rules.Move) bool {
		return len(safeMoves(next)) <= readable && isAnswered(next)
	}
	opensOneBoard := func(next rules.Position, m rules.Move) bool {
		if next.LiveBoards() > 1 {
			return false
		}
		board := single(next, m.Board)
		return board == position("....X....") || pair(board) == "a"
	}
	leavesEvenEmpty := func(next rules.Position, _ rules.Move) bool {
		for i := range next.Variant().Boards() {
			if !next.IsDead(i) && next.Crosses(i) != 0 {
				return false
			}
		}
		return next.LiveBoards()%2 == 0
	}
	answersOnTheSameBoard := func(next rules.Position, m rules.Move) bool {
		return isSafe(next, m) && last.Cell != 0 && m.Board == last.Board && (last.Cell == 5 || isKnightsMove(last, m))
	}
	leavesLostProduct := func(next rules.Position, _ rules.Move) bool {
		product, ok := b.product(next)
		return ok && slices.Contains([]string{"a", "bb", "bc", "cc"}, product)
	}
	switch first := []func(rules.Position, rules.Move) bool{leavesNoSafeCell, leavesAnswers}; {
	case b.lessons >= 6:
		return append(first, leavesLostProduct, answersOnTheSameBoard, isSafe)
	case b.lessons >= 4:
		return append(first, opensOneBoard, isOddWithoutSafeCell, leavesEvenEmpty, answersOnTheSameBoard, isSafe)
	case b.lessons >= 2 && p.LiveBoards() == 1:
		return append(first, opensOneBoard, answersOnTheSameBoard, isSafe)
	default:
		return append(first, isSafe)
	}
}

// single returns one board of p as a position.
func single(p rules.Position, board uint8) rules.Position {
	return position(strings.Split(p.String(), "/")[board])
}

// product multiplies the letters of the boards. The result is false if a board cannot be read.
func (b beginner) product(p rules.Position) (string, bool) {
	var all string
	for i := range p.Variant().Boards() {
		value, ok := b.value(single(p, uint8(i)))
		if !ok {
			return "", false
		}
		all += value
	}
	return multiply(all), true
}

// value gives one board its letters, as lesson 5 does. 1 is "".
func (b beginner) value(p rules.Position) (string, bool) {
	switch crosses := p.Plies(); {
	case p.IsDead(0):
		return "", true
	case crosses == 0:
		return "c", true
	case crosses == 1 && p.At(0, 5) == rules.Cross:
		return "cc", true
	case crosses == 1:
		return "", true
	case crosses == 2:
		return pair(p), true
	}
	safe := safeMoves(p)
	if len(safe) > readable {
		return "", false
	}
	reached := map[string]bool{"": len(safe) < len(p.LegalMoves())}
	for _, m := range safe {
		value, ok := b.value(play(p, m))
		if !ok {
			return "", false
		}
		reached[value] = true
	}
	for _, value := range []string{"", "a", "b", "ab"} {
		if !reached[value] {
			return value, true
		}
	}
	return "ad", true
}

// multiply shortens a product by the equations of lesson 6.
func multiply(word string) string {
	letters := []byte(word)
	slices.Sort(letters)
	word = string(letters)
	for {
		before := word
		for _, equation := range [][2]string{
			{"dd", "cc"}, {"ccc", "acc"}, {"cd", "ad"}, {"bbb", "b"}, {"aa", ""}, {"bbc", "c"}, {"bbd", "d"},
		} {
			if left, right, found := strings.Cut(word, equation[0]); found {
				letters := []byte(left + equation[1] + right)
				slices.Sort(letters)
				word = string(letters)
			}
		}
		if word == before {
			return word
		}
	}
}

// winsAgainst plays games with swapped seats on one to five boards, and returns how many the beginner wins.
func (b beginner) winsAgainst(level strategy.Level, games int, seed uint64) int {
	won := 0
	for game := range games {
		rng := rand.New(rand.NewPCG(seed, uint64(game)))
		v, _ := rules.Notakto(1 + game/2%5)
		you, last, p := rules.Sides()[game%2], rules.Move{}, v.Start()
		for !p.Outcome().IsOver() {
			if p.Turn() == you {
				last = b.choose(p, last, rng)
			} else {
				last = level.ChooseAfter(last, p, rng)
			}
			p = play(p, last)
		}
		if p.Outcome().Winner == you {
			won++
		}
	}
	return won
}

// The lessons must teach enough to beat the second rung of the ladder, the first four already.
func TestBeginnerBeatsLearner(t *testing.T) {
	const games = 200
	for _, b := range []beginner{{4}, {6}} {
		won := b.winsAgainst(strategy.Learner, games, 1)
		if t.Logf("after %d lessons: %d of %d games", b.lessons, won, games); won <= games/2 {
			t.Errorf("after %d lessons the beginner wins only %d of %d games", b.lessons, won, games)
		}
	}
}

func BenchmarkBeginner(b *testing.B) {
	const games = 2000
	for _, level := range strategy.Ladder() {
		for lessons := 2; lessons <= 6; lessons += 2 {
			b.Run(fmt.Sprintf("%s-after-%d-lessons", level, lessons), func(b *testing.B) {
				won, played := 0, 0
				for seed := range uint64(b.N) {
					won, played = won+beginner{lessons}.winsAgainst(level, games, seed+1), played+games
				}
				b.ReportMetric(100*float64(won)/float64(played), "%won")
			})
		}
	}
}
