package lobby

import (
	"context"
	"errors"

	"notakto/match"
)

// pair reserves two tickets for a match, the one of the seek first, whose player gets the drawn side. The pairing is
// final once the second ticket records it, even if this node then fails.
func (l *Lobby) pair(s *Seek, next pairOfTickets, drawn Drawn) {
	first, second := next.first, next.second
	mine := first.promised(drawn, next.terms, drawn.Side, second)
	mine.Claims = true
	err := errPanicked
	match.RecoverPanic(l.cfg.Log, "pairing", func() {
		if _, err = l.put(l.ctx, mine); err == nil {
			err = l.confirmPairing(second.promised(drawn, next.terms, drawn.Side.Other(), first))
		}
	})
	if err == nil {
		l.finishPairing(mine, s)
		return
	}
	if !errors.Is(err, match.ErrConflict) && l.ctx.Err() == nil {
		l.cfg.Log.Warn("two who wait could not be paired", "event", "pairing-failed", "one", string(first.Player.ID),
			"other", string(second.Player.ID), "error", err)
	}
	if errors.Is(err, match.ErrConflict) {
		l.pauseUnless(keyOf(first.Player.ID), first.entry.Revision)
		l.pauseUnless(keyOf(second.Player.ID), second.entry.Revision)
	} else {
		l.pause()
	}
	l.releaseTicket(s, drawn.ID)
}

// confirmPairing puts the second ticket until it is known whether that succeeded: if it did, the other player's node
// opens the match. [match.ErrConflict] if not.
func (l *Lobby) confirmPairing(p ticket) error {
	for asked := false; ; asked = true {
		_, err := l.put(l.ctx, p)
		if asked && errors.Is(err, match.ErrConflict) {
			err = l.checkPairing(p)
		}
		if err == nil || errors.Is(err, match.ErrConflict) || l.ctx.Err() != nil {
			return err
		}
		l.pause()
	}
}

// checkPairing returns nil if a pairing is final or has led to its match, and [match.ErrConflict] if it failed.
func (l *Lobby) checkPairing(p ticket) error {
	l.mu.Lock()
	stands := l.tickets[keyOf(p.Player.ID)].Match == p.Match
	l.mu.Unlock()
	if stands {
		return nil
	}
	ctx, cancel := context.WithTimeout(l.ctx, l.cfg.JournalTimeout)
	defer cancel()
	_, err := l.cfg.Journal.Load(ctx, p.Match, 0)
	if errors.Is(err, match.ErrNoSuchMatch) {
		return match.ErrConflict
	}
	return err
}

// releaseTicket frees a ticket whose pairing failed.
func (l *Lobby) releaseTicket(s *Seek, id match.ID) {
	l.mu.Lock()
	p := l.tickets[keyOf(s.player.ID)]
	kept := s.state >= seekOpening
	l.mu.Unlock()
	if !kept && p.Match == id {
		_, _ = l.put(l.ctx, p.free()) // else it is renewed as it is, and expires if the registry stays unavailable
	}
	l.mu.Lock()
	if s.state == seekPairing {
		s.state = seekWaiting
	}
	cancelled := s.isCancelled && s.state != seekOpening
	l.update()
	l.mu.Unlock()
	if cancelled {
		l.cancelSeek(s)
	}
}

// completePairing opens the match that p's player is paired in, if the pairing is final and one of the two players is
// at this node. The registry may deliver one ticket of a pairing after the other has been deleted.
func (l *Lobby) completePairing(p ticket) {
	other := l.tickets[keyOf(p.Other.ID)]
	if both := other.Match == p.Match; p.Match == "" || !both && !p.holds() {
		return
	} else if !both {
		other = ticket{}
	}
	var here []*Seek
	for _, who := range []ticket{p, other} {
		if s := l.seekOf(who); s != nil && s.state < seekOpening {
			s.state = seekOpening
			here = append(here, s)
		}
	}
	if len(here) > 0 {
		l.spawn(func() { l.openAndTell(p, here) })
	}
}

// finishPairing seats a player whose pairing is known to be final, unless the registry has delivered that already.
func (l *Lobby) finishPairing(p ticket, s *Seek) {
	l.mu.Lock()
	late := s.state >= seekOpening
	s.state = max(s.state, seekOpening)
	l.mu.Unlock()
	if !late {
		l.openAndTell(p, []*Seek{s})
	}
}

// openAndTell opens a match, repeating until it succeeds, and notifies those of its players who are at this node. The
// other player's node does the same; the match opens once.
func (l *Lobby) openAndTell(p ticket, here []*Seek) {
	for {
		err := errPanicked
		match.RecoverPanic(l.cfg.Log, "pairing", func() {
			err = l.cfg.Opener.OpenShared(l.ctx, p.Match, p.drawPair(l.openingOf(p)))
		})
		switch {
		case err == nil:
			l.notifySeekers(p.Match, here)
			return
		case errors.Is(err, match.ErrDraining), errors.Is(err, match.ErrNoSuchTable), l.ctx.Err() != nil:
			l.notifySeekers("", here)
			return
		}
		l.cfg.Log.Warn("two who waited could not be seated", "event", "pairing-failed",
			"match", string(p.Match), "one", string(p.Player.ID), "other", string(p.Other.ID), "error", err)
		l.pause()
	}
}

// drawPair returns o as the first game of a pair if the match is rated. Both players' nodes draw the same.
func (t ticket) drawPair(o match.Opening) match.Opening {
	if o.Pool.IsRated() {
		o.Pair = match.FirstGame(t.Seed)
	}
	return o
}

// openingOf returns the match that a ticket is paired in, with its players at the nodes of their current tickets: a
// player may have moved to another node since.
func (l *Lobby) openingOf(p ticket) match.Opening {
	l.mu.Lock()
	defer l.mu.Unlock()
	o := p.opening()
	for i, player := range o.Players {
		if now := l.tickets[keyOf(player.ID)]; now.Match == p.Match {
			o.Nodes[i] = now.Node
		}
	}
	return o
}

// notifySeekers sends seeks their match, if there is one, ends them and deletes their tickets. A ticket that cannot be
// deleted expires.
func (l *Lobby) notifySeekers(id match.ID, seeks []*Seek) {
	l.mu.Lock()
	places := make([]ticket, 0, len(seeks))
	for _, s := range seeks {
		if id != "" && s.state != seekOver {
			s.status.Match = id
			s.box.Put(s.status)
		}
		if p := l.tickets[keyOf(s.player.ID)]; l.seekOf(p) == s {
			places = append(places, p)
		}
		l.endSeek(s)
	}
	l.mu.Unlock()
	for _, p := range places {
		_ = l.delete(p)
	}
}
