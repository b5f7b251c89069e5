package player_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/history"
	"notakto/match/manager"
	"notakto/match/store"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/cli/player"
)

const day = 24 * time.Hour

// site is one or two servers on one database. With two, ann is at the first and bob at the second.
type site struct {
	t       *testing.T
	dir     string
	store   *store.Store
	servers []*player.Server
	stop    func()
}

func (s *site) start(servers int) {
	s.store, s.servers = testkit.OpenStore(s.t, s.dir), nil
	var stops []func()
	for range servers {
		accounts, stop := testkit.OpenAccounts(s.t, s.store.Accounts())
		seed := s.store.Now().Unix() + int64(len(s.servers))
		m := manager.New(manager.Config{Seed: uint64(seed), Journal: s.store})
		stops = append(stops, m.Close, stop)
		s.servers = append(s.servers, &player.Server{Manager: m, History: s.store.History(), Accounts: accounts})
	}
	s.stop = func() {
		for _, stop := range stops {
			stop()
		}
		if err := s.store.Close(); err != nil {
			s.t.Error(err)
		}
	}
}

// pass lets time pass. A single server restarts in the middle.
func (s *site) pass(d time.Duration) {
	pass(d / 2)
	if len(s.servers) == 1 {
		s.stop()
		s.start(1)
	}
	pass(d - d/2)
}

func pass(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

// as returns a server as ann or bob sees it.
func (s *site) as(name string) *player.Server {
	server := s.servers[0]
	if name == "bob" {
		server = s.servers[len(s.servers)-1]
	}
	return by(server, name, name)
}

// run runs a command line as a player. It must succeed, and into gets the answer to one with --json.
func (s *site) run(name, line string, into any) {
	s.t.Helper()
	got, err := says(s.as(name), line), error(nil)
	if into != nil {
		err = json.Unmarshal([]byte(got.out), into)
	}
	if got.status != 0 || err != nil {
		s.t.Fatalf("%s: %s: %+v %v", name, line, got, err)
	}
}

type waiting struct {
	Match    match.ID
	Rated    bool
	Position string
	Due      time.Time
}

// waits returns the matches that wait for a player's move.
func (s *site) waits(name string) map[match.ID]waiting {
	var all []waiting
	s.run(name, "moves --json", &all)
	byID := make(map[match.ID]waiting)
	for _, w := range all {
		byID[w.Match] = w
	}
	return byID
}

type moved struct {
	Turn   rules.Side
	Rating struct{ Value int }
}

// move plays the next move of a match. ann moves perfectly, and bob takes the first free cell.
func (s *site) move(id match.ID) (mover string, m moved) {
	w, isAnns := s.waits("ann")[id]
	if mover = "ann"; !isAnns {
		mover, w = "bob", s.waits("bob")[id]
	}
	p, err := rules.ParsePosition(w.Position)
	testkit.OK(s.t, err)
	chosen := p.LegalMoves()[0]
	if isAnns {
		chosen = strategy.Perfect.Choose(p, rand.New(rand.NewPCG(1, 2)))
	}
	s.run(mover, "move "+string(id)+" "+p.Variant().FormatMove(chosen)+" --json", &m)
	return mover, m
}

// finish plays a match to its end and returns the rating that its last move shows.
func (s *site) finish(id match.ID) (rating int) {
	for turn := rules.First; turn != rules.NoSide; s.pass(time.Minute) {
		_, m := s.move(id)
		turn, rating = m.Turn, m.Rating.Value
	}
	return rating
}

// checkResults checks the unseen results of a player, and the rating after the pair, 0 for a pair that is not over.
func (s *site) checkResults(name string, rating int, want ...string) {
	s.t.Helper()
	var all []struct {
		Result string
		Rating struct{ Value int }
	}
	s.run(name, "results --json", &all)
	results, shown := []string(nil), 0
	for _, r := range all {
		results, shown = append(results, r.Result), shown+r.Rating.Value
	}
	if !slices.Equal(results, want) || shown != rating {
		s.t.Errorf("%s sees %+v, want %v and the rating %d", name, all, want, rating)
	}
}

// Two players who are never connected at one moment play a rated pair by commands, at each server and across restarts.
// Both games of the pair begin at once, and the game that ends last ends the pair.
func TestTwoWhoNeverMeetPlayARatedPair(t *testing.T) {
	for servers := 1; servers <= 2; servers++ {
		t.Run(fmt.Sprintf("%d servers", servers), func(t *testing.T) {
			dir := testkit.Dir(t)
			synctest.Test(t, func(t *testing.T) {
				s := &site{t: t, dir: dir}
				s.start(servers)
				defer func() { s.stop() }()
				s.declineOne()
				games := s.beginPair()
				testkit.Equal(t, s.finish(games[0]), 0)
				s.checkResults("ann", 0, "won") // bob has seen the result of his last move
				s.checkResults("bob", 0)
				testkit.Equal(t, s.finish(games[1]), 1338, "the rating that bob's last move shows")
				s.pass(time.Hour)
				s.checkResults("ann", 1662, "won", "won")
				for name, rating := range map[string]int{"ann": 1662, "bob": 1338} {
					s.run(name, "results --seen", nil)
					s.pass(time.Hour)
					s.checkResults(name, 0)
					says(s.as(name), "profile --json").prints(t, fmt.Sprintf(`"rating":{"value":%d,`, rating))
					testkit.Equal(t, len(s.waits(name)), 0, name)
				}
			})
		})
	}
}

// declineOne has bob decline a challenge of ann, who is told of it once.
func (s *site) declineOne() {
	s.run("ann", "name ann", nil)
	s.run("bob", "name bob", nil)
	s.run("ann", "challenge bob", nil)
	s.pass(time.Minute)
	s.run("bob", "decline ann", nil)
	s.pass(time.Minute)
	s.checkResults("bob", 0)
	s.checkResults("ann", 0, history.Declined)
	says(s.as("ann"), "results --seen").prints(s.t, "bob declined your challenge\n")
	s.checkResults("ann", 0)
}

// beginPair returns both games of a pair that waits for its first moves.
func (s *site) beginPair() (games []match.ID) {
	s.run("ann", "challenge @bob --clock 1d --rated", nil)
	s.pass(time.Hour)
	s.run("bob", "accept ann", nil)
	s.pass(time.Hour)
	for _, name := range []string{"ann", "bob"} { // each of them moves first in one game
		all := s.waits(name)
		for id, w := range all {
			late := w.Due.Sub(s.store.Now()) - (4*day - time.Hour) // a day, and the bank of three days
			if games = append(games, id); len(all) > 1 || !w.Rated || late.Abs() > time.Second {
				s.t.Errorf("%s has to move in %+v", name, all)
			}
		}
	}
	return games
}
