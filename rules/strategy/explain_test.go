package strategy

import (
	"math/rand/v2"
	"testing"

	"notakto/rules"
)

// What is said of a position is true: by the rules alone, not by the theory that found it.
func TestReasonsAreTrue(t *testing.T) {
	rng, seen := rand.New(rand.NewPCG(7, 1)), map[Reason]int{}
	for range 300 {
		v, err := rules.Notakto(1 + rng.IntN(3))
		if err != nil {
			t.Fatal(err)
		}
		for p := v.Start(); !p.Outcome().Over(); {
			if Evaluate(p) == Loss {
				why := WhyLost(p)
				seen[why.Reason]++
				checkReason(t, p, why)
			}
			legal := p.Legal()
			p = after(p, legal[rng.IntN(len(legal))])
		}
	}
	for _, reason := range []Reason{ByTheory, NoSafeCell, Paired} {
		if seen[reason] == 0 {
			t.Errorf("reason %d was never given", reason)
		}
	}
}

func checkReason(t *testing.T, p rules.Position, why Why) {
	t.Helper()
	for _, m := range p.Legal() {
		next := after(p, m)
		switch why.Reason {
		case NoSafeCell:
			if int(m.Board) != why.Board || next.Outcome().Winner != p.Turn().Other() {
				t.Fatalf("%v: %v does not lose at once", p, m)
			}
		case Paired:
			if int(m.Board) != why.Board || !next.Outcome().Over() && !losesToSomeAnswer(next) {
				t.Fatalf("%v: no answer to %v leaves no safe cell", p, m)
			}
		case ByTheory, IsOver:
		}
	}
}

// losesToSomeAnswer reports whether the side to move has an answer after which every move ends the game.
func losesToSomeAnswer(p rules.Position) bool {
	for _, m := range p.Legal() {
		next, all := after(p, m), true
		if next.Outcome().Over() {
			continue
		}
		for _, last := range next.Legal() {
			all = all && after(next, last).Outcome().Winner == next.Turn().Other()
		}
		if all {
			return true
		}
	}
	return false
}

// After a slip the opponent has the move that is named, and it wins.
func TestRefutationsWin(t *testing.T) {
	rng, refuted := rand.New(rand.NewPCG(5, 2)), 0
	for range 100 {
		var moves []rules.Move
		for p := rules.DefaultVariant().Start(); !p.Outcome().Over(); {
			m := Random.Choose(p, rng)
			moves, p = append(moves, m), after(p, m)
		}
		for _, r := range Review(rules.DefaultVariant(), moves) {
			m, ok := r.Refutation()
			if want := r.After == Loss && !r.Position.Outcome().Over(); ok != want {
				t.Fatalf("%v after %v: a refutation %v, want %v", r.Previous, r.Move, ok, want)
			}
			if ok {
				refuted++
				if Evaluate(after(r.Position, m)) != Loss {
					t.Fatalf("%v: %v does not win", r.Position, m)
				}
			}
		}
	}
	if refuted == 0 {
		t.Error("no slip was refuted")
	}
}
