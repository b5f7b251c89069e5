package manager

import (
	"cmp"
	"context"
	"errors"
	"time"

	"notakto/match"
	"notakto/rules"
)

// open opens a match, and names it and its code.
func (m *Manager) open(ctx context.Context, o match.Opening) (match.ID, match.Code, error) {
	if err := match.CheckTerms(o.Terms); err != nil {
		return "", "", err
	}
	for {
		id := m.newID()
		code, err := m.openAs(ctx, id, o)
		switch {
		case err == nil:
			return id, code, nil
		case !errors.Is(err, match.ErrConflict) || ctx.Err() != nil:
			return "", "", err
		}
	}
}

// openAs opens a match by a name. [ErrConflict] if another node has one of that name, or its code.
func (m *Manager) openAs(ctx context.Context, id match.ID, o match.Opening) (code match.Code, err error) {
	if o.Claimant != "" {
		if err := m.index.claim(o.Claimant, id); err != nil {
			return "", err
		}
		defer m.index.release(o.Claimant, id)
	}
	if o.Origin == match.PrivateOrigin {
		if code, err = m.index.draw(m.rng, codeTarget{id: id}); err != nil {
			return "", err
		}
	}
	p, err := m.plan(id, o, code)
	if err != nil {
		return "", err
	}
	if err := m.openTable(ctx, id, p); err != nil {
		return "", err
	}
	return code, m.checkCode(ctx, id, code)
}

// checkCode clears a table whose code another node drew too, and recorded first.
func (m *Manager) checkCode(ctx context.Context, id match.ID, code match.Code) error {
	if to, _ := m.index.find(code); code == "" || to.id == id {
		return nil
	}
	err := m.at(ctx, id, func(t *table) error {
		return t.do(ctx, func() error { return t.record(match.Event{Kind: match.Cancelled}) })
	})
	return cmp.Or(err, match.ErrConflict)
}

// newID is an ID that no match known here has.
func (m *Manager) newID() match.ID {
	for {
		if id := m.rng.id(); !m.index.knows(id) {
			return id
		}
	}
}

// plan is how a match is laid; guests get their codes.
func (m *Manager) plan(id match.ID, o match.Opening, private match.Code) (plan, error) {
	p := plan{events: []match.Event{{Kind: match.Opened, Terms: o.Terms, Origin: o.Origin, Code: private}}}
	for i, player := range o.Players {
		if player.ID == "" {
			continue
		}
		code, err := m.resumeCode(player, codeTarget{id: id, side: rules.Sides()[i]})
		if err != nil {
			return plan{}, err
		}
		p.events = append(p.events, match.Event{Kind: match.Seated, Seat: rules.Sides()[i], Player: player, Code: code, Node: cmp.Or(o.Nodes[i], m.membership.self)})
	}
	return p, nil
}

// resumeCode is a code for a guest's seat; none for a player with a key.
func (m *Manager) resumeCode(p match.Player, seat codeTarget) (match.Code, error) {
	if !p.Guest {
		return "", nil
	}
	return m.index.draw(m.rng, seat)
}

// openTable starts a table by a plan and waits until the match is recorded.
func (m *Manager) openTable(ctx context.Context, id match.ID, p plan) error {
	t, err := m.table(id, p)
	if err != nil {
		m.index.forget(id)
		return err
	}
	return t.do(ctx, func() error { return nil })
}

func (m *Manager) table(id match.ID, p plan) (*table, error) {
	return m.index.getOrCreate(id, p, func() *table { return newTable(m, id) })
}

// atFor is at, for a player who names the match. One that is over for long is searched for in the whole archive, in
// vain where there is none, so nobody may do that often.
func (m *Manager) atFor(ctx context.Context, p match.PlayerID, id match.ID, use func(*table) error) error {
	if m.index.knows(id) {
		return m.at(ctx, id, use)
	}
	who := m.cfg.accountable(p)
	if !m.searches.Allows(time.Now(), who) {
		m.cfg.OnLimit(p, match.ErrTooManyLookups)
		return match.ErrTooManyLookups
	}
	m.searches.Charge(time.Now(), who)
	err := m.at(ctx, id, use)
	if errors.Is(err, match.ErrNoSuchMatch) {
		m.searches.ChargeAll(time.Now())
	}
	return err
}

// at finds the table of a match, from its log if it is not alive here, and uses it. A table that closes meanwhile is
// taken up again.
func (m *Manager) at(ctx context.Context, id match.ID, use func(*table) error) error {
	err := match.ErrClosed
	for range 3 {
		t, missing := m.table(id, plan{})
		if missing != nil {
			return missing
		}
		if err = use(t); !errors.Is(err, match.ErrClosed) || errors.Is(err, errBroken) || ctx.Err() != nil || !t.isDone() {
			return err
		}
	}
	return err
}

// opener is what the lobby is given of a manager.
type opener struct{ *Manager }

func (o opener) Admit(p match.PlayerID) error {
	if err := o.refuse(); err != nil {
		return err
	}
	return o.index.checkLimits(p)
}

func (o opener) IsOver(id match.ID) bool { return o.index.isOver(id) }

func (o opener) TakeSpoiled() []*match.State { return o.index.takeSpoiled() }

func (o opener) Draw() (match.ID, rules.Side) {
	side := o.rng.side()
	return o.newID(), side
}

func (o opener) OpenShared(ctx context.Context, id match.ID, opening match.Opening) error {
	return o.openShared(ctx, id, opening)
}

// openShared opens a match that other nodes may be opening too.
func (m *Manager) openShared(ctx context.Context, id match.ID, o match.Opening) error {
	p, err := m.plan(id, o, "")
	if err != nil {
		return err
	}
	p.shared = true
	return m.openTable(ctx, id, p)
}
