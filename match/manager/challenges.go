package manager

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"notakto/match"
	"notakto/match/limit"
	"notakto/rules"
)

// A challenge is a match with one free seat. The match has no table until a player answers, because the maker need not
// stay. The rules are in this file:
//
//   - Maker and opponent are accounts. A challenge without a named opponent is on the board and has a clock of days.
//   - A challenge expires after [match.ChallengeLife].
//   - An account has at most maxChallenges open challenges and maxDays matches with days a move. Both games of a pair
//     count. Challenges and matches with days do not count against [Config.MaxMatches].
//   - Until a challenge is accepted, no player or spectator can see its match. Otherwise the maker of a rated challenge
//     could withdraw it and make another one until the random opening suits.
//   - A block hides the challenges of both players from each other. The maker is not told.
//   - A challenge is hidden while its maker may not play it, because the maker has maxDays or [Config.MaxMatches]
//     matches, or plays another rated pair.

const (
	maxChallenges = 10
	maxDays       = 10
	// maxListed limits each part of a list, the challenges to the player and those on the board.
	maxListed = 100
	// maxExamined is the number of the newest challenges that the index examines for a part of a list, under its lock.
	maxExamined = 1000
)

// Challenge describes a challenge to be made.
type Challenge struct {
	match.Terms
	Opponent match.Player // the zero Player for anyone, then the clock counts days
}

// OpenChallenge is a challenge that can be accepted, or a player in the queue.
type OpenChallenge struct {
	match.Terms
	ID      match.ID // "" for a waiting player
	Maker   match.Player
	Invited match.Player // zero for anyone
	Since   time.Time
	Expires time.Time // zero for a waiting player
	IsHere  bool      // the maker, or the invited player of an own challenge, has a session (see [Manager.IsHere])
}

// Challenge makes a challenge of maker. Errors:
//   - [match.ErrGuestChallenge], also for an opponent without an account
//   - [match.ErrSameChallenge] with the ID of the open one
//   - [match.ErrOwnChallenge], [match.ErrLiveChallenge], [match.ErrOtherLadder], [rules.ErrBadVariant]
//   - [match.ErrTooManyChallenges], [match.ErrTooManyDays], [match.ErrAddressFull], [match.ErrRateLimited]
//   - [match.ErrDraining], and [match.ErrUnavailable] at once if this node is cut off
//   - any other error of the journal
func (m *Manager) Challenge(ctx context.Context, maker match.Player, c Challenge) (match.ID, error) {
	switch {
	case maker.Guest, c.Opponent.Guest, c.Opponent.IsComputer():
		return "", match.ErrGuestChallenge
	case c.Opponent.ID == maker.ID:
		return "", match.ErrOwnChallenge
	case c.Opponent.ID == "" && !c.Clock.IsCorrespondence():
		return "", match.ErrLiveChallenge
	case c.Pool.IsRated() && c.Opponent.ID != "" && m.cfg.IsProgram(c.Opponent.ID) != (c.Pool == match.BotPool):
		return "", match.ErrOtherLadder // the opponent could not accept
	}
	if err := m.tables.peers.refuse(); err != nil {
		return "", err
	}
	_, own := m.PersonalChallenges(maker.ID)
	for _, other := range own {
		if c.Opponent.ID != "" && other.Invited.ID == c.Opponent.ID && other.Terms == c.Terms {
			return "", fmt.Errorf("%w: %s", match.ErrSameChallenge, other.ID)
		}
	}
	o := match.Opening{
		Terms: c.Terms, Players: match.PlayersInOrder(m.tables.rng.side(), maker, match.Player{}),
		Origin: match.ChallengeOrigin, Claimant: maker.ID,
		Invited: match.Player{ID: c.Opponent.ID, Name: c.Opponent.Name},
	}
	if c.Pool.IsRated() {
		o.Pair = match.FirstGame(m.tables.rng.seed())
	}
	id, _, err := m.tables.open(ctx, o)
	if err == nil && c.Pool.IsRated() {
		m.tables.index.setMakerNetworks(id, maker.ID)
	}
	return id, err
}

// setMakerNetworks stores the networks of the maker of a rated challenge, because the maker may be gone when a player
// accepts. Networks are kept in memory only.
func (i *index) setMakerNetworks(id match.ID, maker match.PlayerID) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if e := i.matches[id]; e.state != nil && e.state.IsOpenChallenge() {
		if networks := i.cfg.Networks(maker); len(networks) > 0 {
			e.makerNetwork = networks[len(networks)-1]
			i.matches[id] = e
		}
	}
}

// hasNetworkOfMaker reports whether p is in the network that the maker of a challenge is in, or was in when the maker
// made the challenge at this node.
func (i *index) hasNetworkOfMaker(s *match.State, p match.PlayerID) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	networks, maker := i.cfg.Networks(p), s.Seat(s.Awaited()).Player.ID
	return limit.ShareNetwork(networks, i.cfg.Networks(maker)) ||
		limit.ShareNetwork(networks, []string{i.matches[s.ID].makerNetwork})
}

// Challenges returns the challenges to p, then those on the board, then the players in the queue, then p's own
// challenges. Challenges are listed newest first, and the players in the queue as by [lobby.Lobby.Waiting]. If more
// than maxListed are open to p, each maker has one in the list before any maker has two.
func (m *Manager) Challenges(p match.PlayerID) []OpenChallenge {
	i, now := m.tables.index, m.Now()
	i.mu.Lock()
	others, own := append(i.openTo(p, p, now), i.openTo(p, "", now)...), i.ownOpen(p, now)
	i.mu.Unlock()
	for _, w := range m.lobby.Waiting(p).First {
		others = append(others, OpenChallenge{
			Terms: w.Accepts[0], Maker: match.Player{ID: w.Player, Name: w.Name, Guest: w.IsGuest}, Since: w.Since,
		})
	}
	return append(others, own...)
}

// PersonalChallenges returns the challenges that name p, and p's own challenges, each newest first.
func (m *Manager) PersonalChallenges(p match.PlayerID) (named, own []OpenChallenge) {
	i, now := m.tables.index, m.Now()
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.openTo(p, p, now), i.ownOpen(p, now)
}

// ChallengesOf returns the challenges of maker that p may accept, the newest first. They need not be among those that
// [Manager.Challenges] lists.
func (m *Manager) ChallengesOf(maker, p match.PlayerID) []OpenChallenge {
	i, now := m.tables.index, m.Now()
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.openOf(maker, p, func(s *match.State) bool { return i.isOpenTo(p, s, now) })
}

// FollowChallenges calls changed after each change of a challenge that p has made or that names p. changed must not
// block, and must not call the manager. The caller must call stop.
func (m *Manager) FollowChallenges(p match.PlayerID, changed func()) (stop func()) {
	i := m.tables.index
	i.mu.Lock()
	defer i.mu.Unlock()
	i.followers[p] = append(i.followers[p], &changed)
	return func() {
		i.mu.Lock()
		defer i.mu.Unlock()
		i.followers[p] = slices.DeleteFunc(i.followers[p], func(c *func()) bool { return c == &changed })
		if len(i.followers[p]) == 0 {
			delete(i.followers, p)
		}
	}
}

// ChallengeEnd tells why a challenge is no longer open.
type ChallengeEnd uint8

// The ends of a challenge.
const (
	ChallengeGone ChallengeEnd = iota // withdrawn, or this node no longer has its match
	ChallengeAccepted
	ChallengeDeclined
	ChallengeExpired
)

// ChallengeEnd returns the end of a challenge that is no longer open, and the opponent of p after ChallengeAccepted.
func (m *Manager) ChallengeEnd(p match.PlayerID, id match.ID) (end ChallengeEnd, opponent match.Player) {
	s, err := m.tables.index.match(id)
	if s == nil || err != nil || s.Origin != match.ChallengeOrigin {
		return ChallengeGone, opponent
	}
	at := m.Now()
	if s.IsOver() {
		at = s.EndedAt
	}
	switch {
	case s.HasStarted():
		return ChallengeAccepted, s.Seat(s.Side(p).Other()).Player
	case s.IsDeclined:
		return ChallengeDeclined, opponent
	case !at.Before(s.ExpiresAt()):
		return ChallengeExpired, opponent
	default:
		return ChallengeGone, opponent
	}
}

// Accept seats p in the match of a challenge. Call [Manager.Sit] afterwards. rated is the pool of the rated challenges
// that p may accept, because programs and people do not play rated pairs with each other. Errors:
//   - [match.ErrNoSuchChallenge] if the challenge is taken or gone, of another pool, or not for p
//   - [match.ErrOwnTable] if p has made or accepted the challenge
//   - [match.ErrGuestChallenge], [match.ErrRated] during another rated pair
//   - [match.ErrTooMany], [match.ErrTooManyDays], [match.ErrAddressFull], [match.ErrRateLimited]
//   - [match.ErrDraining], [match.ErrUnavailable]
func (m *Manager) Accept(ctx context.Context, p match.Player, id match.ID, rated match.Pool) error {
	if p.Guest {
		return match.ErrGuestChallenge
	}
	if err := m.tables.peers.refuse(); err != nil {
		return err
	}
	return m.answer(ctx, p.ID, id, func(t *table) error {
		if t.state.Pool.IsRated() && t.state.Pool != rated {
			return match.ErrNoSuchChallenge
		}
		if err := m.tables.index.checkRated(p, []match.Terms{t.state.Terms}); err != nil {
			return err
		}
		return t.takeSeat(p)
	})
}

// Decline declines a challenge to p, or withdraws p's own. Errors: [match.ErrNoSuchChallenge], [match.ErrUnavailable].
func (m *Manager) Decline(ctx context.Context, p match.PlayerID, id match.ID) error {
	return m.answer(ctx, p, id, func(t *table) error {
		e := match.Event{Kind: match.Cancelled}
		switch {
		case t.state.Side(p) != rules.NoSide: // withdrawn by the maker
		case t.state.Invited.ID == p:
			e.Seat = t.state.VacantSide()
		default:
			return match.ErrNoSuchChallenge
		}
		return t.record(e)
	})
}

// answer calls decide in the goroutine of the challenge's table, if p has a seat there or may take the free one.
func (m *Manager) answer(ctx context.Context, p match.PlayerID, id match.ID, decide func(*table) error) error {
	if !m.tables.index.mayAnswer(p, id, m.Now()) {
		return match.ErrNoSuchChallenge
	}
	err := m.tables.withTable(ctx, id, func(t *table) error {
		return t.do(ctx, func() error {
			if t.refresh(); !t.state.IsOpenChallenge() && t.state.Side(p) == rules.NoSide {
				return match.ErrNoSuchChallenge
			}
			return decide(t)
		})
	})
	for _, gone := range [...]error{
		match.ErrNoSuchTable, match.ErrTableFull, match.ErrClosed, match.ErrBadEvent, match.ErrNoSuchMatch,
	} {
		if errors.Is(err, gone) {
			return match.ErrNoSuchChallenge
		}
	}
	return err
}

// challengeIndex maps the named opponent, "" for the board, to open challenges, oldest first.
type challengeIndex map[match.PlayerID][]openID

type openID struct {
	id match.ID
	at time.Time // when it was opened
}

func (o openID) compare(other openID) int {
	return cmp.Or(o.at.Compare(other.at), cmp.Compare(o.id, other.id))
}

// update follows a change of a match. after is nil if the match can no longer be read.
func (c challengeIndex) update(before, after *match.State) {
	was, is := before != nil && before.IsOpenChallenge(), after != nil && after.IsOpenChallenge()
	switch {
	case is && !was:
		all, o := c[after.Invited.ID], openID{after.ID, after.OpenedAt}
		at, _ := slices.BinarySearchFunc(all, o, openID.compare) // after a start, matches come in any order
		c[after.Invited.ID] = slices.Insert(all, at, o)
	case was && !is:
		p := before.Invited.ID
		c[p] = slices.DeleteFunc(c[p], func(o openID) bool { return o.id == before.ID })
		if len(c[p]) == 0 {
			delete(c, p)
		}
	}
}

// openTo returns the challenges to invited, or on the board, that p may accept. The caller holds the lock.
func (i *index) openTo(p, invited match.PlayerID, now time.Time) (all []OpenChallenge) {
	open := i.open[invited]
	for _, o := range i.inTurns(open[max(0, len(open)-maxExamined):]) {
		if len(all) == maxListed {
			break
		}
		if s := i.matches[o.id].state; i.isOpenTo(p, s, now) {
			all = append(all, i.openChallenge(p, s))
		}
	}
	sortNewestFirst(all)
	return all
}

// inTurns returns the newest challenge of each maker, then the second newest of each, and so on. Without turns, a
// person with ten keys could fill a list. The caller holds the lock.
func (i *index) inTurns(open []openID) []openID {
	var turns [][]openID
	taken := make(map[match.PlayerID]int)
	for _, o := range slices.Backward(open) {
		s := i.matches[o.id].state
		maker := s.Seat(s.Awaited()).Player.ID
		turn := taken[maker]
		if taken[maker]++; turn == len(turns) {
			turns = append(turns, nil)
		}
		turns[turn] = append(turns[turn], o)
	}
	return slices.Concat(turns...)
}

func sortNewestFirst(all []OpenChallenge) {
	slices.SortFunc(all, func(a, b OpenChallenge) int {
		return openID{b.ID, b.Since}.compare(openID{a.ID, a.Since})
	})
}

// ownOpen returns p's own challenges. The caller holds the lock.
func (i *index) ownOpen(p match.PlayerID, now time.Time) []OpenChallenge {
	return i.openOf(p, p, func(s *match.State) bool { return now.Before(s.ExpiresAt()) })
}

// openOf returns the challenges of maker that are shown to p. The caller holds the lock.
func (i *index) openOf(maker, p match.PlayerID, isShown func(*match.State) bool) (all []OpenChallenge) {
	for _, id := range i.seats.byPlayer[maker] {
		if e := i.matches[id]; e.isLive() && e.state.IsOpenChallenge() && isShown(e.state) {
			all = append(all, i.openChallenge(p, e.state))
		}
	}
	sortNewestFirst(all)
	return all
}

// IsHere reports whether p has a session at this server that tells of challenges. It takes no account of blocks,
// because the lists of matches and the queue show who is here anyway.
func (m *Manager) IsHere(p match.PlayerID) bool {
	i := m.tables.index
	i.mu.Lock()
	defer i.mu.Unlock()
	return len(i.followers[p]) > 0
}

// notifyFollowers notifies the players of a challenge. The caller holds the lock.
func (i *index) notifyFollowers(s *match.State) {
	for _, p := range [...]match.Player{s.Invited, s.Seat(rules.First).Player, s.Seat(rules.Second).Player} {
		for _, changed := range i.followers[p.ID] {
			(*changed)()
		}
	}
}

// IsMakerAway reports whether p may accept the challenge id without a clock of days, and its maker has no session. Who
// is at another server is not known. With several servers, the result is false.
func (m *Manager) IsMakerAway(p match.PlayerID, id match.ID) bool {
	i, isAlone := m.tables.index, len(m.tables.peers.up()) <= 1
	i.mu.Lock()
	defer i.mu.Unlock()
	s := i.matches[id].state
	return isAlone && s != nil && s.IsOpenChallenge() && !s.Clock.IsCorrespondence() && i.isOpenTo(p, s, m.Now()) &&
		len(i.followers[s.Seat(s.Awaited()).Player.ID]) == 0
}

// openChallenge returns the challenge s as p sees it. The caller holds the lock.
func (i *index) openChallenge(p match.PlayerID, s *match.State) OpenChallenge {
	maker := s.Seat(s.Awaited()).Player
	other := maker.ID
	if other == p {
		other = s.Invited.ID
	}
	shown := func(p match.Player) match.Player {
		if p.ID == "" {
			return p
		}
		return i.cfg.DisambiguateName(p, match.Player{})
	}
	return OpenChallenge{
		Terms: s.Terms, ID: s.ID, Maker: shown(maker), Invited: shown(s.Invited),
		Since: s.OpenedAt, Expires: s.ExpiresAt(), IsHere: len(i.followers[other]) > 0,
	}
}

// isOpenTo reports whether p may accept the open challenge s of another player. The caller holds the lock.
func (i *index) isOpenTo(p match.PlayerID, s *match.State, now time.Time) bool {
	maker, isDays := s.Seat(s.Awaited()).Player.ID, s.Clock.IsCorrespondence()
	switch {
	case maker == "" || maker == p || s.Invited.ID != "" && s.Invited.ID != p || !now.Before(s.ExpiresAt()):
		return false
	case i.cfg.Blocks(maker, p), i.cfg.Blocks(p, maker):
		return false
	case isDays:
		return i.seats.hasDays(maker, s.Terms)
	case i.seats.count(maker, liveSeat) >= i.cfg.MaxMatches:
		return false
	default:
		return !s.Pool.IsRated() || !i.playsLivePair(maker)
	}
}

// mayAnswer reports whether p has a seat at the match, or may accept it as an open challenge.
func (i *index) mayAnswer(p match.PlayerID, id match.ID, now time.Time) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	e := i.matches[id]
	return e.isLive() && e.state.Origin == match.ChallengeOrigin &&
		(e.state.Side(p) != rules.NoSide || e.state.IsOpenChallenge() && i.isOpenTo(p, e.state, now))
}
