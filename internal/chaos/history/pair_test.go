package history

import (
	"slices"
	"testing"
	"time"

	"notakto/match"
	"notakto/rules"
	"notakto/rules/opening"
	"notakto/sshapp/bot/botproto"
	"notakto/sshapp/wire"
)

const pairSeed = "Q7WERTY"

// game sends both players the match event of game 1 or 2 of a rated pair.
func (s *script) game(id match.ID, number int, change func(*botproto.Match)) {
	for i, who := range []string{"ann", "bob"} {
		line := botproto.Match{
			Match: id, Variant: "notakto/4", Players: s.players, Moves: []string{}, Turn: rules.First, Rated: true,
			Seat: rules.Sides()[(i+number-1)%2], Position: opening.Draw(pairSeed)[number-1].String(),
			Pair: &botproto.Pair{ID: "one", Game: number}, Opening: &wire.Opening{Hash: opening.Commitment(pairSeed)},
		}
		if change != nil {
			change(&line)
		}
		s.tells(who, line)
	}
}

// loses makes the first player resign a game. result is the pair's result, nil if the pair goes on.
func (s *script) loses(id match.ID, who string, result *int) {
	s.says(who, botproto.Request{Do: botproto.DoResign, Match: id})
	for _, to := range []string{"ann", "bob"} {
		s.tells(to, botproto.End{Match: id, Winner: rules.Second, Reason: "resign", PairResult: result})
	}
}

func TestEveryFaultOfAPairIsFound(t *testing.T) {
	come := func(s *script) {
		for _, who := range []string{"ann", "bob"} {
			s.opens(who)
			s.says(who, botproto.Request{Do: botproto.DoSeek, Rated: true})
		}
	}
	begin := func(s *script) { come(s); s.game("one", 1, nil) }
	second := func(s *script, id match.ID, change func(*botproto.Match)) {
		s.swap()
		s.game(id, 2, change)
		s.loses(id, "bob", new(1))
		s.swap()
	}
	tellSeed := func(s *script, seed string) {
		s.swap()
		s.says("ann", botproto.Request{Do: botproto.DoState, Match: "two"})
		s.tells("ann", botproto.Match{
			Match: "two", Variant: "notakto/4", Players: s.players, Seat: rules.Second, Moves: []string{}, Over: true,
			Rated:    true,
			Position: opening.Draw(pairSeed)[1].String(), Pair: &botproto.Pair{ID: "one", Game: 2},
			Opening: &wire.Opening{Hash: opening.Commitment(pairSeed), Seed: seed},
		})
	}
	for _, test := range []struct {
		name  string
		play  func(*script)
		wants []Kind
	}{
		{"nothing is wrong", func(s *script) {
			begin(s)
			s.loses("one", "ann", nil)
			second(s, "two", nil)
			tellSeed(s, pairSeed)
		}, nil},
		{"no second game", func(s *script) { begin(s); s.loses("one", "ann", nil) }, []Kind{Unpaired}},
		{"two second games", func(s *script) {
			begin(s)
			s.loses("one", "ann", nil)
			second(s, "two", nil)
			second(s, "three", nil)
		}, []Kind{Unpaired}},
		{"the seats are not swapped", func(s *script) {
			begin(s)
			s.loses("one", "ann", nil)
			s.game("two", 2, func(line *botproto.Match) { line.Seat = line.Seat.Other() })
			s.loses("two", "ann", new(1))
		}, []Kind{Unpaired}},
		{"another seed", func(s *script) {
			begin(s)
			s.loses("one", "ann", nil)
			second(s, "two", nil)
			tellSeed(s, "another")
		}, []Kind{Unpaired}},
		{"the result is wrong", func(s *script) {
			begin(s)
			s.loses("one", "ann", nil)
			s.swap()
			s.game("two", 2, nil)
			s.loses("two", "bob", new(2))
		}, []Kind{Unpaired}},
		{"the seed is told too early", func(s *script) {
			come(s)
			s.game("one", 1, func(line *botproto.Match) { line.Opening.Seed = pairSeed })
			s.loses("one", "ann", nil)
			second(s, "two", nil)
		}, []Kind{Unpaired, Unpaired, Unpaired}},
		{"a second game after a first one that is void", func(s *script) {
			begin(s)
			s.pass(time.Minute)
			for _, who := range []string{"ann", "bob"} {
				s.tells(who, botproto.End{Match: "one", Reason: "abandoned"})
			}
			second(s, "two", nil)
		}, []Kind{Unpaired}},
		{"a first game without a move", func(s *script) {
			begin(s)
			s.pass(time.Minute)
			for _, who := range []string{"ann", "bob"} {
				s.tells(who, botproto.End{Match: "one", Reason: "abandoned"})
			}
		}, nil},
		{"a first game lost without a move", func(s *script) {
			begin(s)
			s.pass(31 * time.Second)
			for _, who := range []string{"ann", "bob"} {
				s.tells(who, botproto.End{Match: "one", Winner: rules.Second, Reason: "abandoned", PairResult: new(0)})
			}
		}, nil},
		{"a first game lost by the player who need not move", func(s *script) {
			begin(s)
			s.pass(31 * time.Second)
			for _, who := range []string{"ann", "bob"} {
				s.tells(who, botproto.End{Match: "one", Winner: rules.First, Reason: "abandoned", PairResult: new(2)})
			}
		}, []Kind{Deserted}},
		{"a first move that was missing while nothing could be recorded", func(s *script) {
			begin(s)
			s.out(40 * time.Second)
			s.pass(time.Second)
			for _, who := range []string{"ann", "bob"} {
				s.tells(who, botproto.End{Match: "one", Reason: "abandoned"})
			}
		}, []Kind{Deserted}},
		{"a second pair after one seek", func(s *script) {
			begin(s)
			s.loses("one", "ann", nil)
			second(s, "two", nil)
			s.says("ann", botproto.Request{Do: botproto.DoSeek, Rated: true})
			s.game("four", 1, nil)
			s.pass(time.Minute)
			for _, who := range []string{"ann", "bob"} {
				s.tells(who, botproto.End{Match: "four", Reason: "abandoned"})
			}
		}, []Kind{Doubled}},
		{"lost by time at once", func(s *script) {
			begin(s)
			s.loses("one", "ann", nil)
			s.swap()
			s.game("two", 2, nil)
			for _, who := range []string{"ann", "bob"} {
				s.tells(who, botproto.End{Match: "two", Winner: rules.Second, Reason: "time", PairResult: new(1)})
			}
		}, []Kind{WrongEnd}},
	} {
		s := newScript()
		s.listed = []match.ID{"one", "two", "three"}
		test.play(s)
		verdict, err := Check(s.record(), Terms{Grace: time.Minute, Nodes: 1})
		if err != nil {
			t.Fatal(err)
		}
		if got := kinds(verdict.Faults); !slices.Equal(got, test.wants) {
			t.Errorf("%s: the faults are %v, want %v", test.name, verdict.Faults, test.wants)
		}
	}
}
