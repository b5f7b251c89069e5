package manager

import (
	"context"
	"errors"
	"time"

	"notakto/match"
	"notakto/rules"
)

const (
	codeLength = 4 // of a private table; short, as it is read aloud
	// resumeCodeLength is the length of a guest's resume code, which is a guest's only proof of identity. Older versions
	// used four letters.
	resumeCodeLength = 8
)

// codeTarget is what a code gives access to: a private table, or a guest's seat.
type codeTarget struct {
	id   match.ID
	side rules.Side // [rules.Nobody] for the table itself
}

// codeIndex maps codes in use to their targets. Recorded codes take precedence over codes drawn here that are not
// recorded yet. So all nodes agree, even if two draw the same code at the same time.
type codeIndex struct {
	targets map[match.Code]codeEntry
	of      map[match.ID][]match.Code
}

// codeEntry is a code's target, and whether the journal has recorded it.
type codeEntry struct {
	codeTarget
	confirmed bool
}

func newCodeIndex() codeIndex {
	return codeIndex{targets: make(map[match.Code]codeEntry), of: make(map[match.ID][]match.Code)}
}

// draw reserves a code that is not in use. It fails only if almost all codes are in use.
func (c codeIndex) draw(d *rng, to codeTarget) (match.Code, error) {
	length := codeLength
	if to.side != rules.Nobody {
		length = resumeCodeLength
	}
	for range 1000 {
		code := d.code(length)
		if _, used := c.targets[code]; !used {
			c.set(code, codeEntry{codeTarget: to})
			return code, nil
		}
	}
	return "", match.ErrTooMany
}

// confirm sets the recorded target of a code, unless one was recorded before.
func (c codeIndex) confirm(code match.Code, to codeTarget) {
	if was := c.targets[code]; code != "" && !was.confirmed {
		c.set(code, codeEntry{to, true})
	}
}

// find returns the recorded target of a code.
func (c codeIndex) find(code match.Code) (codeTarget, bool) {
	to := c.targets[code]
	return to.codeTarget, to.confirmed
}

func (c codeIndex) set(code match.Code, to codeEntry) {
	c.targets[code] = to
	c.of[to.id] = append(c.of[to.id], code)
}

// forget drops the codes of a match.
func (c codeIndex) forget(id match.ID) {
	for _, code := range c.of[id] {
		if c.targets[code].id == id {
			delete(c.targets, code)
		}
	}
	delete(c.of, id)
}

// Join uses a code, in upper or lower case. The code of a private table seats p there and returns p. A guest's code
// returns that guest's Player, which replaces p from then on, unless a session at this node has the seat, whose client
// still answers: see [Config.HangUpOnSilent]. A session at another node does not count: that node may have just failed.
// Enter the match with [Manager.Sit] afterwards.
//
// The errors are [match.ErrNoSuchTable], [match.ErrTableFull], [match.ErrSeatInUse], [match.ErrOwnTable] with the
// match's ID, [match.ErrTooMany], [match.ErrRateLimited], [match.ErrDraining], [match.ErrTooManyCodes] after too many
// wrong codes, and [match.ErrUnavailable] if this node does not know the code and cannot ask the others.
func (m *Manager) Join(ctx context.Context, p match.Player, c match.Code) (match.ID, match.Player, error) {
	who := m.cfg.accountable(p.ID)
	if !m.guesses.Allows(time.Now(), who) {
		m.cfg.OnLimit(p.ID, match.ErrTooManyCodes)
		return "", p, match.ErrTooManyCodes
	}
	to, err := m.lookUp(ctx, c.Normalize())
	if err != nil {
		m.guesses.Charge(time.Now(), who)
		m.guesses.ChargeAll(time.Now())
		if errors.Is(err, match.ErrNoSuchTable) {
			m.cfg.OnLimit(p.ID, err)
		}
		return "", p, err
	}
	player, err := m.follow(ctx, p, to, false)
	if errors.Is(err, match.ErrSeatInUse) && m.cfg.HangUpOnSilent(ctx, p.ID, player.ID) {
		player, err = m.follow(ctx, p, to, true)
	}
	switch {
	case err == nil:
		if player.ID != p.ID {
			m.cfg.OnGuestResumed(p.ID, player.ID)
		}
		return to.id, player, nil
	case errors.Is(err, match.ErrOwnTable):
		return to.id, p, err
	case errors.Is(err, match.ErrSeatInUse): // a holder of a stolen code must not wait until the guest's connection breaks
		m.guesses.Charge(time.Now(), who)
		m.guesses.ChargeAll(time.Now())
		return "", p, err
	default:
		return "", p, err
	}
}

// follow seats p where a code leads, or returns the guest whose seat it is. If the seat has a session, the error is
// [match.ErrSeatInUse], unless evicts: then the session loses it, and the opponent sees the guest leave.
func (m *Manager) follow(ctx context.Context, p match.Player, to codeTarget, evicts bool) (match.Player, error) {
	player := p
	err := m.tables.at(ctx, to.id, func(t *table) error {
		return t.do(ctx, func() (err error) {
			if to.side == rules.Nobody {
				return t.takeSeat(p)
			}
			if evicts {
				t.attendance.player(to.side).evict()
				t.step()
			}
			player, err = t.resumeGuest(p, to.side)
			return err
		})
	})
	return player, err
}

// lookUp returns the target of a code. If the code is unknown here it first catches up with the journal: another node
// may have recorded it a moment ago. [match.ErrNoSuchTable], and the error of catching up.
func (m *Manager) lookUp(ctx context.Context, c match.Code) (codeTarget, error) {
	if to, ok := m.tables.index.find(c); ok {
		return to, nil
	}
	if err := m.tables.membership.refuse(); err != nil {
		return codeTarget{}, err
	}
	if err := m.cfg.Journal.CatchUp(ctx); err != nil {
		return codeTarget{}, err
	}
	if to, ok := m.tables.index.find(c); ok {
		return to, nil
	}
	return codeTarget{}, match.ErrNoSuchTable
}

// takeSeat seats p on the free seat.
func (t *table) takeSeat(p match.Player) error {
	for {
		e := match.Event{Kind: match.Seated, Seat: t.state.Vacant(), Player: p, Node: t.tables.membership.self}
		e.Match, e.Seq = t.id, t.state.Seq+1
		if _, err := t.state.Apply(e); err != nil {
			return err
		}
		if err := t.recordSeat(e); !errors.Is(err, errAgain) {
			return err
		}
	}
}

// recordSeat records that a player takes a seat; errAgain as of [table.append].
func (t *table) recordSeat(e match.Event) error {
	if err := t.tables.claim(e.Player.ID, t.id); err != nil {
		return err
	}
	defer t.tables.index.release(e.Player.ID, t.id)
	code, err := opener{t.tables}.resumeCode(e.Player, codeTarget{id: t.id, side: e.Seat})
	if err != nil {
		return err
	}
	e.Code = code
	return t.append(e)
}

// resumeGuest returns the guest of a seat whose code p has presented, also with [match.ErrSeatInUse].
func (t *table) resumeGuest(p match.Player, side rules.Side) (match.Player, error) {
	seatState := t.state.SeatState(side)
	switch {
	case t.state.Over():
		return p, match.ErrNoSuchTable
	case seatState.Player.ID == p.ID:
		return p, match.ErrOwnTable
	case t.attendance.isPresent(side):
		return t.state.Recorded(side), match.ErrSeatInUse
	}
	return t.state.Recorded(side), nil
}
