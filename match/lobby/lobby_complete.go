package lobby

import (
	"errors"

	"notakto/match"
)

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
func (p ticket) drawPair(o match.Opening) match.Opening {
	if o.Pool.IsRated() {
		o.Pair = match.FirstGame(p.Seed)
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
