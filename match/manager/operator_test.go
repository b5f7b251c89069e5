package manager

import (
	"errors"
	"slices"
	"testing"
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
