package load

import (
	"slices"

	"notakto/match"
)

// maxLive is how many matches are listed for spectators.
const maxLive = 32

// offer offers a code to other bots.
func (c *Generator) offer(o offer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !slices.Contains(c.offers, o) {
		c.offers = append(c.offers, o)
	}
}

// take returns a code that another bot offered.
func (c *Generator) take(who string) (offer, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, o := range c.offers {
		if o.host != who {
			c.offers = slices.Delete(c.offers, i, i+1)
			return o, true
		}
	}
	return offer{}, false
}

// show lists a match for spectators.
func (c *Generator) show(id match.ID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !slices.Contains(c.live, id) {
		c.live = append(c.live[max(0, len(c.live)-maxLive+1):], id)
	}
}

// sight returns a match in progress; empty if there is none.
func (c *Generator) sight(roll func(int) int) match.ID {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.live) == 0 {
		return ""
	}
	return c.live[roll(len(c.live))]
}

// hide removes an ended match.
func (c *Generator) hide(id match.ID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.live = slices.DeleteFunc(c.live, func(m match.ID) bool { return m == id })
}
