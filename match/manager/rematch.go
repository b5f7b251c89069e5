package manager

import (
	"context"
	"slices"

	"notakto/match"
	"notakto/match/limit"
	"notakto/rules"
)

// offerRematch records, once, that a side wants a rematch. The new match counts against the player's limit from now
// on, because the opponents of a player with many offers might all accept at once.
func (t *table) offerRematch(side rules.Side) error {
	if t.refresh(); t.state.RematchOffered(side) {
		return nil
	}
	p, next := t.state.Seat(side).Player.ID, nextID(t.id)
	if t.state.Outcome.IsOver() {
		isPair := t.state.Pool.IsRated() && !t.state.IsSimultaneous()
		if isPair && !t.state.AwaitsSecondGame() && t.tables.index.playsRated(p) {
			return match.ErrRated
		}
		if err := t.tables.claim(p, next, t.state.Terms, false); err != nil {
			return err
		}
	}
	err := t.record(match.Event{Kind: match.Offered, Seat: side})
	if err != nil {
		t.tables.index.release(p, next)
	}
	return err
}

// rematchOffers holds the rematches that each player has offered in matches that are over and not archived. The
// index's lock guards it.
type rematchOffers map[match.PlayerID][]rematchOffer

type rematchOffer struct {
	match   match.ID
	isStale bool // the player was seated in another match since
}

// apply updates the offers for an event that has led to s. stale lists matches with an offer that ends because the
// player was seated in s.
func (r rematchOffers) apply(s *match.State, event match.Event) (stale []match.ID) {
	p := s.Seat(event.Seat).Player
	switch {
	case event.Kind == match.Rematched:
		r.endAll(s)
	case p.IsComputer():
	case event.Kind == match.Offered:
		r[p.ID] = append(r[p.ID], rematchOffer{match: s.ID})
	case event.Kind == match.Withdrawn:
		r.end(p.ID, s.ID)
	case event.Kind == match.Seated && s.Origin != match.ChallengeOrigin:
		stale = r.markStale(p.ID, s.ID)
	case event.Kind == match.Seated && s.HasStarted(): // the maker of a challenge does not play yet
		for _, side := range rules.Sides() {
			stale = append(stale, r.markStale(s.Seat(side).Player.ID, s.ID)...)
		}
	}
	return stale
}

// markStale marks the offers of a player that do not lead to a match, and returns their matches.
func (r rematchOffers) markStale(p match.PlayerID, id match.ID) (stale []match.ID) {
	for i, offer := range r[p] {
		if nextID(offer.match) != id {
			r[p][i].isStale = true
			stale = append(stale, offer.match)
		}
	}
	return stale
}

// endAll forgets the offers of both players of s. s may be nil.
func (r rematchOffers) endAll(s *match.State) {
	for _, side := range rules.Sides() {
		if s != nil {
			r.end(s.Seat(side).Player.ID, s.ID)
		}
	}
}

func (r rematchOffers) end(p match.PlayerID, id match.ID) {
	r[p] = slices.DeleteFunc(r[p], func(o rematchOffer) bool { return o.match == id })
	if len(r[p]) == 0 {
		delete(r, p)
	}
}

// rematch opens the rematch of s, or the second game of its pair, with the seats swapped. Repeated calls, also on
// other nodes, open one match only.
func (t *tables) rematch(ctx context.Context, s match.State) (match.ID, error) {
	id := nextID(s.ID)
	p, err := t.nextPlan(id, s)
	if err != nil {
		return "", err
	}
	p.shared = true
	ctx, cancel := context.WithTimeout(ctx, t.cfg.JournalTimeout)
	defer cancel()
	return id, t.openTable(ctx, id, p)
}

// nextPlan returns the plan of the rematch of s, or of the second game of its pair, with the seats swapped.
func (t *tables) nextPlan(id match.ID, s match.State) (plan, error) {
	pair := match.PairGame{}
	switch {
	case s.AwaitsSecondGame(), s.LacksSecondGame():
		pair = s.SecondGame()
	case s.Pool.IsRated():
		pair = match.FirstGame(t.rng.seed())
		first, second := s.Seat(rules.First).Player.ID, s.Seat(rules.Second).Player.ID
		pair.SameNetwork = s.Pair.SameNetwork || limit.ShareNetwork(t.cfg.Networks(first), t.cfg.Networks(second))
	}
	return t.newPlan(id, match.Opening{
		Terms:   s.Terms,
		Origin:  s.Origin,
		Pair:    pair,
		Players: [2]match.Player{s.RecordedPlayer(rules.Second), s.RecordedPlayer(rules.First)},
		Nodes:   [2]match.Node{s.Seat(rules.Second).Node, s.Seat(rules.First).Node},
	}, "")
}

// rematchEvent returns the withdrawal of a stale offer, the rematch that both players want, or the computer's
// acceptance. A rematch waits until both players are connected, because an absent player would lose it.
func (a agenda) rematchEvent() scheduledEvent {
	if a.Next != "" {
		return scheduledEvent{}
	}
	for _, side := range rules.Sides() {
		if a.RematchOffered(side) && a.tables.index.isStaleOffer(a.Seat(side).Player.ID, a.ID) {
			return scheduledEvent{event: match.Event{Kind: match.Withdrawn, Seat: side}}
		}
	}
	if a.RematchOffered(rules.First) && a.RematchOffered(rules.Second) {
		if !a.IsHere(rules.First) || !a.IsHere(rules.Second) || a.awaitsAnotherPair() {
			return scheduledEvent{}
		}
		return scheduledEvent{event: match.Event{Kind: match.Rematched}}
	}
	for _, side := range rules.Sides() {
		if a.RematchOffered(side.Other()) && a.Seat(side).Player.IsComputer() {
			return scheduledEvent{event: match.Event{Kind: match.Offered, Seat: side}}
		}
	}
	return scheduledEvent{}
}
