package client_test

import (
	"testing"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/journaltest"
	"notakto/match/manager"
	"notakto/sshapp/client"
)

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
