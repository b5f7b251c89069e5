package client_test

import (
	"testing"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/journaltest"
	"notakto/match/manager"
	"notakto/match/store"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/client"
)

func TestEarlierWinsCount(t *testing.T) {
	j := testkit.Store(t)
	for i, level := range []strategy.Level{strategy.Learner, strategy.Careful} {
		events := []match.Event{
			{Kind: match.Opened, Terms: match.DefaultTerms(), Origin: match.ComputerOrigin},
			{Kind: match.Seated, Seat: rules.First, Player: ann()},
			{Kind: match.Seated, Seat: rules.Second, Player: match.Computer(level)},
			{Kind: match.Resigned, Seat: rules.Sides()[1-i]}, // ann beats the learner and loses to the other
		}
		id := match.ID(level.String())
		for i := range events {
			events[i].Match, events[i].Seq = id, uint64(i+1)
		}
		if _, err := j.Append(t.Context(), events...); err != nil {
			t.Fatal(err)
		}
		testkit.OK(t, j.Archive(t.Context(), id))
	}
	record := j.History()
	for _, test := range []struct {
		from   *store.History
		player match.Player
		want   strategy.Level
	}{{record, ann(), strategy.Steady}, {record, bob(), strategy.Novice}, {nil, ann(), strategy.Novice}} {
		s := client.New(nil)
		testkit.OK(t, s.LoadBeatenLevels(t.Context(), test.from, test.player))
		testkit.Equal(t, s.NextRung(0), test.want, test.player.Name)
		if got := s.Beaten(); strategy.Ladder()[got] != test.want {
			t.Errorf("%s has beaten %d, and is offered %v", test.player.Name, got, test.want)
		}
	}
}

func TestAnOfferHasTheRatingOfItsMaker(t *testing.T) {
	j := testkit.Store(t)
	journaltest.PlayPair(t, j, match.PeoplePool, "pair", "won", "lost", true)
	m := manager.New(manager.Config{Seed: 7})
	defer m.Close()
	s := client.New(m)
	defer s.Close()
	winner := journaltest.SeasonPlayer("won")
	terms := match.DefaultTerms()
	terms.Clock, _ = match.Correspondence(3)
	for _, maker := range []match.Player{winner, bob(), winner} {
		if _, err := m.Challenge(t.Context(), maker, manager.Challenge{Terms: terms}); err != nil {
			t.Fatal(err)
		}
	}
	for _, o := range s.Offers(t.Context(), j.History(), ann().ID) {
		want := 1500
		if o.Maker == winner {
			want = 1662
		}
		testkit.Equal(t, o.Standing.Rating.WholePoints(), want, o.Maker.Name)
	}
	if all := s.Offers(t.Context(), nil, ann().ID); len(all) != 3 || all[0].Standing.Rating.Points != 0 {
		t.Errorf("without a history: %+v", all)
	}
}
