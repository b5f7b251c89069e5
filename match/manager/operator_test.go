package manager

import (
	"slices"
	"testing"
	"time"

	"notakto/match"
	"notakto/rules"
)

// The operator ends a match that would go on for ever. Players and spectators are told, and the rules of absence and
// of time no longer apply.
func TestTheOperatorEndsAMatch(t *testing.T) {
	for winner := range rules.Second + 1 {
		inBubble(t, Config{}, func(b *harness) {
			one, other := b.pair(rules.DefaultVariant())
			spectator := b.onlooker(one.ID())
			b.play(one, "A5")
			operator := b.Operator()
			s, err := operator.End(b.Context(), one.ID(), winner)
			if want := (rules.Outcome{Winner: winner, Reason: rules.ReasonOperator}); err != nil || s.Outcome != want {
				t.Fatalf("%+v, %v", s, err)
			}
			for _, reader := range []interface{ Snapshots() <-chan *match.Snapshot }{one, other, spectator} {
				if seen := b.sees(reader); seen.Outcome != s.Outcome || seen.Outcome.IsVoid() != (winner == rules.NoSide) {
					t.Errorf("one sees %+v", seen.Outcome)
				}
			}
			b.fails(other.Play(b.Context(), move(t, "A1")), match.ErrMatchOver)
			b.fails(errOf(operator.End(b.Context(), one.ID(), rules.NoSide)), match.ErrMatchOver)
			if all := operator.Matches(); len(all) != 0 || len(b.PlayerMatches(ann().ID)) != 0 {
				t.Errorf("%d matches go on", len(all))
			}
			if n := b.Stats.Ended.Get(EndedLabels{rules.DefaultVariant().String(), ByPerson, "operator"}); n != 1 {
				t.Errorf("counted %d times", n)
			}
			pass(time.Hour)
			b.fails(errOf(operator.End(b.Context(), one.ID(), rules.NoSide)), match.ErrMatchOver)
			if states, err := operator.History(b.Context(), one.ID()); err != nil ||
				states[len(states)-1].Outcome != s.Outcome {
				t.Errorf("its log: %v", err)
			}
		})
	}
}

func TestTheOperatorSeesAllMatches(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		operator := b.Operator()
		older := b.open(ann(), bob(), rules.DefaultVariant())
		b.sit(older, bob())
		pass(time.Second)
		private, _ := b.private(cleo())
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
		b.fails(errOf(operator.End(b.Context(), private, rules.First)), match.ErrNotStarted)
		if s, err := operator.End(b.Context(), private, rules.NoSide); err != nil || !s.Closed {
			t.Errorf("a table without a second player: %+v, %v", s, err)
		}
		b.fails(errOf(operator.End(b.Context(), "nosuchmatch", rules.NoSide)), match.ErrNoSuchMatch)
	})
}

// A match and a challenge show the recorded name and account of a deleted player until they end.
func TestADeletedAccountHasNoMatchesInProgress(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		one, two := b.daysPair(2)
		live, _ := b.pair(boards(t, 3))
		made, named := b.challenge(ann(), cleo(), "3d"), b.challenge(cleo(), ann(), "3d")
		other := b.challenge(cleo(), bob(), "3d")
		for range 2 { // the second time there is nothing to do
			b.must(b.ResignAll(b.Context(), ann().ID))
		}
		for _, id := range []match.ID{one, two, live.ID()} {
			s, err := b.tables.index.match(id)
			b.must(err)
			if want := (rules.Outcome{Winner: s.Side(bob().ID), Reason: rules.ReasonResign}); s.Outcome != want {
				t.Errorf("match %s: %+v", id, s.Outcome)
			}
		}
		if s := b.logged(two); !s.IsPairOver() || s.PairPoints(s.Side(bob().ID)) != 2 {
			t.Errorf("the pair ended %+v", s.Outcome)
		}
		if end, _ := b.ChallengeEnd(cleo().ID, named); end != ChallengeDeclined {
			t.Errorf("the challenge to ann ended %v", end)
		}
		if end, _ := b.ChallengeEnd(cleo().ID, made); end != ChallengeGone {
			t.Errorf("ann's challenge ended %v", end)
		}
		b.checkListed(ann())
		b.checkListed(cleo(), other)
	})
}
