package history

import (
	"math"
	"strings"
	"time"

	"notakto/sshapp/bot/botproto"
	"notakto/sshapp/wire"
)

const (
	// toldWithin is the time in an outage after which a client must have been told of it. The check comes at the end of
	// the outage. The server sends the notice after six seconds, and one attempt to record may take three more.
	toldWithin = 12 * time.Second
	// chargedAtMost may be charged beyond the recordable time of a turn. A server checks once a second, and may miss an
	// outage of up to a second and a half.
	chargedAtMost = 1500 * time.Millisecond
	// stillRecorded is the time after a move within which the next move does not end an outage. A disk that fills up
	// still takes some moves.
	stillRecorded = time.Second

	maxTime = time.Duration(math.MaxInt64)
)

// outage is a period when no server could record events. ended is maxTime while the outage goes on.
type outage struct{ begun, ended time.Duration }

func isOutageNotice(n botproto.Notice) bool {
	return strings.HasPrefix(n.Message, "the server cannot save moves")
}

// presentOutage returns nil if there is none.
func (b *Book) presentOutage() *outage {
	if n := len(b.outages); n > 0 && b.outages[n-1].ended == maxTime {
		return &b.outages[n-1]
	}
	return nil
}

// endOutage ends the present outage, if any, and checks that clients were told of the outage.
func (b *Book) endOutage() {
	o := b.presentOutage()
	if o == nil {
		return
	}
	o.ended = b.at
	b.Figures.Out += o.ended - o.begun
	for l := range b.open {
		switch waited := o.ended - max(o.begun, l.since); {
		case l.told:
			b.Figures.Told++
		case l.id != "" && waited > toldWithin:
			b.fault(Untold, "%s was not told for %v that nothing can be recorded", l.who, waited)
		}
		l.told = false
	}
}

// recordable returns the time from since until now, without outages.
func (b *Book) recordable(since time.Duration) time.Duration {
	left := b.at - since
	for _, o := range b.outages {
		left -= max(0, min(o.ended, b.at)-max(o.begun, since))
	}
	return left
}

// clocks holds the clocks after a ply. A move event that is the first to show its ply sets them.
type clocks struct {
	ply  int
	left wire.Clocks
}

// checkCharge ends an outage at a new move, and checks the time that the move has cost its player. The calculation
// needs a clock without increment, as in rated pairs, and the clocks of the ply before, known only if a move event
// showed that ply first.
func (b *Book) checkCharge(h *history, m botproto.Move) {
	if m.Ply != len(h.moves)+1 {
		return
	}
	// The disk still takes some moves before it is full, and the outage begins after the last of them. After
	// stillRecorded without a move, the next move ends the outage.
	if o := b.presentOutage(); o != nil && b.at-o.begun < stillRecorded {
		o.begun = b.at
	} else {
		b.endOutage()
	}
	if m.Clocks == nil || !m.Seat.IsValid() || h.game == 0 {
		return
	}
	if h.clocks.ply == m.Ply-1 && m.Ply > 1 {
		cost := time.Duration(h.clocks.left[m.Seat-1]-m.Clocks[m.Seat-1]) * time.Millisecond
		over := cost - b.recordable(h.turned)
		b.Figures.Charged = max(b.Figures.Charged, over)
		if over > chargedAtMost {
			b.fault(Charged, "%s: ply %d has cost %v, %v more than there was", m.Match, m.Ply, cost, over)
		}
	}
	h.clocks = clocks{m.Ply, *m.Clocks}
}
