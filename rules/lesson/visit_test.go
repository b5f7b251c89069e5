package lesson_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"notakto/rules"
	"notakto/rules/lesson"
	"notakto/rules/strategy"
)

// A visitor who places X at random reads each sentence at its condition.
func TestVisitSentencesMatchThePosition(t *testing.T) {
	said := map[string]int{}
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(1, seed))
		v := lesson.NewVisit()
		if strategy.Evaluate(v.Position) != strategy.Win || v.Position.Turn() != v.You {
			t.Fatalf("the visit begins with %v", v.Position)
		}
		for match := 1; ; match++ {
			checkVisit(t, v, said)
			for !v.Position.Outcome().IsOver() {
				v = move(t, v, rng)
				checkVisit(t, v, said)
			}
			next, ok := v.Next(rng)
			if ok != (match == 1) {
				t.Fatalf("match %d: a next one: %v", match, ok)
			}
			if !ok {
				break
			}
			v = next
			if v.Position.Variant().Boards() != 2 || v.Position.Turn() != v.You ||
				strategy.Evaluate(v.Position) != strategy.Win {
				t.Fatalf("the second match begins with %v", v.Position)
			}
		}
	}
	for _, sentence := range []string{
		"You both place X. Put one anywhere: press 1 to 9.",
		"novice, the computer, answered. X is the only sign: there is no O.",
		"Three in a row kills a board. The red digits would do it.",
		"The player who kills the last board loses. Make novice do it.",
		"Three in a row: the board dies, and you lose. Try another cell.",
		"Every cell left kills the board, and you lose. Next time leave novice no safe cell.",
		"That is the whole game. Now with two boards?",
		"You killed the last board, so novice wins. Now with two boards?",
		"One board is dead. The match goes on, on the last board.",
		"You can kill a board. Only killing the last loses.",
		"Your turn: a capital letter for the board, then a digit.",
		"You killed the last board, so novice wins.",
		"novice killed the last board, so you win.",
	} {
		if said[sentence] == 0 {
			t.Errorf("no visit says %q", sentence)
		}
	}
}

// move plays a random move, and checks that only the first fatal one is taken back, if there is another cell.
func move(t *testing.T, v lesson.Visit, rng *rand.Rand) lesson.Visit {
	t.Helper()
	legal := v.Position.LegalMoves()
	m := legal[rng.IntN(len(legal))]
	next, err := v.Play(m, rng)
	if err != nil {
		t.Fatal(err)
	}
	isFatal := play(v.Position, m).Outcome().IsOver()
	if tookBack := next.Position == v.Position; tookBack {
		if !isFatal || !hasSafeCell(v.Position) {
			t.Fatalf("%v: %v was taken back", v.Position, m)
		}
		again, err := next.Play(m, rng)
		if err != nil || !again.Position.Outcome().IsOver() {
			t.Fatalf("%v: %v was taken back twice", v.Position, m)
		}
	} else if next.Position.Plies() > v.Position.Plies()+1 && play(play(v.Position, m), next.Last) != next.Position {
		t.Fatalf("%v after %v is %v, with %v last", v.Position, m, next.Position, next.Last)
	}
	return next
}

func checkVisit(t *testing.T, v lesson.Visit, said map[string]int) {
	t.Helper()
	p, outcome := v.Position, v.Position.Outcome()
	for _, text := range []string{v.Text, v.RedText} {
		if lines(text) > 3 {
			t.Errorf("%q does not fit", text)
		}
		move := v.Last.String()
		if p.Variant().Boards() == 1 {
			move = v.Last.Cell.String()
		}
		text = strings.TrimPrefix(text, "novice played "+move+". ")
		said[text]++
		kills, holds := len(p.LegalMoves()) > len(safeMoves(p)), true
		switch {
		case strings.HasPrefix(text, "novice answered"):
			holds = p.Plies() == 2
		case strings.HasPrefix(text, "Three in a row kills"):
			holds = kills
		case strings.HasPrefix(text, "The player who kills"), strings.HasPrefix(text, "Three in a row:"):
			holds = p.LiveBoards() == 1 && kills && hasSafeCell(p)
		case strings.HasPrefix(text, "Every cell left"):
			holds = p.LiveBoards() == 1 && !hasSafeCell(p)
		case strings.HasPrefix(text, "That is"), strings.HasPrefix(text, "novice killed"):
			holds = outcome.Winner == v.You
		case strings.HasPrefix(text, "You killed"):
			holds = outcome.Winner == v.You.Other()
		case strings.HasPrefix(text, "One board is dead"):
			holds = p.Variant().Boards() == 2 && p.LiveBoards() == 1
		case strings.HasPrefix(text, "You can kill"):
			holds = p.LiveBoards() == 2
		case strings.HasPrefix(text, "novice played"):
			holds = false // another move than the last
		}
		if !holds {
			t.Errorf("%v: %q is not true", p, text)
		}
	}
}

func TestVisitRefusesAnIllegalMove(t *testing.T) {
	v := lesson.NewVisit()
	next, err := v.Play(rules.Move{Board: 1, Cell: 5}, nil)
	if err == nil || next.Position != v.Position || next.Text != v.Text {
		t.Errorf("%+v, %v", next, err)
	}
	if _, ok := v.Next(nil); ok {
		t.Error("the second match begins before the end of the first")
	}
}
