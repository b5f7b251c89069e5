package lobby

import (
	"time"

	"notakto/match"
)

// cancel takes a place down, unless its player has been promised a match, and ends its seek. A board that does not
// answer is asked again until the entry has long been void, so that no promise can be on its way any more.
func (l *Lobby) cancel(s *Seek) {
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
		l.pauseUnless(keyOf(s.player.ID), p.note.Revision)
	}
}

func (l *Lobby) endUnlessOpening(s *Seek) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s.state != seekOpening {
		l.end(s)
	}
}

// pauseUnless waits a moment for the registry to show what a change was refused for, unless it does already.
func (l *Lobby) pauseUnless(key string, revision uint64) {
	l.mu.Lock()
	seen := l.tickets[key].note.Revision != revision
	l.mu.Unlock()
	if !seen {
		l.pause()
	}
}

// pause waits until what has failed may be tried again.
func (l *Lobby) pause() {
	timer := time.NewTimer(retryAfter)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-l.ctx.Done():
	}
}
