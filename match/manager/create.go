package manager

import (
	"cmp"
	"context"
	"errors"

	"notakto/match"
	"notakto/match/lobby"
	"notakto/rules"
)

// opener opens matches for the manager and the lobby; it implements [lobby.Opener].
type opener struct{ *tables }

// open opens a match, and returns its ID and its code.
func (o opener) open(ctx context.Context, opening match.Opening) (match.ID, match.Code, error) {
	if err := match.CheckTerms(opening.Terms); err != nil {
		return "", "", err
	}
	if opening.Pool.IsRated() {
		return "", "", match.ErrRatedTable
	}
	if err := checkMoves(opening); err != nil {
		return "", "", err
	}
	for {
		id := o.newID()
		code, err := o.openAs(ctx, id, opening)
		switch {
		case err == nil:
			return id, code, nil
		case !errors.Is(err, match.ErrConflict) || ctx.Err() != nil:
			return "", "", err
		}
	}
}

// checkMoves returns why a match cannot begin with its moves.
func checkMoves(opening match.Opening) (err error) {
	position := opening.Variant.Start()
	for _, move := range opening.Moves {
		if position, err = position.Play(move); err != nil {
			return err
		}
	}
	if position.Outcome().Over() {
		return match.ErrMatchOver
	}
	return nil
}

// openAs opens a match with a given ID. [match.ErrConflict] if another node has used the ID, or the code.
func (o opener) openAs(ctx context.Context, id match.ID, opening match.Opening) (code match.Code, err error) {
	if opening.Claimant != "" {
		if err := o.claim(opening.Claimant, id); err != nil {
			return "", err
		}
		defer o.index.release(opening.Claimant, id)
	}
	if opening.Origin == match.PrivateOrigin {
		if code, err = o.index.draw(o.rng, codeTarget{id: id}); err != nil {
			return "", err
		}
	}
	p, err := o.plan(id, opening, code)
	if err != nil {
		return "", err
	}
	if err := o.openTable(ctx, id, p); err != nil {
		return "", err
	}
	return code, o.checkCode(ctx, id, code)
}

// checkCode closes a table whose code another node has recorded first.
func (o opener) checkCode(ctx context.Context, id match.ID, code match.Code) error {
	if to, _ := o.index.find(code); code == "" || to.id == id {
		return nil
	}
	err := o.at(ctx, id, func(t *table) error {
		return t.do(ctx, func() error { return t.record(match.Event{Kind: match.Cancelled}) })
	})
	return cmp.Or(err, match.ErrConflict)
}

// newID returns an ID that no match known here has.
func (o opener) newID() match.ID {
	for {
		if id := o.rng.id(); !o.knows(id) {
			return id
		}
	}
}

// plan returns the first events of a match, with resume codes for guests.
func (o opener) plan(id match.ID, opening match.Opening, private match.Code) (plan, error) {
	p := plan{
		events: []match.Event{
			{Kind: match.Opened, Terms: opening.Terms, Origin: opening.Origin, Code: private, Pair: opening.Pair},
		},
	}
	for i, player := range opening.Players {
		if player.ID == "" {
			continue
		}
		code, err := o.resumeCode(player, codeTarget{id: id, side: rules.Sides()[i]})
		if err != nil {
			return plan{}, err
		}
		p.events = append(p.events, match.Event{
			Kind: match.Seated, Seat: rules.Sides()[i], Player: player,
			Code: code, Node: cmp.Or(opening.Nodes[i], o.membership.self),
		})
	}
	for i, m := range opening.Moves {
		p.events = append(p.events, match.Event{Kind: match.Moved, Seat: rules.Sides()[i%2], Move: m})
	}
	return p, nil
}

// resumeCode draws a code for a guest's seat; none for a player with a key.
func (o opener) resumeCode(p match.Player, seat codeTarget) (match.Code, error) {
	if !p.Guest {
		return "", nil
	}
	return o.index.draw(o.rng, seat)
}

// openTable starts a table by a plan and waits until the match is recorded.
func (o opener) openTable(ctx context.Context, id match.ID, p plan) error {
	t, err := o.getOrBegin(id, p)
	if err != nil {
		o.index.forget(id)
		return err
	}
	return t.do(ctx, func() error { return nil })
}

func (o opener) Admit(p match.Player, accepts []match.Terms) error {
	switch err := o.membership.refuse(); {
	case err != nil:
		return err
	case o.isDraining():
		return match.ErrDraining
	}
	if err := o.index.checkRated(p, accepts); err != nil {
		return err
	}
	return o.index.charge(p.ID)
}

func (o opener) PlaysRated(p match.PlayerID) bool { return o.index.playsRated(p) }

func (o opener) IsOver(id match.ID) bool {
	state, _ := o.index.match(id)
	return state != nil && state.Over()
}

func (o opener) TakeSpoiled() []*match.State { return o.index.takeSpoiled() }

func (o opener) Draw() lobby.Drawn {
	return lobby.Drawn{Side: o.rng.side(), ID: o.newID(), Seed: o.rng.seed()}
}

func (o opener) Open(ctx context.Context, id match.ID, opening match.Opening, tickets ...match.Entry) error {
	p, err := o.plan(id, opening, "")
	if err != nil {
		return err
	}
	p.tickets = tickets
	return o.openTable(ctx, id, p)
}
