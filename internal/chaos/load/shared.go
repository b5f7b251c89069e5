package load

import (
	"slices"

	"notakto/match"
)

// maxLive is how many matches are listed for spectators.
const maxLive = 32

// offer offers a code to other bots.
func (g *Generator) offer(o offer) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !slices.Contains(g.offers, o) {
		g.offers = append(g.offers, o)
	}
}

// take returns a code that another bot offered.
func (g *Generator) take(who string) (offer, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for i, o := range g.offers {
		if o.host != who {
			g.offers = slices.Delete(g.offers, i, i+1)
			return o, true
		}
	}
	return offer{}, false
}

// show lists a match for spectators.
func (g *Generator) show(id match.ID) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !slices.Contains(g.live, id) {
		g.live = append(g.live[max(0, len(g.live)-maxLive+1):], id)
	}
}

// sight returns a match in progress; empty if there is none.
func (g *Generator) sight(roll func(int) int) match.ID {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.live) == 0 {
		return ""
	}
	return g.live[roll(len(g.live))]
}

// hide removes an ended match.
func (g *Generator) hide(id match.ID) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.live = slices.DeleteFunc(g.live, func(m match.ID) bool { return m == id })
}
