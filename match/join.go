package match

import (
	"context"
	"errors"
	"time"

	"notakto/rules"
)

// Join follows a code, in either case of letters. The code of a private table sits p down there; the Player is p. A guest's way back to a
// seat gives that seat's Player, whom p is from then on, as long as nobody is in the seat and the match is not over. In both cases the
// match is then to be entered with [Manager.Sit]. [ErrNoSuchTable], [ErrTableFull] ([ErrSeatInUse]), [ErrOwnTable] with the match's ID,
// [ErrTooMany], [ErrTooFast], [ErrDraining], and [ErrGuessing] after too many wrong codes, or of seats in use.
func (m *Manager) Join(ctx context.Context, p Player, c Code) (ID, Player, error) {
	who := m.cfg.accountable(p.ID)
	if !m.guesses.allow(time.Now(), who...) {
		m.cfg.Refused(p.ID, ErrGuessing)
		return "", p, ErrGuessing
	}
	to, ok := m.register.find(c.Clean())
	if !ok {
		m.guesses.charge(time.Now(), who...)
		m.cfg.Log.Info("wrong code", "player", string(p.ID))
		return "", p, ErrNoSuchTable
	}
	player := p
	err := m.at(ctx, to.id, func(t *table) error {
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
	case errors.Is(err, ErrSeatInUse): // nobody is to wait with a stranger's code until that seat is left for a moment
		m.guesses.charge(time.Now(), who...)
		return "", p, err
	default:
		return "", p, err
	}
}

// join seats p opposite the one who waits.
func (t *table) join(p Player) error {
	for {
		seat := t.state.vacant()
		e := Event{Kind: Seated, Seat: seat, Player: t.toldApart(p, seat), Node: t.manager.nodes.self}
		if _, err := t.state.seat(e); err != nil {
			return err
		}
		if err := t.seat(e); !errors.Is(err, errAgain) {
			return err
		}
	}
}

// toldApart is p under the name for a seat opposite whoever sits there.
func (t *table) toldApart(p Player, side rules.Side) Player {
	if !isSide(side) {
		return p
	}
	return t.manager.cfg.TellApart(p, t.state.Chair(side.Other()).Player)
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

// admit gives the identity of a seat that its guest has left to whoever brings that guest's code.
func (t *table) admit(p Player, side rules.Side) (Player, error) {
	chair := t.state.Chair(side)
	switch {
	case t.state.Over():
		return p, ErrNoSuchTable
	case chair.Player.ID == p.ID:
		return p, ErrOwnTable
	case chair.Present || t.benches[side-1].attendance == here:
		return p, ErrSeatInUse
	}
	return chair.Player, nil
}
