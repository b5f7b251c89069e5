package match

import (
	"context"
	"errors"
	"time"

	"notakto/rules"
)

// Join follows a code, in either case of letters. The code of a private table seats p there; the returned Player is p.
// A guest's code gives that guest's Player, which p is from then on, unless a session at this node is in the seat. A
// session at another node does not count: that node may have just failed. Enter the match with [Manager.Sit] afterwards.
//
// The errors are [ErrNoSuchTable], [ErrTableFull], [ErrSeatInUse], [ErrOwnTable] with the match's ID, [ErrTooMany],
// [ErrTooFast], [ErrDraining], [ErrGuessing] after too many wrong codes, and [ErrUnavailable] if this node does not know
// the code and cannot ask the others.
func (m *Manager) Join(ctx context.Context, p Player, c Code) (ID, Player, error) {
	who := m.cfg.accountable(p.ID)
	if !m.guesses.allow(time.Now(), who) {
		m.cfg.Refused(p.ID, ErrGuessing)
		return "", p, ErrGuessing
	}
	to, err := m.lookUp(ctx, c.Clean())
	if err != nil {
		m.guesses.failed(time.Now(), who)
		if errors.Is(err, ErrNoSuchTable) {
			m.cfg.Refused(p.ID, err)
		}
		return "", p, err
	}
	player := p
	err = m.at(ctx, to.id, func(t *table) error {
		return t.ask(ctx, func() (err error) {
			if to.side == rules.Nobody {
				return t.join(p)
			}
			player, err = t.admit(p, to.side)
			return err
		})
	})
	switch {
	case err == nil:
		if player.ID != p.ID {
			m.cfg.Adopted(p.ID, player.ID)
		}
		return to.id, player, nil
	case errors.Is(err, ErrOwnTable):
		return to.id, p, err
	case errors.Is(err, ErrSeatInUse): // a stranger may not wait with a guest's code until the guest's connection breaks
		m.guesses.failed(time.Now(), who)
		return "", p, err
	default:
		return "", p, err
	}
}

// lookUp returns where a code leads. If this node has not heard of the code it catches up with the journal first: another node may have
// recorded it a moment ago. [ErrNoSuchTable], and what kept the journal from catching up.
func (m *Manager) lookUp(ctx context.Context, c Code) (spot, error) {
	if to, ok := m.register.find(c); ok {
		return to, nil
	}
	if err := m.refuse(); err != nil {
		return spot{}, err
	}
	if err := m.cfg.Journal.CatchUp(ctx); err != nil {
		return spot{}, err
	}
	if to, ok := m.register.find(c); ok {
		return to, nil
	}
	return spot{}, ErrNoSuchTable
}

// join seats p opposite the one who waits.
func (t *table) join(p Player) error {
	for {
		seat := t.state.vacant()
		e := Event{Kind: Seated, Seat: seat, Player: p, Node: t.manager.nodes.self}
		e.Match, e.Seq = t.id, t.state.Seq+1
		if _, err := t.state.Apply(e); err != nil {
			return err
		}
		if err := t.seat(e); !errors.Is(err, errAgain) {
			return err
		}
	}
}

func (t *table) seat(e Event) error {
	if err := t.manager.register.claim(e.Player.ID, t.id); err != nil {
		return err
	}
	defer t.manager.register.release(e.Player.ID, t.id)
	code, err := t.manager.wayBack(e.Player, spot{id: t.id, side: e.Seat})
	if err != nil {
		return err
	}
	e.Code = code
	return t.record(e)
}

// admit returns the guest of a seat, whose code p has brought.
func (t *table) admit(p Player, side rules.Side) (Player, error) {
	chair := t.state.Chair(side)
	switch {
	case t.state.Over():
		return p, ErrNoSuchTable
	case chair.Player.ID == p.ID:
		return p, ErrOwnTable
	case t.benches[side-1].attendance == here:
		return p, ErrSeatInUse
	}
	return t.state.recorded(side), nil
}
