package strategy

import (
	"math/rand/v2"
	"slices"
	"testing"

	"notakto/rules"
)

func TestReview(t *testing.T) {
	rng, refuted := rand.New(rand.NewPCG(3, 5)), 0
	for _, v := range []rules.Variant{rules.TicTacToe(), rules.DefaultVariant()} {
		for range 100 {
			moves, position := []rules.Move(nil), v.Start()
			for !position.Outcome().IsOver() {
				m := Levels()[rng.IntN(len(Levels()))].Choose(position, rng)
				moves, position = append(moves, m), after(position, m)
			}
			refuted += reviewed(t, v, moves)
		}
	}
	if refuted == 0 {
		t.Error("no slip was refuted")
	}
	five := rules.Move{Cell: 5} // a move that breaks the rules ends the review
	if all := Review(rules.DefaultVariant().Start(), []rules.Move{five, five, {Cell: 1}}); len(all) != 1 {
		t.Errorf("%+v", all)
	}
}

// reviewed checks the review of a game to its end. It returns the number of slips with a refutation.
func reviewed(t *testing.T, v rules.Variant, moves []rules.Move) (refuted int) {
	t.Helper()
	reviews := Review(v.Start(), moves)
	if len(reviews) != len(moves) {
		t.Fatalf("%d remarks on %d moves", len(reviews), len(moves))
	}
	last, position := 0, v.Start()
	for i, r := range reviews {
		legal := position.LegalMoves()
		if r.Ply != i+1 || r.Move != moves[i] || r.Side != position.Turn() || r.Choices != len(legal) ||
			r.VerdictBefore != Evaluate(position) {
			t.Fatalf("move %d in %v: %+v", i+1, position, r)
		}
		for _, m := range legal {
			keeps := Evaluate(after(position, m)).forOpponent() == r.VerdictBefore && r.VerdictBefore != Loss
			if slices.Contains(r.Best, m) != keeps {
				t.Errorf("move %d in %v: the best are %v, and %v keeps: %v", i+1, position, r.Best, m, keeps)
			}
		}
		if r.IsMistake() {
			last = r.Ply
		}
		position = after(position, r.Move)
		leader := map[Verdict]rules.Side{Win: r.Side, Loss: r.Side.Other()}[r.VerdictAfter]
		if r.PositionAfter != position || r.VerdictAfter != Evaluate(position).forOpponent() || r.Leader() != leader {
			t.Errorf("after move %d in %v: %+v, and %v leads", i+1, position, r, r.Leader())
		}
		m, ok := r.Refutation()
		isRefuted := r.VerdictAfter == Loss && !position.Outcome().IsOver()
		if ok != isRefuted || ok && Evaluate(after(position, m)) != Loss {
			t.Errorf("%v after %v: the refutation %v, %v", r.PositionBefore, r.Move, m, ok)
		}
		if ok {
			refuted++
		}
	}
	outcome := position.Outcome()
	if at, found := TurningPoint(reviews, outcome); found != (last > 0) || at.Ply != last {
		t.Errorf("the turning point is %d, want %d", at.Ply, last)
	}
	if IsFlawless(reviews, outcome) != (last == 0) {
		t.Errorf("it is said to be flawless, and the last slip is %d", last)
	}
	if IsFlawless(reviews[:1], rules.Outcome{Winner: rules.First, Reason: rules.ReasonResign}) {
		t.Error("one move is a flawless game")
	}
	stolen := rules.Outcome{Winner: outcome.Winner.Other(), Reason: rules.ReasonTime}
	if at, found := TurningPoint(reviews, stolen); found && outcome.Winner != rules.NoSide {
		t.Errorf("move %d is said to have decided what the clock did", at.Ply)
	}
	return refuted
}

func TestResignedWon(t *testing.T) {
	for _, test := range []struct {
		game   string
		winner rules.Side
		reason rules.Reason
		want   bool
	}{
		{"notakto/1: 5", rules.Second, rules.ReasonResign, true},
		{"notakto/1: 5", rules.First, rules.ReasonResign, false},
		{"notakto/1: 5 4 1", rules.First, rules.ReasonResign, true},
		{"notakto/1: 5 4 1", rules.Second, rules.ReasonResign, false},
		{"notakto/1: 5", rules.Second, rules.ReasonTime, false},
		{"notakto/1:", rules.Second, rules.ReasonResign, false},
		{"tictactoe: 5", rules.First, rules.ReasonResign, false},
	} {
		game, err := rules.ParseGame(test.game)
		outcome := rules.Outcome{Winner: test.winner, Reason: test.reason}
		if got := ResignedWon(Review(game.Variant.Start(), game.Moves), outcome); err != nil || got != test.want {
			t.Errorf("%s, %v: %v, want %v (%v)", test.game, outcome, got, test.want, err)
		}
	}
}
