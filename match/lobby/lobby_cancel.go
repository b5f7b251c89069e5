package lobby

import (
	"notakto/match"
)

// cancelSeek takes a place down, unless its player has been promised a match, and ends its seek. A board that does not
// answer is asked again until the entry has long been void, so that no promise can be on its way any more.
func cancelSeek(l *Lobby, s *Seek) {
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
			endUnlessOpening(l, s)
			return
		}
		l.pauseUnless(keyOf(s.player.ID), p.note.Revision)
	}
}

func endUnlessOpening(l *Lobby, s *Seek) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s.state != seekOpening {
		endSeek(l, s)
	}
}
