package manager

import (
	"cmp"
	"context"
	"errors"

	"notakto/match"
	"notakto/match/lobby"
	"notakto/rules"
)

// open opens a match, and returns its ID and its code.
func (t *tables) open(ctx context.Context, opening match.Opening) (match.ID, match.Code, error) {
	if err := match.CheckTerms(opening.Terms); err != nil {
		return "", "", err
	}
	if opening.Pool.IsRated() {
		return "", "", match.ErrRatedTable
	}
	position, err := opening.Variant.Start(), error(nil)
	for _, move := range opening.Moves {
		if position, err = position.Play(move); err != nil {
			return "", "", err
		}
	}
	if position.Outcome().Over() {
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

// openAs opens a match with a given ID. [match.ErrConflict] if another node has used the ID, or the code.
func (t *tables) openAs(ctx context.Context, id match.ID, opening match.Opening) (code match.Code, err error) {
	if opening.Claimant != "" {
		if err := t.claim(opening.Claimant, id); err != nil {
			return "", err
		}
		defer t.index.release(opening.Claimant, id)
	}
	if opening.Origin == match.PrivateOrigin {
		if code, err = t.index.draw(t.rng, codeTarget{id: id}); err != nil {
			return "", err
		}
	}
	p, err := t.plan(id, opening, code)
	if err != nil {
		return "", err
	}
	if err := t.openTable(ctx, id, p); err != nil {
		return "", err
	}
	if to, _ := t.index.find(code); code == "" || to.id == id {
		return code, nil
	}
	err = t.at(ctx, id, func(here *table) error { // another node has recorded the code first
		return here.do(ctx, func() error { return here.record(match.Event{Kind: match.Cancelled}) })
	})
	return code, cmp.Or(err, match.ErrConflict)
}

// newID returns an ID that no match known here has.
func (t *tables) newID() match.ID {
	for {
		if id := t.rng.id(); !t.index.knows(id) {
			return id
		}
	}
}

// plan holds the first events of a match to open. A table with an empty plan loads its log.
type plan struct {
	events  []match.Event
	tickets []match.Entry // of the players, recorded together with the events
	shared  bool          // another node may open the same match
}

// plan returns the first events of a match, with resume codes for guests.
func (t *tables) plan(id match.ID, opening match.Opening, private match.Code) (plan, error) {
	p := plan{
		events: []match.Event{
			{Kind: match.Opened, Terms: opening.Terms, Origin: opening.Origin, Code: private, Pair: opening.Pair},
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
	}
	for i, m := range opening.Moves {
		p.events = append(p.events, match.Event{Kind: match.Moved, Seat: rules.Sides()[i%2], Move: m})
	}
	return p, nil
}

// resumeCode draws a code for a guest's seat. A player with a key gets none.
func (t *tables) resumeCode(p match.Player, seat codeTarget) (match.Code, error) {
	if !p.Guest {
		return "", nil
	}
	return t.index.draw(t.rng, seat)
}

// openTable starts a table by a plan and waits until the match is recorded.
func (t *tables) openTable(ctx context.Context, id match.ID, p plan) error {
	here, err := t.getOrBegin(id, p)
	if err != nil {
		t.index.forget(id)
		return err
	}
	return here.do(ctx, func() error { return nil })
}

func (t *tables) Admit(p match.Player, accepts []match.Terms) error {
	switch err := t.peers.refuse(); {
	case err != nil:
		return err
	case t.isDraining():
		return match.ErrDraining
	}
	if err := t.index.checkRated(p, accepts); err != nil {
		return err
	}
	return t.claim(p.ID, "")
}

func (t *tables) PlaysRated(p match.PlayerID) bool { return t.index.playsRated(p) }

func (t *tables) IsOver(id match.ID) bool {
	state, _ := t.index.match(id)
	return state != nil && state.Over()
}

func (t *tables) TakeSpoiled() []*match.State {
	t.index.mu.Lock()
	defer t.index.mu.Unlock()
	all := t.index.spoiled
	t.index.spoiled = nil
	return all
}

func (t *tables) Draw() lobby.Drawn {
	return lobby.Drawn{Side: t.rng.side(), ID: t.newID(), Seed: t.rng.seed()}
}

func (t *tables) Open(ctx context.Context, id match.ID, opening match.Opening, tickets ...match.Entry) error {
	p, err := t.plan(id, opening, "")
	if err != nil {
		return err
	}
	p.tickets = tickets
	return t.openTable(ctx, id, p)
}
