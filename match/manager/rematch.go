package manager

import (
	"context"

	"notakto/match"
	"notakto/rules"
)

// offer records that a side wants a rematch, once. The new match counts from now on, for who offers many might be taken
// at all of their words at once.
func (t *table) offer(side rules.Side) error {
	if t.refresh(); t.state.RematchOffered(side) {
		return nil
	}
	p, next := t.state.SeatState(side).Player.ID, nextID(t.id)
	if t.state.Outcome.Over() {
		if err := t.manager.index.claim(p, next); err != nil {
			return err
		}
	}
	err := t.record(match.Event{Kind: match.Offered, Seat: side})
	if err != nil {
		t.manager.index.release(p, next)
	}
	return err
}

// releaseRematchClaims gives back what was claimed for a rematch, unless there is one.
func (t *table) releaseRematchClaims() {
	for _, side := range rules.Sides() {
		t.manager.index.release(t.state.SeatState(side).Player.ID, nextID(t.id))
	}
}

// nextRematchEvent answers for a computer, and opens the new match once both want it and are here: who has left would
// lose it.
func (t *table) nextRematchEvent() scheduledEvent {
	if t.state.Next != "" {
		return scheduledEvent{}
	}
	if t.state.RematchOffered(rules.First) && t.state.RematchOffered(rules.Second) {
		if !t.state.IsHere(rules.First) || !t.state.IsHere(rules.Second) {
			return scheduledEvent{}
		}
		return scheduledEvent{event: match.Event{Kind: match.Rematched}}
	}
	for _, side := range rules.Sides() {
		if t.state.RematchOffered(side.Other()) && t.state.SeatState(side).Player.IsComputer() {
			return scheduledEvent{event: match.Event{Kind: match.Offered, Seat: side}}
		}
	}
	return scheduledEvent{}
}

// rematch opens the match that follows s, with the seats swapped, unless it is open already. However often and on
// whatever node it is called, there is one such match.
func (m *Manager) rematch(ctx context.Context, s match.State) (match.ID, error) {
	id := nextID(s.ID)
	p, err := m.plan(id, match.Opening{
		Terms:   s.Terms,
		Origin:  s.Origin,
		Players: [2]match.Player{s.Recorded(rules.Second), s.Recorded(rules.First)},
		Nodes:   [2]match.Node{s.SeatState(rules.Second).Node, s.SeatState(rules.First).Node},
	}, "")
	if err != nil {
		return "", err
	}
	p.shared = true
	ctx, cancel := context.WithTimeout(ctx, m.cfg.JournalTimeout)
	defer cancel()
	return id, m.openTable(ctx, id, p)
}
