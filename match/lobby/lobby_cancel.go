package lobby

import (
	"notakto/match"
)

// cancelSeek deletes a ticket, unless it is paired, and ends its seek. It repeats a failed delete until the entry has
// long expired, so that no pairing can be under way any more.
func (l *Lobby) cancelSeek(s *Seek) {
	for {
		l.mu.Lock()
		p := l.tickets[keyOf(s.player.ID)]
		s.isCancelled = true
		stands := l.seekOf(p) == s
		settled := s.state >= seekPairing
		l.mu.Unlock()
		if settled {
			return
		}
		err := error(nil)
		if stands {
			err = l.delete(p)
		}
		if err == nil || l.ctx.Err() != nil || l.age(p) > 2*match.EntryTTL {
			l.endUnlessOpening(s)
			return
		}
		l.pauseUnless(keyOf(s.player.ID), p.entry.Revision)
	}
}

func (l *Lobby) endUnlessOpening(s *Seek) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s.state != seekOpening {
		l.endSeek(s)
	}
}
