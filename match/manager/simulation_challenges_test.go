package manager

import (
	"log/slog"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"notakto/match"
	"notakto/rules"
)

// Players make, accept, decline and withdraw challenges, block each other and play on nodes that crash and restart.
// Then days pass. The simulation checks that
//   - an acknowledged challenge, acceptance or withdrawal is in the log
//   - a challenge is accepted once, by the named player, and by no player who blocked or was blocked before
//   - no player has too many open challenges, and no unattended one has a table
//   - every match and every challenge ends, and one game of each pair without a void game ends the pair
func TestChallengeSimulation(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for i := range max(1, *towns/5) {
		s := *seed + uint64(i)
		synctest.Test(t, func(t *testing.T) { simulateChallenges(t, s) })
		if t.Failed() {
			t.Fatalf("seed %d: go test ./match/manager -run TestChallengeSimulation -towns 1 -seed %d", s, s)
		}
	}
}

func simulateChallenges(t *testing.T, seed uint64) {
	w := &simChallenges{
		blocked: make(map[[2]match.PlayerID]time.Time), tried: make(map[simAnswer]time.Time),
		states: make(map[match.ID]match.State), open: make(map[match.PlayerID]int),
	}
	w.simCluster = newSimCluster(t, seed, "town", w.isBlocked)
	w.journal.Subscribe(w.count)
	w.storm(func(p match.Player, l *simRandom) {
		l.wait(w.Context(), 5*time.Second)
		if b := w.node(l.chance(simNodes)); b != nil {
			w.act(b, p, l)
		}
	})
	w.close()
	w.cleared.Store(true)
	w.passHour()
	<-time.After(97 * time.Hour) // longer than a move and the bank
	w.passHour()
	<-time.After(match.ChallengeLife)
	w.passHour()
	w.checkChallenges()
}

// simChallenges is a cluster whose players challenge each other.
type simChallenges struct {
	*simCluster

	facts   sync.Mutex
	blocked map[[2]match.PlayerID]time.Time
	tried   map[simAnswer]time.Time // the first time
	acked   []simAnswer

	// The journal's lock guards these.
	states map[match.ID]match.State
	open   map[match.PlayerID]int // challenges by the maker
	most   int                    // in open, ever
}

// simAnswer is an action of a player on a challenge.
type simAnswer struct {
	kind match.Kind // Opened, Seated or Cancelled
	by   match.PlayerID
	id   match.ID
}

func (s *simChallenges) isBlocked(by, other match.PlayerID) bool {
	s.facts.Lock()
	defer s.facts.Unlock()
	return !s.blocked[[2]match.PlayerID{by, other}].IsZero()
}

func (s *simChallenges) count(e match.Event) {
	before := s.states[e.Match]
	after, err := before.Apply(e)
	if err != nil {
		s.Errorf("%+v after %+v: %v", e, before, err)
	}
	s.states[e.Match] = after
	for state, n := range map[*match.State]int{&before: -1, &after: 1} {
		// A rematch has both players a moment later, and neither has left before.
		if maker := state.Seat(state.Awaited()); state.IsOpenChallenge() && !maker.Present {
			s.open[maker.Player.ID] += n
		}
	}
	for _, n := range s.open {
		s.most = max(s.most, n)
	}
}

// passHour lets an hour pass with one node.
func (s *simChallenges) passHour() {
	b := newHarness(s.T, Config{
		Journal: &mortal{Store: s.journal}, Seed: 1, MaxMatches: 1000, Node: "calm", Blocks: s.isBlocked,
		Log: slog.New(slog.DiscardHandler),
	})
	defer b.Close()
	pass(time.Hour)
	on, over := b.tables.index.liveAndFinished()
	if n := b.tables.index.tableCount(); n > 0 || len(on) == 0 && len(over) > 0 {
		s.Errorf("an hour after the last player left, %d tables and %d finished matches are left", n, len(over))
	}
}

// act makes one random action.
func (s *simChallenges) act(b *simNode, p match.Player, l *simRandom) {
	others := b.Challenges(p.ID)
	for _, c := range others {
		if c.Maker.ID != p.ID && (s.isBlocked(c.Maker.ID, p.ID) || s.isBlocked(p.ID, c.Maker.ID)) {
			s.Errorf("%s sees the challenge %s of %s", p.ID, c.ID, c.Maker.ID)
		}
	}
	other := person(l.chance(townsfolk))
	switch what := l.chance(24); {
	case what < 8:
		c := Challenge{Terms: simTerms(s.T, l), Opponent: other}
		if l.chance(3) == 0 {
			c.Opponent = match.Player{}
		}
		if id, err := b.Challenge(s.Context(), p, c); err == nil {
			s.note(simAnswer{match.Opened, p.ID, id})
		}
	case what < 16:
		a := s.choose(match.Seated, p, others, l)
		if a.id != "" && b.Accept(s.Context(), p, a.id, match.PeoplePool) == nil {
			s.note(a)
		}
	case what < 18:
		if a := s.choose(match.Cancelled, p, others, l); a.id != "" && b.Decline(s.Context(), p.ID, a.id) == nil {
			s.note(a)
		}
	case what < 19:
		if other.ID != p.ID {
			s.facts.Lock()
			s.blocked[[2]match.PlayerID{p.ID, other.ID}] = time.Now()
			s.facts.Unlock()
		}
	default:
		s.playOne(b, p, l)
	}
}

func simTerms(t *testing.T, l *simRandom) match.Terms {
	switch l.chance(5) {
	case 0:
		return match.RatedTerms(match.PeoplePool)
	case 1, 2:
		return ratedDays(t, 1)
	case 3:
		return clock(t, "1d")
	default:
		return clock(t, "5+0")
	}
}

// choose returns an answer to a challenge of the list, or to any one.
func (s *simChallenges) choose(kind match.Kind, p match.Player, listed []OpenChallenge, l *simRandom) simAnswer {
	s.facts.Lock()
	defer s.facts.Unlock()
	a := simAnswer{kind: kind, by: p.ID}
	if len(listed) > 0 && l.chance(8) > 0 {
		a.id = listed[l.chance(len(listed))].ID
	} else if len(s.acked) > 0 {
		a.id = s.acked[l.chance(len(s.acked))].id
	}
	if s.tried[a].IsZero() {
		s.tried[a] = time.Now()
	}
	return a
}

func (s *simChallenges) note(a simAnswer) {
	s.facts.Lock()
	defer s.facts.Unlock()
	s.acked = append(s.acked, a)
}

// playOne plays or resigns one of p's matches.
func (s *simChallenges) playOne(b *simNode, p match.Player, l *simRandom) {
	own := b.PlayerMatches(p.ID)
	if len(own) == 0 {
		return
	}
	seat, err := b.Sit(s.Context(), own[l.chance(len(own))], p.ID)
	if err != nil {
		return
	}
	defer seat.Close()
	l.wait(s.Context(), time.Second)
	select {
	case state, open := <-seat.Snapshots():
		if open && l.chance(3) == 0 {
			_ = seat.Resign(s.Context())
		} else if open && state.Turn() == seat.Side() {
			legal := state.Position.LegalMoves()
			_ = seat.Play(s.Context(), legal[l.chance(len(legal))])
		}
	default:
	}
}

func (s *simChallenges) checkChallenges() {
	for _, a := range s.acked {
		state := s.states[a.id]
		if a.kind == match.Cancelled && (!state.Closed || state.HasStarted()) ||
			a.kind != match.Cancelled && state.Side(a.by) == rules.NoSide {
			s.Errorf("%+v is not in the log: %+v", a, s.logs[a.id])
		}
	}
	accepted, pairs := 0, 0
	for id, log := range s.logs {
		state := s.states[id]
		if !state.IsOver() {
			s.Errorf("%s does not end: %+v", id, log)
		}
		switch {
		case !state.HasStarted() || log[0].Pair.First != "":
			continue
		case state.IsSimultaneous():
			pairs++
			s.checkDaysPair(&state)
		default:
			s.checkPair(id)
		}
		accepted++
		s.checkTaker(&state, log)
	}
	if accepted == 0 || pairs == 0 || s.most > maxChallenges {
		s.Errorf("%d challenges and %d pairs began, and a player had %d open ones", accepted, pairs, s.most)
	}
	s.Logf("%d matches, %d challenges accepted, %d pairs, at most %d open", len(s.logs), accepted, pairs, s.most)
}

func (s *simChallenges) checkTaker(state *match.State, log []match.Event) {
	var seated []match.PlayerID
	for _, e := range log {
		if e.Kind == match.Seated {
			seated = append(seated, e.Player.ID)
		}
	}
	maker, taker := seated[0], seated[1]
	if len(seated) != 2 || maker == taker || state.Invited.ID != "" && state.Invited.ID != taker {
		s.Errorf("%s was taken by %s: %+v", state.ID, taker, log)
	}
	tried := s.tried[simAnswer{match.Seated, taker, state.ID}]
	for _, two := range [...][2]match.PlayerID{{maker, taker}, {taker, maker}} {
		if at := s.blocked[two]; !at.IsZero() && at.Before(tried) {
			s.Errorf("%s was taken by %s at %v, blocked at %v", state.ID, taker, state.OpenedAt, at)
		}
	}
}

// checkDaysPair checks that the end of one game ends the pair, unless a game is void.
func (s *simChallenges) checkDaysPair(one *match.State) {
	two := s.states[one.OtherGame()]
	ends := 0
	for _, game := range [...]*match.State{one, &two} {
		if game.IsPairOver() {
			ends++
		}
	}
	isVoid := one.Outcome.IsVoid() || two.Outcome.IsVoid()
	if two.OtherGame() != one.ID || ends != 0 == isVoid || ends > 1 {
		s.Errorf("the pair of %s and %q ended %d times: %+v and %+v", one.ID, two.ID, ends, one.Outcome, two.Outcome)
	}
}
