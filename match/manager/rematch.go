package manager

import (
	"context"
	"slices"

	"notakto/match"
	"notakto/rules"
)

// offerRematch records, once, that a side wants a rematch. The new match counts against the player's limit from now
// on, because the opponents of a player with many offers might all accept at once.
func (t *table) offerRematch(side rules.Side) error {
	if t.refresh(); t.state.RematchOffered(side) {
		return nil
	}
	p, next := t.state.SeatState(side).Player.ID, nextID(t.id)
	if t.state.Outcome.Over() {
		if t.state.Pool.IsRated() && !t.state.AwaitsSecondGame() && t.tables.index.playsRated(p) {
			return match.ErrRated
		}
		if err := t.tables.claim(p, next); err != nil {
			return err
		}
	}
	err := t.record(match.Event{Kind: match.Offered, Seat: side})
	if err != nil {
		t.tables.index.release(p, next)
	}
	return err
}

// rematchOffers holds the rematches that each player has offered in matches that are over and not archived. The index's
// lock guards it.
type rematchOffers map[match.PlayerID][]rematchOffer

type rematchOffer struct {
	match   match.ID
	isStale bool // the player was seated in another match since
}

// apply updates the offers for an event that has led to s. It returns the matches whose offers have become stale
// because the player was seated in s.
func (r rematchOffers) apply(s *match.State, event match.Event) (stale []match.ID) {
	p := s.SeatState(event.Seat).Player
	switch {
	case event.Kind == match.Rematched:
		r.endAll(s)
	case p.IsComputer():
	case event.Kind == match.Offered:
		r[p.ID] = append(r[p.ID], rematchOffer{match: s.ID})
	case event.Kind == match.Withdrawn:
		r.end(p.ID, s.ID)
	case event.Kind == match.Seated:
		for i, offer := range r[p.ID] {
			if nextID(offer.match) != s.ID {
				r[p.ID][i].isStale = true
				stale = append(stale, offer.match)
			}
		}
	}
	return stale
}

// endAll forgets the offers of both players of s, which may be nil.
func (r rematchOffers) endAll(s *match.State) {
	for _, side := range rules.Sides() {
		if s != nil {
			r.end(s.SeatState(side).Player.ID, s.ID)
		}
	}
}

// end forgets an offer, if there is one.
func (r rematchOffers) end(p match.PlayerID, id match.ID) {
	r[p] = slices.DeleteFunc(r[p], func(o rematchOffer) bool { return o.match == id })
	if len(r[p]) == 0 {
		delete(r, p)
	}
}

// rematch opens the rematch of s, or the second game of its pair, with the seats swapped. It opens one match only,
// however often and on whatever nodes it is called.
func (t *tables) rematch(ctx context.Context, s match.State) (match.ID, error) {
	id, pair := nextID(s.ID), match.PairGame{}
	switch {
	case s.AwaitsSecondGame():
		pair = s.SecondGame()
	case s.Pool.IsRated():
		pair = match.FirstGame(t.rng.seed())
	}
	p, err := t.plan(id, match.Opening{
		Terms:   s.Terms,
		Origin:  s.Origin,
		Pair:    pair,
		Players: [2]match.Player{s.Recorded(rules.Second), s.Recorded(rules.First)},
		Nodes:   [2]match.Node{s.SeatState(rules.Second).Node, s.SeatState(rules.First).Node},
	}, "")
	if err != nil {
		return "", err
	}
	p.shared = true
	ctx, cancel := context.WithTimeout(ctx, t.cfg.JournalTimeout)
	defer cancel()
	return id, t.openTable(ctx, id, p)
}

// rematchEvent returns the withdrawal of a stale offer, the rematch that both players want, or the computer's
// acceptance. A rematch waits until both players are connected, because an absent player would lose it.
func (a agenda) rematchEvent() scheduledEvent {
	if a.Next != "" {
		return scheduledEvent{}
	}
	for _, side := range rules.Sides() {
		if a.RematchOffered(side) && a.tables.index.isStaleOffer(a.SeatState(side).Player.ID, a.ID) {
			return scheduledEvent{event: match.Event{Kind: match.Withdrawn, Seat: side}}
		}
	}
	if a.RematchOffered(rules.First) && a.RematchOffered(rules.Second) {
		if !a.IsHere(rules.First) || !a.IsHere(rules.Second) || a.isBusy() {
			return scheduledEvent{}
		}
		return scheduledEvent{event: match.Event{Kind: match.Rematched}}
	}
	for _, side := range rules.Sides() {
		if a.RematchOffered(side.Other()) && a.SeatState(side).Player.IsComputer() {
			return scheduledEvent{event: match.Event{Kind: match.Offered, Seat: side}}
		}
	}
	return scheduledEvent{}
}
