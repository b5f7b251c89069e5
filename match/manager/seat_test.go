package manager

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"notakto/match"
	"notakto/rules"
)

// A match whose players would stay for ever is ended by the operator: both and the spectators are told, and the rules
// of absence and of time hold for it no longer.
func TestTheOperatorEndsAMatch(t *testing.T) {
	for winner := range rules.Second + 1 {
		inBubble(t, Config{}, func(b *harness) {
			one, other := b.pair(rules.DefaultVariant())
			spectator := b.onlooker(one.ID())
			b.play(one, "A5")
			operator := NewOperator(b.Manager)
			s, err := operator.End(b.Context(), one.ID(), winner)
			if want := (rules.Outcome{Winner: winner, Reason: rules.Operator}); err != nil || s.Outcome != want {
				t.Fatalf("%+v, %v", s, err)
			}
			for _, reader := range []interface{ Snapshots() <-chan *match.Snapshot }{one, other, spectator} {
				if seen := b.sees(reader); seen.Outcome != s.Outcome || seen.Outcome.IsVoid() != (winner == rules.Nobody) {
					t.Errorf("one sees %+v", seen.Outcome)
				}
			}
			if err := other.Play(b.Context(), move(t, "A1")); !errors.Is(err, match.ErrMatchOver) {
				t.Errorf("a move after it: %v", err)
			}
			if _, err := operator.End(b.Context(), one.ID(), rules.Nobody); !errors.Is(err, match.ErrMatchOver) {
				t.Errorf("again: %v", err)
			}
			if all := operator.Matches(); len(all) != 0 || len(b.MatchesOf(ann().ID)) != 0 {
				t.Errorf("%d matches go on", len(all))
			}
			if n := b.Stats.Ended.Get(EndedMatches{rules.DefaultVariant().String(), ByPerson, "operator"}); n != 1 {
				t.Errorf("counted %d times", n)
			}
			pass(time.Hour)
			if _, err := operator.End(b.Context(), one.ID(), rules.Nobody); !errors.Is(err, match.ErrMatchOver) {
				t.Errorf("when it is archived: %v", err)
			}
			if states, err := operator.History(b.Context(), one.ID()); err != nil ||
				states[len(states)-1].Outcome != s.Outcome {
				t.Errorf("its log: %v", err)
			}
		})
	}
}

func TestTheOperatorSeesAllMatches(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		operator := NewOperator(b.Manager)
		older := b.open(ann(), bob(), rules.DefaultVariant())
		b.sit(older, bob())
		pass(time.Second)
		private, _, err := b.OpenPrivate(b.Context(), cleo(), match.DefaultTerms())
		b.must(err)
		pass(time.Second)
		b.play(b.sit(older, ann()), "A5")
		b.onlooker(older)
		pass(time.Second)
		var ids []match.ID
		for _, s := range operator.Matches() {
			ids = append(ids, s.ID)
			if s.Code != "" || s.TableCode != "" || (s.Spectators == 1) != (s.ID == older) {
				t.Errorf("%+v", s)
			}
		}
		if !slices.Equal(ids, []match.ID{private, older}) {
			t.Errorf("%v, want the private table first", ids)
		}
		if _, err := operator.End(b.Context(), private, rules.First); !errors.Is(err, match.ErrNotStarted) {
			t.Errorf("a winner where there is one player: %v", err)
		}
		if s, err := operator.End(b.Context(), private, rules.Nobody); err != nil || !s.Closed {
			t.Errorf("a table without a second player: %+v, %v", s, err)
		}
		if _, err := operator.End(b.Context(), "nosuchmatch", rules.Nobody); !errors.Is(err, match.ErrNoSuchMatch) {
			t.Errorf("no match: %v", err)
		}
	})
}

func TestSpectatorsAreCounted(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		one, _ := b.pair(rules.DefaultVariant())
		first, second := b.onlooker(one.ID()), b.onlooker(one.ID())
		pass(transientEvery)
		if n := b.sees(one).Spectators; n != 2 {
			b.Errorf("%d look on", n)
		}
		first.Close()
		first.Close()
		b.seesEnd(first)
		pass(transientEvery)
		if n := b.sees(second).Spectators; n != 1 || b.sees(one).Spectators != 1 {
			b.Errorf("%d look on", n)
		}
		b.play(one, "A5")
		if s := b.sees(second); len(s.Moves) != 1 || second.ID() != one.ID() {
			b.Errorf("who looks on sees %+v", s)
		}
	})
}

// A spectator who repeatedly joined and left had the table redrawn for everyone each time.
func TestComingsAndGoingsOfSpectatorsAreShownTogether(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		one, _ := b.pair(rules.DefaultVariant())
		shown, stop := 0, make(chan struct{})
		go func() {
			for {
				select {
				case <-one.Snapshots():
					shown++
				case <-stop:
					return
				}
			}
		}()
		synctest.Wait()
		before := shown
		for range 100 {
			b.onlooker(one.ID()).Close()
			pass(10 * time.Millisecond)
		}
		pass(transientEvery)
		close(stop)
		synctest.Wait()
		if n, most := shown-before, int(time.Second/transientEvery)+2; n < 2 || n > most {
			b.Errorf("shown %d times in a second, at most %d", n, most)
		}
	})
}

func TestListIsBusiestFirst(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		b.private(ann())
		quiet := b.open(person(1), person(2), rules.TicTacToe())
		moved := b.open(person(3), person(4), rules.DefaultVariant())
		b.play(b.sit(moved, person(3)), "A5")
		watched := b.open(person(5), person(6), rules.DefaultVariant())
		b.onlooker(watched)
		over := b.open(person(7), person(8), rules.DefaultVariant())
		b.must(b.sit(over, person(7)).Resign(b.Context()))
		synctest.Wait()
		list := b.List()
		if len(list) != 3 || list[0].ID != watched || list[1].ID != moved || list[2].ID != quiet {
			b.Fatalf("the list is %+v", list)
		}
		if list[0].Spectators != 1 || list[1].Plies != 1 || list[2].Variant != rules.TicTacToe() {
			b.Errorf("the list is %+v", list)
		}
		if list[1].Players != [2]match.Player{person(3), person(4)} {
			b.Errorf("the players are %+v", list[1].Players)
		}
	})
}

// A slow reader delays no other, and later receives the newest snapshot.
func TestSlowReader(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		id, err := b.Play(b.Context(), ann(), match.Terms{Variant: boards(b.T, 9)}, 1, rules.First)
		b.must(err)
		one, slow := b.sit(id, ann()), b.onlooker(id)
		var last match.Snapshot
		for last = b.sees(one); !last.Over(); last = b.sees(one) {
			b.must(one.Play(b.Context(), last.Position.Legal()[0]))
		}
		if s := b.sees(slow); s.Seq != last.Seq || len(s.Moves) < 20 {
			b.Errorf("the slow reader sees event %d of %d", s.Seq, last.Seq)
		}
		b.seesNothing(slow)
	})
}
