package manager

import (
	"context"
	"errors"
	"slices"
	"sync"
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

// codeTarget is the table or the guest's seat that a code leads to.
type codeTarget struct {
	id   match.ID
	side rules.Side // [rules.Nobody] for the table itself
}

// codeIndex maps codes in use to their targets. A recorded code takes precedence over one that was drawn here and is
// not recorded yet, so that all nodes agree even if two draw the same code at once.
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

// Join uses a code, in upper or lower case. With the code of a private table, Join seats p there and returns p. With
// the resume code of a guest, Join returns the guest's Player, which the caller uses in place of p from then on. Join
// refuses a resume code while a session at this node holds the seat and the client of that session answers: see
// [Client]. A session at another node does not count, because that node may just have failed. Call [Manager.Sit]
// afterwards.
//
// Errors: [match.ErrNoSuchTable], [match.ErrTableFull], [match.ErrSeatInUse], [match.ErrOwnTable] with the match's ID,
// [match.ErrTooMany], [match.ErrAddressFull], [match.ErrRateLimited], [match.ErrDraining], [match.ErrTooManyCodes]
// after too many wrong codes, and [match.ErrUnavailable] if this node does not know the code and cannot ask the
// others.
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
	player, holders, err := m.follow(ctx, p, to, nil)
	if errors.Is(err, match.ErrSeatInUse) && hangUpOnSilent(ctx, holders) {
		player, _, err = m.follow(ctx, p, to, holders)
	}
	switch {
	case err == nil:
		if player.ID != p.ID {
			m.cfg.OnGuestResumed(p.ID, player.ID)
		}
		return to.id, player, nil
	case errors.Is(err, match.ErrOwnTable):
		return to.id, p, err
	case errors.Is(err, match.ErrSeatInUse): // a thief must not retry until the guest's connection breaks
		m.guesses.Charge(time.Now(), who)
		m.guesses.ChargeAll(time.Now())
		return "", p, err
	default:
		return "", p, err
	}
}

// follow seats p at the target of a code, or returns the guest who has that seat. First it closes the subscriptions in
// evicted, so that the opponent sees the guest leave. holders are the subscriptions of the seat. The caller needs them
// with [match.ErrSeatInUse].
func (m *Manager) follow(ctx context.Context, p match.Player, to codeTarget,
	evicted []*subscription) (player match.Player, holders []*subscription, err error) {
	player = p
	err = m.tables.at(ctx, to.id, func(t *table) error {
		return t.do(ctx, func() (err error) {
			if to.side == rules.Nobody {
				return t.takeSeat(p)
			}
			if len(evicted) > 0 {
				for _, r := range evicted { // as Close does
					r.closed.Store(true)
				}
				t.step()
			}
			player, err = t.resumeGuest(p, to.side)
			holders = slices.Clone(t.attendance.player(to.side).subscriptions)
			return err
		})
	})
	return player, holders, err
}

// Client is the client of a session that may hold seats. When another player presents the code of a guest's seat, the
// manager asks the clients that hold the seat. It ends their sessions if none of the clients answers.
type Client interface {
	// Answers asks the client whether it is still there, and waits for the answer until ctx ends.
	Answers(ctx context.Context) bool
	// HangUp starts to end the session, and does not wait for the end.
	HangUp()
}

type clientKey struct{}

// WithClient returns a context for [Manager.Sit] that names the client of the seat. A seat without a known client
// counts as one whose client answers.
func WithClient(ctx context.Context, c Client) context.Context {
	return context.WithValue(ctx, clientKey{}, c)
}

// seatAnswerWait limits the time in which the clients of a guest's seat have to answer.
const seatAnswerWait = 3 * time.Second

// hangUpOnSilent asks the clients that hold a seat whether they are still there. If none answers in time, it ends
// their sessions and returns true.
func hangUpOnSilent(ctx context.Context, holders []*subscription) bool {
	if len(holders) == 0 || slices.ContainsFunc(holders, func(r *subscription) bool { return r.client == nil }) {
		return false
	}
	var questions sync.WaitGroup
	defer questions.Wait()
	asking, end := context.WithTimeout(ctx, seatAnswerWait)
	defer end()
	answers := make(chan bool, len(holders))
	for _, r := range holders {
		questions.Go(func() { answers <- r.client.Answers(asking) })
	}
	for range holders {
		if <-answers {
			return false
		}
	}
	if ctx.Err() != nil {
		return false
	}
	for _, r := range holders {
		r.client.HangUp()
	}
	return true
}

// lookUp returns the target of a code. If this node does not know the code, lookUp first catches up with the journal,
// because another node may just have recorded it. Errors: [match.ErrNoSuchTable], and those of
// [match.Journal.CatchUp].
func (m *Manager) lookUp(ctx context.Context, c match.Code) (codeTarget, error) {
	if to, ok := m.tables.index.find(c); ok {
		return to, nil
	}
	if err := m.tables.peers.refuse(); err != nil {
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
		e := match.Event{Kind: match.Seated, Seat: t.state.Vacant(), Player: p, Node: t.tables.peers.self}
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
	code, err := t.tables.resumeCode(e.Player, codeTarget{id: t.id, side: e.Seat})
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
