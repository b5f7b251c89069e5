package history

import (
	"maps"
	"slices"
	"strings"
	"time"

	"notakto/sshapp/bot/botproto"
)

// enoughPlayers is the number of connections that makes a node busy. A node with fewer may go without a move.
const enoughPlayers = 6

// seekLimit limits the wait for the answer to a seek, and the wait of two seeks of one variant to be paired.
const seekLimit = 15 * time.Second

// pace measures the play at one node.
type pace struct {
	players int           // open connections
	since   time.Duration // time of the last move, or later if no move was expected then
}

// seek is a player's request for an opponent.
type seek struct {
	who, where, variant string
	since               time.Duration
	answered            bool // the server has confirmed the seek
}

func (c *checker) pace(node string) *pace {
	if c.paces[node] == nil {
		c.paces[node] = &pace{since: c.now.At}
	}
	return c.paces[node]
}

// countConnection adds change, 1 or -1, to the connections of a node.
func (c *checker) countConnection(node string, change int) {
	p := c.pace(node)
	switch {
	case p.players < enoughPlayers:
		p.since = c.now.At
	case p.players+change < enoughPlayers:
		c.checkPause(node)
	}
	p.players += change
}

// startLimit checks all nodes against the limit in force, and replaces that limit by the present entry's.
func (c *checker) startLimit() {
	for _, node := range slices.Sorted(maps.Keys(c.paces)) {
		c.checkPause(node)
	}
	for _, l := range slices.Sorted(maps.Keys(c.seeks)) {
		c.checkSeek(l)
	}
	c.limit, c.unpaired = c.now, false
	c.done, _, _ = strings.Cut(c.now.Note, " ")
}

func (c *checker) limits(node string) bool {
	return c.limit.Limit > 0 && (c.limit.Who == "" || c.limit.Who != node)
}

// checkPause checks the time since the last move at a node and starts the next pause. Callers are a new move, a new
// limit, and the loss of a connection that the node needs to be busy.
func (c *checker) checkPause(node string) {
	p := c.pace(node)
	gap := c.now.At - p.since
	p.since = c.now.At
	if !c.limits(node) || p.players < enoughPlayers {
		return
	}
	c.Figures.Pauses[c.done] = max(c.Figures.Pauses[c.done], gap)
	if gap > c.limit.Limit {
		c.fault(Stalled, nil, "no move at %s for %v after %q; %v is the limit",
			node, gap.Round(time.Millisecond), c.limit.Note, c.limit.Limit)
	}
}

func (c *checker) addSeek(number int, line botproto.Request) {
	if line.Do == botproto.DoSeek {
		variant := line.Variant
		if line.Rated {
			variant = "a rated pair"
			c.unused[c.links[number].who]++
		}
		c.seeks[number] = &seek{who: c.links[number].who, where: c.links[number].where, variant: variant, since: c.now.At}
	}
}

// updateSeek updates the seek of a connection by an event. The seek ends with a match, a cancellation or an error.
func (c *checker) updateSeek(number int, event botproto.Event) {
	s, l := c.seeks[number], c.links[number]
	if s == nil {
		return
	}
	over := false
	switch event := event.(type) {
	case botproto.Seeking:
		c.checkAnswered(s)
	case botproto.Match:
		asked := l.request != nil && (l.request.Do == botproto.DoState || l.request.Do == botproto.DoWatch)
		over = event.HasStarted() && !asked && !isSecondGame(event)
	case botproto.Cancelled:
		over = true
	case botproto.Error:
		over = event.Do == botproto.DoSeek
	}
	if over {
		c.checkSeek(number)
		delete(c.seeks, number)
	}
}

func (c *checker) checkAnswered(s *seek) {
	if wait := c.now.At - max(s.since, c.limit.At); !s.answered && c.limits(s.where) && wait > seekLimit {
		c.fault(Stalled, nil, "%s seeks and has no answer for %v after %q", s.who, wait.Round(time.Millisecond), c.limit.Note)
	}
	s.answered = true
}

// checkSeek checks the time that a seek has waited together with another seek of one variant.
func (c *checker) checkSeek(number int) {
	s := c.seeks[number]
	c.checkAnswered(s)
	if !c.limits(s.where) {
		return
	}
	for other, o := range c.seeks {
		wait := c.now.At - max(s.since, o.since, c.limit.At)
		if other == number || o.who == s.who || !c.limits(o.where) || o.variant != s.variant {
			continue
		}
		c.Figures.Waits = max(c.Figures.Waits, wait)
		if wait > seekLimit && !c.unpaired {
			c.unpaired = true
			c.fault(Stalled, nil, "%s and %s both seek %s for %v after %q",
				s.who, o.who, s.variant, wait.Round(time.Millisecond), c.limit.Note)
		}
	}
}
