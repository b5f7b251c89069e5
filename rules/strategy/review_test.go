package strategy

import (
	"math/rand/v2"
	"slices"
	"testing"

	"notakto/rules"
)

// The reviews of any game agree with the evaluation of each position.
func TestReview(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	for _, v := range []rules.Variant{rules.TicTacToe(), rules.DefaultVariant()} {
		for range 50 {
			moves, position := []rules.Move(nil), v.Start()
			for !position.Outcome().Over() {
				m := Levels()[rng.IntN(len(Levels()))].Choose(position, rng)
				next, err := position.Play(m)
				if err != nil {
					t.Fatal(err)
				}
				moves, position = append(moves, m), next
			}
			reviewed(t, v, moves)
		}
	}
}

func reviewed(t *testing.T, v rules.Variant, moves []rules.Move) {
	t.Helper()
	reviews := Review(v.Start(), moves)
	if len(reviews) != len(moves) {
		t.Fatalf("%d remarks on %d moves", len(reviews), len(moves))
	}
	last, position := 0, v.Start()
	for i, r := range reviews {
		legal := position.Legal()
		if r.Ply != i+1 || r.Move != moves[i] || r.Side != position.Turn() || r.Choices != len(legal) ||
			r.Before != Evaluate(position) {
			t.Fatalf("move %d in %v: %+v", i+1, position, r)
		}
		for _, m := range legal {
			keeps := Evaluate(after(position, m)).forOpponent() == r.Before && r.Before != Loss
			if slices.Contains(r.Best, m) != keeps {
				t.Errorf("move %d in %v: the best are %v, and %v keeps: %v", i+1, position, r.Best, m, keeps)
			}
		}
		if r.Mistake() {
			last = r.Ply
		}
		if position = after(position, r.Move); r.Position != position || r.After != Evaluate(position).forOpponent() {
			t.Errorf("after move %d in %v: %+v", i+1, position, r)
		}
	}
	outcome := position.Outcome()
	if !outcome.Over() {
		return
	}
	if at, found := TurningPoint(reviews, outcome); found != (last > 0) || at.Ply != last {
		t.Errorf("the turning point is %d, want %d", at.Ply, last)
	}
	if IsFlawless(reviews, outcome) != (last == 0) {
		t.Errorf("it is said to be flawless, and the last slip is %d", last)
	}
	stolen := rules.Outcome{Winner: outcome.Winner.Other(), Reason: rules.Time}
	if at, found := TurningPoint(reviews, stolen); found && outcome.Winner != rules.Nobody {
		t.Errorf("move %d is said to have decided what the clock did", at.Ply)
	}
}

// The review of a game resigned after one move claimed that perfect play agrees with every move.
func TestUnfinishedGameIsNotFlawless(t *testing.T) {
	reviews := Review(rules.DefaultVariant().Start(), []rules.Move{{Cell: 5}})
	for _, reason := range []rules.Reason{rules.Resign, rules.Time, rules.Abandoned} {
		if IsFlawless(reviews, rules.Outcome{Winner: rules.First, Reason: reason}) {
			t.Errorf("after %v", reason)
		}
	}
}

// A list that breaks the rules is looked at up to there.
func TestReviewOfNonsense(t *testing.T) {
	five := rules.Move{Cell: 5}
	if reviews := Review(rules.DefaultVariant().Start(), []rules.Move{five, five, {Cell: 1}}); len(reviews) != 1 {
		t.Errorf("%+v", reviews)
	}
}

func TestResignedWon(t *testing.T) {
	for _, test := range []struct {
		game   string
		winner rules.Side
		reason rules.Reason
		want   bool
	}{
		{"notakto/1: 5", rules.Second, rules.Resign, true},
		{"notakto/1: 5", rules.First, rules.Resign, false},
		{"notakto/1: 5 4 1", rules.First, rules.Resign, true},
		{"notakto/1: 5 4 1", rules.Second, rules.Resign, false},
		{"notakto/1: 5", rules.Second, rules.Time, false},
		{"notakto/1:", rules.Second, rules.Resign, false},
		{"tictactoe: 5", rules.First, rules.Resign, false},
	} {
		game, err := rules.ParseGame(test.game)
		if err != nil {
			t.Fatal(err)
		}
		outcome := rules.Outcome{Winner: test.winner, Reason: test.reason}
		if got := ResignedWon(Review(game.Variant.Start(), game.Moves), outcome); got != test.want {
			t.Errorf("%s, %v: %v, want %v", test.game, outcome, got, test.want)
		}
	}
}

// Who leads after a move is who wins when both play perfectly from there on; after the last one, who has won.
func TestLeader(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		p := rules.DefaultVariant().Start()
		var moves []rules.Move
		for p.Outcome().Winner == rules.Nobody {
			legal := p.Legal()
			m := legal[rng.IntN(len(legal))]
			moves = append(moves, m)
			var err error
			if p, err = p.Play(m); err != nil {
				t.Fatal(err)
			}
		}
		reviews := Review(rules.DefaultVariant().Start(), moves)
		for i, r := range reviews[1:] {
			want := r.Side
			if r.Before == Loss {
				want = r.Side.Other()
			}
			if got := reviews[i].Leader(); got != want {
				t.Fatalf("%v: after move %d %v leads, want %v", moves, i+1, got, want)
			}
		}
		if last := reviews[len(reviews)-1].Leader(); last != p.Outcome().Winner {
			t.Fatalf("%v: %v leads at the end", moves, last)
		}
	}
}
