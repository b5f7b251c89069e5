package client

import (
	"crypto/sha256"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"notakto/match"
	"notakto/match/manager"
	"notakto/rules"
	"notakto/rules/strategy"
)

const (
	// demonstrationPace is the pause before each move of a demonstration.
	demonstrationPace = 2 * time.Second
	// demonstrationEnd is the time that players see the end of a demonstration.
	demonstrationEnd = 8 * time.Second
)

// demonstration is the [tableHandle] of a match between two levels of the computer. Only one session sees a
// demonstration, and no store has it. A timer makes the moves until the demonstration closes. A demonstration closes
// itself after its end, and when a match between people is in progress.
type demonstration struct {
	manager *manager.Manager
	mailbox *match.Mailbox[*match.Snapshot]

	mu     sync.Mutex // guards the fields below
	rng    *rand.Rand
	state  match.State
	timer  *time.Timer
	closed bool
}

// newDemonstration begins a demonstration. The seed decides the opening, the levels and the moves.
func newDemonstration(m *manager.Manager, seed string) *demonstration {
	d := &demonstration{
		manager: m, mailbox: match.NewMailbox[*match.Snapshot](),
		rng: rand.New(rand.NewChaCha8(sha256.Sum256([]byte(seed)))),
	}
	start := match.FirstGame(seed).Start
	ladder := strategy.Ladder()
	first := d.rng.IntN(len(ladder))
	second := (first + 1 + d.rng.IntN(len(ladder)-1)) % len(ladder)
	d.state.ID = match.ID("demonstration " + seed)
	d.apply(match.Event{
		Kind: match.Opened, Terms: match.Terms{Variant: start.Variant()}, Origin: match.ComputerOrigin,
	})
	d.state.Start, d.state.Position = start, start
	d.apply(match.Event{Kind: match.Seated, Seat: rules.First, Player: match.Computer(ladder[first])})
	d.apply(match.Event{Kind: match.Seated, Seat: rules.Second, Player: match.Computer(ladder[second])})
	d.put()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.timer = time.AfterFunc(demonstrationPace, d.step)
	return d
}

// apply folds an event. Its callers hold the lock, except newDemonstration.
func (d *demonstration) apply(e match.Event) {
	e.Match, e.Seq, e.At = d.state.ID, d.state.Seq+1, d.manager.Now()
	next, err := d.state.Apply(e)
	if err != nil {
		panic(err) // a level makes legal moves
	}
	d.state = next
}

func (d *demonstration) put() {
	state := d.state
	d.mailbox.Put(&match.Snapshot{State: &state})
}

// step makes the next move, or closes the demonstration.
func (d *demonstration) step() {
	d.mu.Lock()
	defer d.mu.Unlock()
	havePeopleBegun := slices.ContainsFunc(d.manager.List(), func(m match.Summary) bool {
		return m.IsOfPeople() && m.IsActive
	})
	isShown := d.state.IsOver() && d.manager.Now().Sub(d.state.EndedAt) >= demonstrationEnd
	switch {
	case d.closed:
		return
	case isShown, havePeopleBegun:
		d.close()
		return
	case !d.state.IsOver():
		turn := d.state.Turn()
		move := d.state.Seat(turn).Player.Level.Choose(d.state.Position, d.rng)
		d.apply(match.Event{Kind: match.Moved, Seat: turn, Move: move})
		d.put()
	}
	d.timer.Reset(demonstrationPace)
}

func (d *demonstration) close() {
	if !d.closed {
		d.closed = true
		d.timer.Stop()
		d.mailbox.Close()
	}
}

func (d *demonstration) Snapshots() <-chan *match.Snapshot { return d.mailbox.Values() }

func (d *demonstration) Notify(bell func()) { d.mailbox.Notify(bell) }

func (d *demonstration) Close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.close()
}

// IsDemonstration reports whether two levels of the computer play for this session only. After such a table has
// closed, the front end watches the busiest match (see [Session.Watch]).
func (t *Table) IsDemonstration() bool {
	if t == nil {
		return false
	}
	_, is := t.handle.(*demonstration)
	return is
}

// Comment reviews the last move of a demonstration. ok is false for another match, before the first move, and for a
// player of a rated pair.
func (t *Table) Comment() (r strategy.MoveReview, ok bool) {
	last := len(t.Moves) - 1
	if !t.IsDemonstration() || last < 0 || t.session.manager.PlaysRated(t.Player) {
		return r, false
	}
	return strategy.Review(t.PositionAfter(last), t.Moves[last:])[0], true
}

// BusiestMatch returns the match to show to a spectator, or "" if no listed match is active.
func (s *Session) BusiestMatch() match.ID {
	for _, m := range s.manager.List() {
		if m.IsActive {
			return m.ID
		}
	}
	return ""
}

// NextMatch returns the match that follows current in the list of [manager.Manager.List], without the matches of p.
// The first match follows the last one. The result is "" if there is no other match.
func (s *Session) NextMatch(current match.ID, p match.PlayerID) match.ID {
	own := s.manager.PlayerMatches(p)
	list := slices.DeleteFunc(slices.Clone(s.manager.List()), func(m match.Summary) bool {
		return m.ID != current && slices.Contains(own, m.ID)
	})
	at := slices.IndexFunc(list, func(m match.Summary) bool { return m.ID == current })
	if len(list) == 0 || len(list) == 1 && at == 0 {
		return ""
	}
	return list[(at+1)%len(list)].ID
}
