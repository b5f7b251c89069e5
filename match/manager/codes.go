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
	codeLength = 6 // of private tables, short because players read it aloud; older versions used four letters
	// resumeCodeLength is longer because a resume code is a guest's only proof of identity. Older versions used four
	// letters.
	resumeCodeLength = 8
)

// codeTarget is the table or the guest's seat that a code leads to.
type codeTarget struct {
	id   match.ID
	side rules.Side // of the guest, zero for a private table
}

// codeIndex maps codes in use to their targets. A recorded code takes precedence over one that was drawn here and is
// not recorded yet. Therefore all nodes agree even if two of them draw the same code.
type codeIndex struct {
	targets map[match.Code]codeEntry
	byMatch map[match.ID][]match.Code
}

type codeEntry struct {
	codeTarget
	confirmed bool // recorded by the journal
}

func newCodeIndex() codeIndex {
	return codeIndex{targets: make(map[match.Code]codeEntry), byMatch: make(map[match.ID][]match.Code)}
}

// draw reserves a code that is not in use, and fails only if almost all codes are in use.
func (c codeIndex) draw(d *rng, to codeTarget) (match.Code, error) {
	length := codeLength
	if to.side != rules.NoSide {
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

// confirm sets the recorded target of a code. The first recorded target stays.
func (c codeIndex) confirm(code match.Code, to codeTarget) {
	if was := c.targets[code]; code != "" && !was.confirmed {
		c.set(code, codeEntry{to, true})
	}
}

func (c codeIndex) find(code match.Code) (codeTarget, bool) {
	to := c.targets[code]
	return to.codeTarget, to.confirmed
}

func (c codeIndex) set(code match.Code, to codeEntry) {
	c.targets[code] = to
	c.byMatch[to.id] = append(c.byMatch[to.id], code)
}

func (c codeIndex) forget(id match.ID) {
	for _, code := range c.byMatch[id] {
		if c.targets[code].id == id {
			delete(c.targets, code)
		}
	}
	delete(c.byMatch, id)
}

// Join uses a code, in upper or lower case. With the code of a private table, Join seats p there and returns p. With
// the resume code of a guest, Join returns the guest's Player, and the caller must use it in place of p. Call
// [Manager.Sit] afterwards.
//
// Join refuses a resume code while a session at this node holds the seat and the [Client] of that session answers. A
// session at another node does not count, because that node may just have failed.
//
// Join returns
//   - [match.ErrNoSuchTable], [match.ErrTableFull], [match.ErrSeatInUse]
//   - [match.ErrOwnTable] with the match's ID
//   - [match.ErrTooMany], [match.ErrAddressFull], [match.ErrRateLimited], [match.ErrDraining]
//   - [match.ErrTooManyCodes] after too many wrong codes
//   - [match.ErrUnavailable] if this node does not know the code and cannot ask the journal
func (m *Manager) Join(ctx context.Context, p match.Player, c match.Code) (match.ID, match.Player, error) {
	who := m.cfg.payers(p.ID)
	if !m.guesses.Allows(time.Now(), who) {
		m.cfg.OnLimit(p.ID, match.ErrTooManyCodes)
		return "", p, match.ErrTooManyCodes
	}
	to, err := m.lookUp(ctx, c.Normalize())
	if err != nil {
		// ErrUnavailable tells the player as well that this node has no such code, and costs a try.
		m.guesses.Charge(time.Now(), who)
		if errors.Is(err, match.ErrUnavailable) {
			return "", p, err
		}
		if !m.guesses.ChargeAll(time.Now(), who) {
			err = match.ErrTooManyCodes // the answer to a spare try must not show that the code was looked up
		}
		m.cfg.OnLimit(p.ID, err)
		return "", p, err
	}
	player, holders, err := m.enterByCode(ctx, p, to, nil)
	if errors.Is(err, match.ErrSeatInUse) && hangUpOnSilent(ctx, holders) {
		player, _, err = m.enterByCode(ctx, p, to, holders)
	}
	switch {
	case err == nil:
		if player.ID != p.ID {
			m.cfg.OnGuestResumed(p.ID, player.ID)
		}
		return to.id, player, nil
	case errors.Is(err, match.ErrOwnTable):
		return to.id, p, err
	case errors.Is(err, match.ErrSeatInUse): // a thief could otherwise retry until the guest's connection breaks
		m.guesses.Charge(time.Now(), who)
		m.guesses.ChargeAll(time.Now(), who)
		return "", p, err
	default:
		return "", p, err
	}
}

// enterByCode seats p at a private table, or returns the guest of the seat that a resume code leads to. It first
// closes the subscriptions in evicted, to show the opponent that the guest has left. With [match.ErrSeatInUse],
// the subscriptions of the seat are the second result.
func (m *Manager) enterByCode(ctx context.Context, p match.Player, to codeTarget,
	evicted []*subscription) (match.Player, []*subscription, error) {
	// The table's goroutine may still set these after ctx has ended.
	player, holders := p, []*subscription(nil)
	err := m.tables.withTable(ctx, to.id, func(t *table) error {
		return t.do(ctx, func() (err error) {
			if to.side == rules.NoSide {
				return t.takeSeat(p)
			}
			if len(evicted) > 0 {
				for _, s := range evicted { // as s.close, but the step below replaces its wakeUp
					s.closed.Store(true)
				}
				t.step()
			}
			player, err = t.resumeGuest(p, to.side)
			holders = slices.Clone(t.attendance.player(to.side).subscriptions)
			return err
		})
	})
	if err != nil && ctx.Err() != nil {
		return p, nil, err
	}
	return player, holders, err
}

// Client is the client of a session that may hold seats. When another player presents the code of a guest's seat,
// the manager asks the clients that hold the seat. If no client answers, the manager ends their sessions.
type Client interface {
	// Answers asks the client whether it is still there, and waits for the answer until ctx ends.
	Answers(ctx context.Context) bool
	// HangUp starts to end the session, and does not wait for the end.
	HangUp()
}

type clientKey struct{}

// WithClient returns a context for [Manager.Sit] that names the client of the seat. A session without a client
// counts as one that answers.
func WithClient(ctx context.Context, c Client) context.Context {
	return context.WithValue(ctx, clientKey{}, c)
}

// seatAnswerWait limits the wait for the clients of a guest's seat to answer.
const seatAnswerWait = 3 * time.Second

// hangUpOnSilent asks the clients that hold a seat whether they are still there. If no client answers in time, it
// ends their sessions and returns true.
func hangUpOnSilent(ctx context.Context, holders []*subscription) bool {
	if len(holders) == 0 || slices.ContainsFunc(holders, func(s *subscription) bool { return s.client == nil }) {
		return false
	}
	var questions sync.WaitGroup
	defer questions.Wait()
	asking, end := context.WithTimeout(ctx, seatAnswerWait)
	defer end()
	answers := make(chan bool, len(holders))
	for _, s := range holders {
		questions.Go(func() { answers <- s.client.Answers(asking) })
	}
	for range holders {
		if <-answers {
			return false
		}
	}
	if ctx.Err() != nil {
		return false
	}
	for _, s := range holders {
		s.client.HangUp()
	}
	return true
}

// lookUp returns the target of a code. If this node does not know the code, lookUp first catches up with the
// journal, because another node may just have recorded it. Errors: [match.ErrNoSuchTable], and those of
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

func (t *table) takeSeat(p match.Player) error {
	for {
		e := match.Event{Kind: match.Seated, Seat: t.state.VacantSide(), Player: p, Node: t.tables.peers.self}
		e.Match, e.Seq = t.id, t.state.Seq+1
		if _, err := t.state.Apply(e); err != nil {
			return err
		}
		if err := t.recordSeat(e); !errors.Is(err, errAgain) {
			return err
		}
	}
}

func (t *table) recordSeat(e match.Event) error {
	if s := t.state; s.IsOpenChallenge() && s.Clock.IsCorrespondence() {
		maker := s.Seat(s.Awaited()).Player.ID
		if !t.tables.index.reserveDays(maker, t.id, s.Terms) {
			return match.ErrNoSuchChallenge
		}
		defer t.tables.index.releaseDays(maker, t.id)
	}
	if err := t.tables.claim(e.Player.ID, t.id, t.state.Terms, false); err != nil {
		return err
	}
	defer t.tables.index.release(e.Player.ID, t.id)
	code, err := t.tables.resumeCode(e.Player, codeTarget{id: t.id, side: e.Seat})
	if err != nil {
		return err
	}
	e.Code = code
	e.Pair.SameNetwork = t.state.Pool.IsRated() && t.tables.index.hasNetworkOfMaker(t.state, e.Player.ID)
	return t.append(e)
}

// resumeGuest returns the guest of the seat with the code that p has presented. With [match.ErrSeatInUse] it returns
// the guest too.
func (t *table) resumeGuest(p match.Player, side rules.Side) (match.Player, error) {
	switch {
	case t.state.IsOver():
		return p, match.ErrNoSuchTable
	case t.state.Seat(side).Player.ID == p.ID:
		return p, match.ErrOwnTable
	case t.attendance.isPresent(side):
		return t.state.RecordedPlayer(side), match.ErrSeatInUse
	default:
		return t.state.RecordedPlayer(side), nil
	}
}
