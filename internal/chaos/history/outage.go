package history

import (
	"math"
	"strings"
	"time"

	"notakto/sshapp/bot/botproto"
	"notakto/sshapp/wire"
)

const (
	// toldWithin is the longest time that a client may be connected in an outage without being told: the server tells
	// after six seconds, and one attempt to record may take three more.
	toldWithin = 12 * time.Second
	// chargedAtMost may be charged beyond the recordable time of a turn: a server that checks once a second may miss an
	// outage of up to a second and a half.
	chargedAtMost = 1500 * time.Millisecond
	// stillRecorded is the longest time from the last move to another one at the beginning of an outage.
	stillRecorded = time.Second

	maxTime = time.Duration(math.MaxInt64)
)

// outage is a time in which no server could record.
type outage struct{ begun, ended time.Duration }

// endOutage ends an outage that goes on: clients must have been told of it.
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

// recorded narrows an outage that goes on by the time of a new move. Until a disk is full it takes some moves: the
// outage begins after them. After a time without moves, the next one ends the outage.
func (c *checker) recorded() {
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

// told records that a client was told that nothing can be recorded.
func (c *checker) told(l *link, line botproto.Notice) {
	l.told = l.told || strings.HasPrefix(line.Message, "nothing can be recorded")
}

// recordable returns how much of the time since then was in no outage.
func (c *checker) recordable(since time.Duration) time.Duration {
	left := c.now.At - since
	for _, o := range c.outages {
		left -= max(0, min(o.ended, c.now.At)-max(o.begun, since))
	}
	return left
}

// clocks are those after a move, if a move event was the first to tell it.
type clocks struct {
	ply  int
	left wire.Clocks
}

// charged checks what a new move has cost its player, in a match whose clock adds nothing. A move event must have told
// the move before.
func (c *checker) charged(h *history, line botproto.Move) {
	if line.Ply == len(h.moves)+1 {
		c.recorded()
	}
	if line.Ply != len(h.moves)+1 || line.Clocks == nil || !line.Seat.Valid() || h.pair.Game == 0 {
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
