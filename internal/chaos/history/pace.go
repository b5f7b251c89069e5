package history

import (
	"maps"
	"slices"
	"strings"
	"time"

	"notakto/sshapp/bot/botproto"
)

// enoughPlayers is how many connections a node needs for a time without a move to count.
const enoughPlayers = 6

// seekLimit is how long a seek may go without an answer, and two seeks of one variant may both wait.
const seekLimit = 15 * time.Second

// pace is the play at one node since a limit was set.
type pace struct {
	players int           // open connections
	since   time.Duration // the last move, or the time from which one is expected
}

// seek is a player who waits for an opponent.
type seek struct {
	who, where, variant string
	since               time.Duration
	answered            bool // the server has confirmed it
}

// at returns the pace of a node.
func (c *checker) at(node string) *pace {
	if c.paces[node] == nil {
		c.paces[node] = &pace{since: c.now.At}
	}
	return c.paces[node]
}

// count adds one connection to a node, or removes one.
func (c *checker) count(node string, change int) {
	p := c.at(node)
	switch {
	case p.players < enoughPlayers:
		p.since = c.now.At
	case p.players+change < enoughPlayers:
		c.moves(node)
	}
	p.players += change
}

// limitTo checks all nodes against the limit in force, and then starts to measure by the limit of the present entry.
func (c *checker) limitTo() {
	for _, node := range slices.Sorted(maps.Keys(c.paces)) {
		c.moves(node)
	}
	for _, l := range slices.Sorted(maps.Keys(c.seeks)) {
		c.checkSeek(l)
	}
	c.limit, c.unpaired = c.now, false
	c.done, _, _ = strings.Cut(c.now.Note, " ")
}

// limits reports whether there is a limit for the players of a server.
func (c *checker) limits(node string) bool {
	return c.limit.Limit > 0 && (c.limit.Who == "" || c.limit.Who != node)
}

// moves records that a player's own move was received at a node, or that none is expected any more, and checks how long
// that took.
func (c *checker) moves(node string) {
	p := c.at(node)
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

// seeking records a seek that a client requests.
func (c *checker) seeking(number int, line botproto.Request) {
	if line.Do == botproto.DoSeek {
		variant := line.Variant
		if line.Rated {
			variant = "a rated pair"
			c.unused[c.links[number].who]++
		}
		c.seeks[number] = &seek{who: c.links[number].who, where: c.links[number].where, variant: variant, since: c.now.At}
	}
}

// checkWaiting records the server's answer to a seek: it waits, it has led to a match, or it is over.
func (c *checker) checkWaiting(number int, event botproto.Event) {
	s, l := c.seeks[number], c.links[number]
	if s == nil {
		return
	}
	over := false
	switch event := event.(type) {
	case botproto.Seeking:
		c.answers(s)
	case botproto.Match:
		asked := l.request != nil && (l.request.Do == botproto.DoState || l.request.Do == botproto.DoWatch)
		over = event.Started() && !asked && !isSecondGame(event)
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

// answers checks how long a seek has gone without an answer.
func (c *checker) answers(s *seek) {
	if wait := c.now.At - max(s.since, c.limit.At); !s.answered && c.limits(s.where) && wait > seekLimit {
		c.fault(Stalled, nil, "%s seeks and has no answer for %v after %q", s.who, wait.Round(time.Millisecond), c.limit.Note)
	}
	s.answered = true
}

// checkSeek checks how long a seek has waited beside another that could be paired with it.
func (c *checker) checkSeek(number int) {
	s := c.seeks[number]
	c.answers(s)
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
