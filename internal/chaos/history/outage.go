package history

import (
	"math"
	"strings"
	"time"

	"notakto/sshapp/bot/botproto"
	"notakto/sshapp/wire"
)

const (
	// toldWithin is the longest time that a client may be connected during an outage without a notice. The server sends
	// the notice after six seconds, and one attempt to record may take three more.
	toldWithin = 12 * time.Second
	// chargedAtMost may be charged beyond the recordable time of a turn. A server checks once a second, and may miss an
	// outage of up to a second and a half.
	chargedAtMost = 1500 * time.Millisecond
	// stillRecorded is the longest time between two moves at the beginning of an outage, while the disk has space left.
	stillRecorded = time.Second

	maxTime = time.Duration(math.MaxInt64)
)

// outage is a period when no server could record events. ended is maxTime while the outage goes on.
type outage struct{ begun, ended time.Duration }

// endOutage ends the present outage, if any, and checks that clients were told of the outage.
func (c *checker) endOutage() {
	if len(c.outages) == 0 || c.outages[len(c.outages)-1].ended != maxTime {
		return
	}
	o := &c.outages[len(c.outages)-1]
	o.ended = c.now.At
	c.Figures.Out += o.ended - o.begun
	for _, l := range c.links {
		switch waited := o.ended - max(o.begun, l.since); {
		case l.told:
			c.Figures.Told++
		case !l.cutting && l.id != "" && waited > toldWithin:
			c.fault(Untold, nil, "%s was not told for %v that nothing can be recorded", l.who, waited.Round(time.Millisecond))
		}
		l.told = false
	}
}

// narrowOutage adapts the present outage to a new move. The disk still takes some moves before it is full, and the
// outage begins after the last of them. After stillRecorded without a move, the next move ends the outage.
func (c *checker) narrowOutage() {
	if len(c.outages) == 0 {
		return
	}
	switch o := &c.outages[len(c.outages)-1]; {
	case o.ended != maxTime:
	case c.now.At-o.begun < stillRecorded:
		o.begun = c.now.At
	default:
		c.endOutage()
	}
}

func (c *checker) handleNotice(l *link, line botproto.Notice) {
	l.told = l.told || strings.HasPrefix(line.Message, "the server cannot save moves")
}

// recordable returns the time from since until now, without outages.
func (c *checker) recordable(since time.Duration) time.Duration {
	left := c.now.At - since
	for _, o := range c.outages {
		left -= max(0, min(o.ended, c.now.At)-max(o.begun, since))
	}
	return left
}

// clocks are the clocks after a ply that a move event was the first to show.
type clocks struct {
	ply  int
	left wire.Clocks
}

// checkCharge checks the time that a new move has cost its player. The calculation needs a clock without increment,
// as in rated pairs, and the clocks of the ply before, known only if a move event showed that ply first.
func (c *checker) checkCharge(h *history, line botproto.Move) {
	if line.Ply == len(h.moves)+1 {
		c.narrowOutage()
	}
	if line.Ply != len(h.moves)+1 || line.Clocks == nil || !line.Seat.IsValid() || h.pair.Game == 0 {
		return
	}
	if h.clocks.ply == line.Ply-1 && line.Ply > 1 {
		side := line.Seat - 1
		cost := time.Duration(h.clocks.left[side]-line.Clocks[side]) * time.Millisecond
		over := cost - c.recordable(h.turned)
		c.Figures.Charged = max(c.Figures.Charged, over)
		if over > chargedAtMost {
			c.fault(Charged, h, "ply %d has cost %v, %v more than there was", line.Ply, cost, over.Round(time.Millisecond))
		}
	}
	h.clocks = clocks{line.Ply, *line.Clocks}
}
