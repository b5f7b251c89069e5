package match

import (
	"context"
	"errors"
	"time"
)

// cancelling is how long giving up a place is waited for.
const cancelling = 500 * time.Millisecond

// claim promises a match to the two who have waited longest: first to the one of this node, then to the other, who may have gone or found
// somebody else meanwhile. Once the other's note says so it holds, whatever becomes of this node.
func (l *Lobby) claim(s *Seek, first, second place) {
	m := l.manager
	side, id := m.dice.side(), m.newID()
	mine := first.promised(id, side, second)
	mine.Claims = true
	err := l.pin(m.ctx, mine)
	if err == nil {
		err = l.promise(second.promised(id, side.Other(), first))
	}
	if err == nil {
		l.fulfil(mine, s)
		return
	}
	if !errors.Is(err, ErrConflict) && m.ctx.Err() == nil {
		m.cfg.Log.Warn("two who wait could not be paired", "one", string(first.Player.ID), "other", string(second.Player.ID), "error", err)
	}
	l.takeBack(s, id, err)
}

// promise asks the other of two until it is certain whether that took: if it did, the other's node lays the table. [ErrConflict] if not.
func (l *Lobby) promise(p place) error {
	for asked := false; ; asked = true {
		err := l.pin(l.manager.ctx, p)
		if asked && errors.Is(err, ErrConflict) {
			err = l.kept(p)
		}
		if err == nil || errors.Is(err, ErrConflict) || l.manager.ctx.Err() != nil {
			return err
		}
		l.pause()
	}
}

// kept is nil if a promise stands or has led to its match, and [ErrConflict] if it came too late.
func (l *Lobby) kept(p place) error {
	l.mu.Lock()
	stands := l.wall[keyOf(p.Player.ID)].Match == p.Match
	l.mu.Unlock()
	if stands {
		return nil
	}
	ctx, cancel := context.WithTimeout(l.manager.ctx, l.manager.cfg.Patience)
	defer cancel()
	_, err := l.manager.cfg.Journal.Read(ctx, p.Match, 0)
	if errors.Is(err, ErrNoSuchMatch) {
		return ErrConflict
	}
	return err
}

// takeBack frees a place whose player was promised a match that the other did not take.
func (l *Lobby) takeBack(s *Seek, id ID, err error) {
	if !errors.Is(err, ErrConflict) {
		l.pause()
	}
	l.mu.Lock()
	p := l.wall[keyOf(s.player.ID)]
	kept := s.laying || s.over
	l.mu.Unlock()
	if !kept && p.Match == id {
		_ = l.pin(l.manager.ctx, p.free()) // else it is renewed as it is, and becomes void if the board stays away
	}
	l.mu.Lock()
	s.claiming = false
	cancelled := s.cancelled && !s.laying
	l.review(p.Variant)
	l.mu.Unlock()
	if cancelled {
		l.giveUp(s)
	}
}

// keepPromises has the table laid that p's player is promised, if that holds and one of the two is at this node. The board may show a promise
// when the other's place has gone from it already.
func (l *Lobby) keepPromises(p place) {
	other := l.wall[keyOf(p.Other.ID)]
	if both := other.Match == p.Match; p.Match == "" || !both && !p.holds() {
		return
	} else if !both {
		other = place{}
	}
	var here []*Seek
	for _, who := range []place{p, other} {
		if s := l.seeks[who.Player.ID]; s != nil && who.Node == l.manager.nodes.self && !s.laying {
			s.laying = true
			here = append(here, s)
		}
	}
	if len(here) > 0 {
		l.work.Go(func() { l.seat(p, here) })
	}
}

// fulfil seats a player whose claim is known to hold, unless the board has shown so already.
func (l *Lobby) fulfil(p place, s *Seek) {
	l.mu.Lock()
	late := s.laying || s.over
	s.laying = true
	l.mu.Unlock()
	if !late {
		l.seat(p, []*Seek{s})
	}
}

// seat lays the table of a match that was promised, as often as it takes, and delivers the match to those of its players who are here. If
// one is at another node, that node does the same, and the table is laid once.
func (l *Lobby) seat(p place, here []*Seek) {
	m := l.manager
	for {
		err := errBroken
		contain(m.cfg.Log, "pairing", func() { err = m.openShared(m.ctx, p.Match, p.opening()) })
		switch {
		case err == nil:
			l.deliver(p.Match, here)
			return
		case errors.Is(err, ErrDraining), m.ctx.Err() != nil:
			l.deliver("", here)
			return
		}
		m.cfg.Log.Warn("two who waited could not be seated",
			"match", string(p.Match), "one", string(p.Player.ID), "other", string(p.Other.ID), "error", err)
		l.pause()
	}
}

// deliver tells seeks their match, if there is one, which is their end, and takes their places down. A note that stays becomes void by
// itself.
func (l *Lobby) deliver(id ID, seeks []*Seek) {
	l.mu.Lock()
	places := make([]place, 0, len(seeks))
	for _, s := range seeks {
		if id != "" && !s.over {
			s.status.Match = id
			s.box.put(s.status)
		}
		places = append(places, l.wall[keyOf(s.player.ID)])
		l.end(s)
	}
	l.mu.Unlock()
	for _, p := range places {
		_ = l.unpin(p)
	}
}

// giveUp takes a place down, unless its player has been promised a match.
func (l *Lobby) giveUp(s *Seek) {
	for {
		l.mu.Lock()
		p, stands := l.wall[keyOf(s.player.ID)]
		s.cancelled = true
		promised := stands && p.Node == l.manager.nodes.self && (p.holds() || s.claiming)
		over := s.over || s.laying || promised
		l.mu.Unlock()
		if over {
			return
		}
		err := error(nil)
		if stands && p.Node == l.manager.nodes.self {
			err = l.unpin(p)
		}
		if !errors.Is(err, ErrConflict) { // a board that does not answer lets the note become void
			l.mu.Lock()
			defer l.mu.Unlock()
			l.end(s)
			return
		}
		if l.manager.ctx.Err() != nil {
			return
		}
		l.pauseUnless(keyOf(s.player.ID), p.note.Revision)
	}
}

// pauseUnless waits a moment for the board to show what a change was refused for, unless it does already.
func (l *Lobby) pauseUnless(key string, revision uint64) {
	l.mu.Lock()
	seen := l.wall[key].note.Revision != revision
	l.mu.Unlock()
	if !seen {
		l.pause()
	}
}

// pause waits until what has failed may be tried again.
func (l *Lobby) pause() {
	timer := time.NewTimer(backOff)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-l.manager.ctx.Done():
	}
}

// openShared opens a match that other nodes may be opening too.
func (m *Manager) openShared(ctx context.Context, id ID, o opening) error {
	p, err := m.plan(id, o, "")
	if err != nil {
		return err
	}
	p.shared = true
	return m.lay(ctx, id, p)
}
