package client_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/manager"
	"notakto/rules"
	"notakto/sshapp/client"
	"notakto/sshapp/start"
)

func challenge(t *testing.T, m *manager.Manager, maker, opponent match.Player, days int) match.ID {
	t.Helper()
	terms := match.DefaultTerms()
	if days > 0 {
		terms.Clock, _ = match.Correspondence(days)
	}
	id, err := m.Challenge(t.Context(), maker, manager.Challenge{Terms: terms, Opponent: opponent})
	testkit.OK(t, err)
	synctest.Wait()
	return id
}

// hears expects the texts that a look gives, after the session was woken for them.
func hears(t *testing.T, c *client.Challenges, s *client.Session, p match.Player, want ...string) {
	t.Helper()
	synctest.Wait()
	select {
	case <-s.Changed():
	default:
		t.Errorf("%s is not woken", p.Name)
	}
	news := c.Look(s, p.ID)
	if len(news) != len(want) {
		t.Fatalf("%s hears %+v, want %q", p.Name, news, want)
	}
	for i, n := range news {
		testkit.Equal(t, n.Text(), want[i], p.Name)
	}
	if again := c.Look(s, p.ID); len(again) > 0 {
		t.Errorf("%s hears it again: %+v", p.Name, again)
	}
}

func TestEachEndOfAChallengeIsNewsOnce(t *testing.T) {
	inBubble(t, func(t *testing.T, m *manager.Manager) {
		s, other := client.New(m), client.New(m)
		defer s.Close()
		defer other.Close()
		var mine, theirs client.Challenges
		mine.Look(s, ann().ID)
		theirs.Look(other, bob().ID)
		const made = "ann challenges you: 3 boards, no clock."
		for want, end := range map[string]func(match.ID) error{
			"bob accepts your challenge.": func(id match.ID) error {
				return m.Accept(t.Context(), bob(), id, match.PeoplePool)
			},
			"bob declines your challenge.": func(id match.ID) error { return m.Decline(t.Context(), bob().ID, id) },
			"Your challenge to bob has expired.": func(match.ID) error {
				<-time.After(match.ChallengeLife)
				return nil
			},
		} {
			id := challenge(t, m, ann(), bob(), 0)
			hears(t, &mine, s, ann())
			hears(t, &theirs, other, bob(), made)
			testkit.OK(t, end(id))
			hears(t, &mine, s, ann(), want)
			hears(t, &theirs, other, bob())
		}
		id := challenge(t, m, ann(), bob(), 0)
		mine.Look(s, ann().ID)
		testkit.OK(t, m.Decline(t.Context(), ann().ID, id))
		hears(t, &mine, s, ann())
	})
}

func TestAnotherPlayerOfTheSessionHearsOwnNews(t *testing.T) {
	inBubble(t, func(t *testing.T, m *manager.Manager) {
		s := client.New(m)
		defer s.Close()
		var c client.Challenges
		challenge(t, m, ann(), bob(), 0)
		if news := c.Look(s, ann().ID); len(news) != 0 {
			t.Errorf("ann hears %+v", news)
		}
		if news := c.Look(s, bob().ID); len(news) != 1 || news[0].Kind != client.OfferToYou {
			t.Errorf("bob hears %+v", news)
		}
		select {
		case <-s.Changed():
		default:
		}
		challenge(t, m, ann(), match.Player{}, 3) // is news for neither
		select {
		case <-s.Changed():
			t.Error("the session still follows its first player")
		default:
		}
	})
}

func TestOffersAreSortedByKind(t *testing.T) {
	inBubble(t, func(t *testing.T, m *manager.Manager) {
		s := client.New(m)
		defer s.Close()
		carl := match.Player{ID: "SHA256:carl", Name: "carl"}
		challenge(t, m, bob(), match.Player{}, 3)
		challenge(t, m, ann(), bob(), 0)
		challenge(t, m, bob(), ann(), 0)
		if _, err := s.Seek(t.Context(), carl, match.DefaultTerms()); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		all := s.Offers(t.Context(), nil, ann().ID)
		want := [...]string{
			"To you: bob, 3 boards, no clock, just now", "To anyone: bob, 3 boards, 3 days a move, just now",
			"In the queue: carl, 3 boards, no clock, just now", "Yours, to bob, 3 boards, no clock, just now",
		}
		if len(all) != len(want) {
			t.Fatalf("%+v", all)
		}
		for i, o := range all {
			if int(o.Kind) != i || o.Line(m.Now()) != want[i] {
				t.Errorf("offer %d is %q, want %q", i, o.Line(m.Now()), want[i])
			}
		}
	})
}

func TestAChallengeCountsDaysUnlessAskedOtherwise(t *testing.T) {
	three, _ := match.Correspondence(3)
	rated := match.RatedTerms(match.PeoplePool)
	slow := rated
	slow.Clock = three
	one, _ := rules.Notakto(1)
	for _, test := range []struct {
		from  start.Start
		rated bool
		want  match.Terms
		err   error
	}{
		{start.Start{}, false, match.Terms{Variant: rules.DefaultVariant(), Clock: three}, nil},
		{start.Start{Untimed: true}, false, match.DefaultTerms(), nil},
		{start.Start{}, true, slow, nil},
		{start.Start{Terms: match.Terms{Clock: rated.Clock}}, true, rated, nil},
		{start.Start{Terms: match.Terms{Variant: one}}, true, match.Terms{}, client.ErrRatedTerms},
		{start.Start{Untimed: true}, true, match.Terms{}, client.ErrRatedTerms},
	} {
		if got, err := client.ChallengeTerms(test.from, test.rated); got != test.want || !errors.Is(err, test.err) {
			t.Errorf("%+v, rated %v: %+v, %v", test.from, test.rated, got, err)
		}
	}
}

func TestAnEndedSessionFollowsNoChallenge(t *testing.T) {
	inBubble(t, func(t *testing.T, m *manager.Manager) {
		s := client.New(m)
		var c client.Challenges
		c.Look(s, bob().ID)
		s.Close()
		challenge(t, m, ann(), bob(), 0)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		select {
		case <-s.Changed():
			t.Error("the session is woken")
		case <-ctx.Done():
		}
	})
}
