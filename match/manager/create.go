package manager

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"notakto/match"
	"notakto/match/lobby"
	"notakto/rules"
)

// open opens a match under a new ID. code is empty unless the table is private.
func (t *tables) open(ctx context.Context, opening match.Opening) (match.ID, match.Code, error) {
	if err := match.ValidateTerms(opening.Terms); err != nil {
		return "", "", err
	}
	if opening.Pool.IsRated() && opening.Origin != match.ChallengeOrigin {
		return "", "", match.ErrRatedTable
	}
	position, err := opening.Variant.Start(), error(nil)
	for _, move := range opening.Moves {
		if position, err = position.Play(move); err != nil {
			return "", "", err
		}
	}
	if position.Outcome().IsOver() {
		return "", "", match.ErrMatchOver
	}
	for {
		id := t.newID()
		code, err := t.openAs(ctx, id, opening)
		switch {
		case err == nil:
			return id, code, nil
		case !errors.Is(err, match.ErrConflict) || ctx.Err() != nil:
			return "", "", err
		}
	}
}

// openAs opens a match with a given ID. Error: [match.ErrConflict] if another node has used the ID, or the code.
func (t *tables) openAs(ctx context.Context, id match.ID, opening match.Opening) (code match.Code, err error) {
	if opening.Claimant != "" {
		if err := t.claim(opening.Claimant, id, opening.Terms, opening.Origin == match.ChallengeOrigin); err != nil {
			return "", err
		}
		defer t.index.release(opening.Claimant, id)
	}
	if opening.Origin == match.PrivateOrigin {
		if code, err = t.index.draw(t.rng, codeTarget{id: id}); err != nil {
			return "", err
		}
	}
	p, err := t.newPlan(id, opening, code)
	if err != nil {
		return "", err
	}
	if err := t.openTable(ctx, id, p); err != nil {
		return "", err
	}
	if to, _ := t.index.find(code); code == "" || to.id == id {
		return code, nil
	}
	err = t.withTable(ctx, id, func(here *table) error { // another node has recorded the code first
		return here.do(ctx, func() error { return here.record(match.Event{Kind: match.Cancelled}) })
	})
	return code, cmp.Or(err, match.ErrConflict)
}

func (t *tables) newID() match.ID {
	for {
		if id := t.rng.id(); !t.index.knows(id) {
			return id
		}
	}
}

// plan holds the first events of a match to open. With an empty plan, table.begin resumes a match.
type plan struct {
	events  []match.Event
	tickets []match.Entry // of the players, recorded together with the events
	shared  bool          // another node may open the match as well
}

func (t *tables) newPlan(id match.ID, opening match.Opening, tableCode match.Code) (plan, error) {
	p := plan{
		events: []match.Event{
			{
				Kind: match.Opened, Terms: opening.Terms, Origin: opening.Origin, Code: tableCode, Pair: opening.Pair,
				Player: opening.Invited,
			},
		},
	}
	for i, player := range opening.Players {
		if player.ID == "" {
			continue
		}
		code, err := t.resumeCode(player, codeTarget{id: id, side: rules.Sides()[i]})
		if err != nil {
			return plan{}, err
		}
		p.events = append(p.events, match.Event{
			Kind: match.Seated, Seat: rules.Sides()[i], Player: player,
			Code: code, Node: cmp.Or(opening.Nodes[i], t.peers.self),
		})
		if opening.Origin == match.ChallengeOrigin && opening.Players[1-i].ID == "" { // the maker is not at the table
			p.events = append(p.events, match.Event{Kind: match.NoShow, Seat: rules.Sides()[i]})
		}
	}
	for i, m := range opening.Moves {
		p.events = append(p.events, match.Event{Kind: match.Moved, Seat: rules.Sides()[i%2], Move: m})
	}
	return p, nil
}

// resumeCode draws a code for a guest's seat, or returns "" for a player with a key.
func (t *tables) resumeCode(p match.Player, seat codeTarget) (match.Code, error) {
	if !p.Guest {
		return "", nil
	}
	return t.index.draw(t.rng, seat)
}

// openTable starts a table with the plan p and waits until table.begin has recorded its events.
func (t *tables) openTable(ctx context.Context, id match.ID, p plan) error {
	here, err := t.getOrBegin(id, p)
	if err != nil {
		t.index.forgetUnopened(id)
		return err
	}
	return here.do(ctx, func() error { return nil })
}

// Admit implements [lobby.Opener].
func (t *tables) Admit(p match.Player, accepts []match.Terms) error {
	switch err := t.peers.refuse(); {
	case err != nil:
		return err
	case !t.canOpen():
		return match.ErrDraining
	}
	if err := t.index.checkRated(p, accepts); err != nil {
		return err
	}
	terms := match.Terms{}
	if !slices.ContainsFunc(accepts, func(terms match.Terms) bool { return !terms.Clock.IsCorrespondence() }) {
		terms = accepts[0]
	}
	return t.claim(p.ID, "", terms, false)
}

// cancelledSeekCost is the cost of a cancelled seek, in started matches, beyond the one match that Admit charges.
const cancelledSeekCost = 4

// ChargeCancelled implements [lobby.Opener].
func (t *tables) ChargeCancelled(p match.PlayerID) {
	t.index.mu.Lock()
	defer t.index.mu.Unlock()
	for range cancelledSeekCost {
		t.index.seats.starts.TryCharge(time.Now(), t.cfg.payers(p))
	}
}

// PlaysRated implements [lobby.Opener].
func (t *tables) PlaysRated(p match.PlayerID) bool { return t.index.playsRated(p) }

// IsOver implements [lobby.Opener].
func (t *tables) IsOver(id match.ID) bool {
	state, _ := t.index.match(id)
	return state != nil && state.IsOver()
}

// TakeSpoiled implements [lobby.Opener].
func (t *tables) TakeSpoiled() []*match.State {
	t.index.mu.Lock()
	defer t.index.mu.Unlock()
	all := t.index.spoiled
	t.index.spoiled = nil
	return all
}

// Draw implements [lobby.Opener].
func (t *tables) Draw() lobby.Drawn {
	return lobby.Drawn{Side: t.rng.side(), ID: t.newID(), Seed: t.rng.seed()}
}

// Open implements [lobby.Opener].
func (t *tables) Open(ctx context.Context, id match.ID, opening match.Opening, tickets ...match.Entry) error {
	p, err := t.newPlan(id, opening, "")
	if err != nil {
		return err
	}
	p.tickets = tickets
	return t.openTable(ctx, id, p)
}
