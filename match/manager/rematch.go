package manager

import (
	"context"

	"notakto/match"
	"notakto/rules"
)

// offer records that a side wants a rematch, once. The new match counts from now on, for who offers many might be taken at all of their words
// at once.
func (t *table) offer(side rules.Side) error {
	if t.catchUp(); t.state.Offers(side) {
		return nil
	}
	p, next := t.state.Chair(side).Player.ID, nextID(t.id)
	if t.state.Outcome.Over() {
		if err := t.manager.register.claim(p, next); err != nil {
			return err
		}
	}
	err := t.act(match.Event{Kind: match.Offered, Seat: side})
	if err != nil {
		t.manager.register.release(p, next)
	}
	return err
}

// withdraw gives back what was claimed for a rematch, unless there is one.
func (t *table) withdraw() {
	for _, side := range rules.Sides() {
		t.manager.register.release(t.state.Chair(side).Player.ID, nextID(t.id))
	}
}

// rematchDuty answers for a computer, and opens the new match once both want it and are here: who has left would lose it.
func (t *table) rematchDuty() duty {
	if t.state.Next != "" {
		return duty{}
	}
	if t.state.Offers(rules.First) && t.state.Offers(rules.Second) {
		if !t.state.IsHere(rules.First) || !t.state.IsHere(rules.Second) {
			return duty{}
		}
		return duty{event: match.Event{Kind: match.Rematched}}
	}
	for _, side := range rules.Sides() {
		if t.state.Offers(side.Other()) && t.state.Chair(side).Player.IsComputer() {
			return duty{event: match.Event{Kind: match.Offered, Seat: side}}
		}
	}
	return duty{}
}

// rematch opens the match that follows s, with the seats swapped, unless it is open already. However often and on whatever node it is
// called, there is one such match.
func (m *Manager) rematch(ctx context.Context, s match.State) (match.ID, error) {
	id := nextID(s.ID)
	p, err := m.plan(id, match.Opening{
		Variant: s.Variant,
		Origin:  s.Origin,
		Players: [2]match.Player{s.Recorded(rules.Second), s.Recorded(rules.First)},
		Nodes:   [2]match.Node{s.Chair(rules.Second).Node, s.Chair(rules.First).Node},
	}, "")
	if err != nil {
		return "", err
	}
	p.shared = true
	ctx, cancel := context.WithTimeout(ctx, m.cfg.Patience)
	defer cancel()
	return id, m.lay(ctx, id, p)
}
