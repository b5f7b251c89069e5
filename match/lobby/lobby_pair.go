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
