package history

import (
	"strings"
	"time"

	"notakto/sshapp/bot/botproto"
)

// enoughPlayers is the number of connections that makes a server busy. A server with fewer may go without a move.
const enoughPlayers = 6

// seekLimit limits the wait for the answer to a seek, and the wait of two seeks of one variant to be paired.
const seekLimit = 15 * time.Second

// pace measures the play at one server.
type pace struct {
	players int           // open connections
	since   time.Duration // when the present pause began
}

// seek is a player's request for an opponent.
type seek struct {
	variant  string
	since    time.Duration
	answered bool // the server has confirmed the seek, or the wait for that was checked
}

// countPlayer adds change, 1 or -1, to the connections of a server.
func (b *Book) countPlayer(server string, change int) {
	p := b.paces[server]
	if p == nil {
		p = &pace{}
		b.paces[server] = p
	}
	if p.players < enoughPlayers {
		p.since = b.at
	} else if p.players+change < enoughPlayers {
		b.checkPause(server)
	}
	p.players += change
}

// startLimit checks all servers against the limit in force, and replaces that limit.
func (b *Book) startLimit(next Mark) {
	for server := range b.paces {
		b.checkPause(server)
	}
	for l := range b.open {
		l.checkSeek()
	}
	b.limit, b.limited, b.unpaired = next, b.at, false
}

func (b *Book) isLimited(server string) bool { return b.limit.Limit > 0 && b.limit.Exempt != server }

// checkPause checks the time since the last move at a server and starts the next pause. It is called for a new move,
// for a new limit, and when a server is about to lose the connection that makes it busy.
func (b *Book) checkPause(server string) {
	p := b.paces[server]
	gap := b.at - p.since
	p.since = b.at
	if !b.isLimited(server) || p.players < enoughPlayers {
		return
	}
	after, _, _ := strings.Cut(b.limit.What, " ")
	b.Figures.Pauses[after] = max(b.Figures.Pauses[after], gap)
	if gap > b.limit.Limit {
		b.fault(Stalled, "no move at %s for %v after %q; %v is the limit", server, gap, b.limit.What, b.limit.Limit)
	}
}

func (l *Link) startSeek(r botproto.Request) {
	b, variant := l.book, r.Variant
	if r.Rated {
		variant = "a rated pair"
		b.unused[l.who]++
	}
	if b.open[l] {
		l.seek = &seek{variant: variant, since: b.at}
	}
}

// updateSeek ends the seek at a match from the queue, a cancellation or an error.
func (l *Link) updateSeek(event botproto.Event) {
	switch event := event.(type) {
	case botproto.Seeking:
		l.checkAnswered()
	case botproto.Match:
		isSecondGame := event.Pair != nil && event.Pair.Game == 2
		if event.HasStarted() && l.request.Do != botproto.DoState && l.request.Do != botproto.DoWatch && !isSecondGame {
			l.endSeek()
		}
	case botproto.Cancelled:
		l.endSeek()
	case botproto.Error:
		if event.Do == botproto.DoSeek {
			l.endSeek()
		}
	}
}

func (l *Link) endSeek() {
	l.checkSeek()
	l.seek = nil
}

// checkAnswered checks the wait for the answer to a seek, once for each seek.
func (l *Link) checkAnswered() {
	b, s := l.book, l.seek
	if s == nil {
		return
	}
	if wait := b.at - max(s.since, b.limited); !s.answered && b.isLimited(l.where) && wait > seekLimit {
		b.fault(Stalled, "%s seeks and has no answer for %v after %q", l.who, wait, b.limit.What)
	}
	s.answered = true
}

// checkSeek checks the time that a seek has waited together with another seek of one variant.
func (l *Link) checkSeek() {
	b, s := l.book, l.seek
	if l.checkAnswered(); s == nil || !b.isLimited(l.where) {
		return
	}
	for other := range b.open {
		o := other.seek
		if o == nil || other.who == l.who || o.variant != s.variant || !b.isLimited(other.where) {
			continue
		}
		wait := b.at - max(s.since, o.since, b.limited)
		b.Figures.Waits = max(b.Figures.Waits, wait)
		if wait > seekLimit && !b.unpaired {
			b.unpaired = true
			b.fault(Stalled, "%s and %s both seek %s for %v after %q", l.who, other.who, s.variant, wait, b.limit.What)
		}
	}
}
