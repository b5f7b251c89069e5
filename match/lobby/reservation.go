package lobby

import (
	"context"
	"errors"
	"slices"

	"notakto/match"
	"notakto/rules"
)

// reservation is an attempt to pair two tickets for a match. The first of them is that of a seek of this node, whose
// player gets the drawn side. It runs in a goroutine of its own, and changes nothing in memory but the state of that
// seek, under the lobby's lock.
type reservation struct {
	lobby *Lobby
	seek  *Seek
	pairOfTickets
	drawn Drawn
}

// run puts the first ticket with the pairing, then the second one. The pairing is final once the second ticket records
// it, even if this node then fails.
func (r *reservation) run() {
	l := r.lobby
	mine := r.first.promised(r.drawn, r.terms, r.drawn.Side, r.second)
	mine.Claims = true
	err := errPanicked
	match.RecoverPanic(l.cfg.Log, "pairing", func() {
		if _, err = l.put(l.ctx, mine); err == nil {
			err = r.confirm()
		}
	})
	if err == nil {
		l.mu.Lock()
		late := r.seek.state >= seekOpening // the registry has delivered the pairing already
		r.seek.state = max(r.seek.state, seekOpening)
		l.mu.Unlock()
		if !late {
			l.openAndTell(mine, []*Seek{r.seek})
		}
		return
	}
	if !errors.Is(err, match.ErrConflict) && l.ctx.Err() == nil {
		l.cfg.Log.Warn("two who wait could not be paired", "event", "pairing-failed", "one", string(r.first.Player.ID),
			"other", string(r.second.Player.ID), "error", err)
	}
	if errors.Is(err, match.ErrConflict) {
		l.pauseUnless(keyOf(r.first.Player.ID), r.first.entry.Revision)
		l.pauseUnless(keyOf(r.second.Player.ID), r.second.entry.Revision)
	} else {
		l.pause()
	}
	r.release()
}

// confirm puts the second ticket until it is known whether that succeeded: if it did, the other player's node opens the
// match. [match.ErrConflict] if not.
func (r *reservation) confirm() error {
	theirs := r.second.promised(r.drawn, r.terms, r.drawn.Side.Other(), r.first)
	for asked := false; ; asked = true {
		_, err := r.lobby.put(r.lobby.ctx, theirs)
		if asked && errors.Is(err, match.ErrConflict) {
			err = r.check()
		}
		if err == nil || errors.Is(err, match.ErrConflict) || r.lobby.ctx.Err() != nil {
			return err
		}
		r.lobby.pause()
	}
}

// check returns nil if the pairing is final or has led to its match, and [match.ErrConflict] if it failed.
func (r *reservation) check() error {
	l := r.lobby
	l.mu.Lock()
	stands := l.queue.ticket(r.second.Player.ID).Match == r.drawn.ID
	l.mu.Unlock()
	if stands {
		return nil
	}
	err := l.find(r.drawn.ID)
	if errors.Is(err, match.ErrNoSuchMatch) {
		return match.ErrConflict
	}
	return err
}

// find returns nil if a match is recorded, and [match.ErrNoSuchMatch] if it is not.
func (l *Lobby) find(id match.ID) error {
	ctx, cancel := context.WithTimeout(l.ctx, l.cfg.JournalTimeout)
	defer cancel()
	_, err := l.cfg.Journal.Load(ctx, id, 0)
	return err
}

// release frees the first ticket after the pairing has failed.
func (r *reservation) release() {
	l, s := r.lobby, r.seek
	l.mu.Lock()
	p := l.queue.ticket(s.player.ID)
	kept := s.state >= seekOpening
	l.mu.Unlock()
	if !kept && p.Match == r.drawn.ID {
		_, _ = l.put(l.ctx, p.free()) // else dueTickets frees it, or it expires if the registry stays unavailable
	}
	l.mu.Lock()
	if s.state == seekPairing {
		s.state = seekWaiting
	}
	cancelled := s.isCancelled && s.state != seekOpening
	l.update()
	l.mu.Unlock()
	if cancelled {
		s.cancel()
	}
}

// completePairing opens the match that p's player is paired in, if the pairing is final and one of the two players is
// at this node. The registry may deliver one ticket of a pairing after the other has been deleted.
func (l *Lobby) completePairing(p ticket) {
	other := l.queue.ticket(p.Other.ID)
	if both := other.Match == p.Match; p.Match == "" || !both && !p.holds() {
		return
	} else if !both {
		other = ticket{}
	}
	var here []*Seek
	for _, who := range []ticket{p, other} {
		if s := l.seekOf(who); s != nil && s.state < seekOpening && s.brokenOff != p.Match {
			s.state = seekOpening
			here = append(here, s)
		}
	}
	if len(here) > 0 {
		l.spawn(func() { l.openAndTell(p, here) })
	}
}

// openAndTell opens a match, repeating until it succeeds or a player has gone, and notifies those of its players who
// are at this node. The other player's node does the same; the match opens once.
func (l *Lobby) openAndTell(p ticket, here []*Seek) {
	for {
		err := errPanicked
		match.RecoverPanic(l.cfg.Log, "pairing", func() {
			o := l.openingOf(p)
			if o.Pool.IsRated() { // both players' nodes draw the same
				o.Pair = match.FirstGame(p.Seed)
			}
			err = l.cfg.Opener.OpenShared(l.ctx, p.Match, o)
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
		if l.breakOff(p.Match, here) {
			return
		}
	}
}

// breakOff ends a pairing whose match could not be opened once one of the players has given up the seek. The other one
// waits again. It returns false, and does nothing, if a player is at another node, which may open the match, or if the
// match may have been recorded.
func (l *Lobby) breakOff(id match.ID, here []*Seek) bool {
	l.mu.Lock()
	hasGone := slices.ContainsFunc(here, func(s *Seek) bool { return s.isCancelled })
	l.mu.Unlock()
	if !hasGone || len(here) < 2 || !errors.Is(l.find(id), match.ErrNoSuchMatch) {
		return false
	}
	var gone []*Seek
	l.mu.Lock()
	for _, s := range here {
		if s.isCancelled {
			gone = append(gone, s)
		} else {
			s.state, s.brokenOff = seekWaiting, id
		}
	}
	l.mu.Unlock()
	l.notifySeekers("", gone)
	l.Renew(l.ctx) // frees the ticket that is left
	return true
}

// openingOf returns the match that a ticket is paired in, without the opening position of a rated one, which takes time
// to draw. The players are at the nodes of their current tickets: one may have moved to another node since.
func (l *Lobby) openingOf(p ticket) match.Opening {
	o := match.Opening{Terms: p.Terms, Origin: match.QueueOrigin, Players: match.OnSide(p.Side, p.Player, p.Other)}
	o.Nodes = [2]match.Node{p.Node, p.Away}
	if p.Side == rules.Second {
		o.Nodes = [2]match.Node{p.Away, p.Node}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, player := range o.Players {
		if now := l.queue.ticket(player.ID); now.Match == p.Match {
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
		if p := l.queue.ticket(s.player.ID); l.seekOf(p) == s {
			places = append(places, p)
		}
		s.end()
	}
	l.mu.Unlock()
	for _, p := range places {
		_ = l.delete(p)
	}
}
