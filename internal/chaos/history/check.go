package history

import (
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"
)

// Terms are what the checker has to know of how the record came about.
type Terms struct {
	Grace time.Duration // absence after which a match may be abandoned
	Nodes int           // servers at once. With several, what one has told another may learn a little later; nothing may be gone for good.
}

// checker holds what follows from the entries so far.
type checker struct {
	Terms
	Verdict
	now     Entry
	links   map[int]*link
	matches map[string]*history
	order   []*history
	ids     map[string]string // the players' names by their IDs
	started time.Duration     // the last start of a server, while nobody has been back since
	lastNew time.Duration     // when the last new move was told
	quiet   bool

	paces    map[string]*pace
	seeks    map[int]*seek // by the number of the connection
	limit    Entry         // the last thing that was done to a server, with the limit that holds since then
	limits   string        // the first word of its note
	unpaired bool          // two seeks have waited for too long since then
}

// Check finds everything that is wrong with a record. The error is that of reading it.
func Check(entries iter.Seq2[Entry, error], terms Terms) (Verdict, error) {
	c := &checker{Terms: terms, links: map[int]*link{}, matches: map[string]*history{}, ids: map[string]string{}, started: -1}
	c.paces, c.seeks = map[string]*pace{}, map[int]*seek{}
	c.Figures.Ends, c.Figures.Pauses = map[string]int{}, map[string]time.Duration{}
	for e, err := range entries {
		if err != nil {
			return c.Verdict, err
		}
		c.now = e
		c.enter(e)
	}
	for _, h := range c.order {
		c.conclude(h)
	}
	slices.SortStableFunc(c.Faults, func(a, b Fault) int { return int(a.Entry - b.Entry) })
	return c.Verdict, nil
}

func (c *checker) enter(e Entry) {
	switch e.What {
	case Opened:
		c.Figures.Links++
		c.links[e.Link] = &link{who: e.Who, where: e.Note, opened: e.N, asked: map[string]int64{}, views: map[string]*view{}}
		c.count(e.Note, 1)
	case Sent, Received:
		var line Line
		if err := json.Unmarshal(e.Line, &line); err != nil || c.links[e.Link] == nil {
			c.fault(Garbled, nil, "%s %s %.80q %s", e.Who, e.What, e.Line, e.Note)
			return
		}
		if e.What == Sent {
			c.seeking(e.Link, line)
			c.sent(c.links[e.Link], line)
		} else {
			c.checkWaiting(e.Link, line)
			c.received(c.links[e.Link], line)
		}
	case Cut:
		if c.seeks[e.Link] != nil {
			c.checkSeek(e.Link)
			delete(c.seeks, e.Link)
		}
		if l := c.links[e.Link]; l != nil {
			c.count(l.where, -1)
		}
		c.cut(c.links[e.Link])
	case Done:
		if strings.HasPrefix(e.Note, Started) {
			c.started = e.At
		}
		c.limitTo()
		c.quiet = c.quiet || e.Note == Quiet
	}
}

func (c *checker) received(l *link, line Line) {
	c.Figures.Tellings++
	h, v := c.matches[line.Match], l.views[line.Match]
	switch line.Event {
	case "welcome":
		c.welcome(l, line)
	case "match":
		c.shown(l, line)
	case "error":
		c.refused(l, line)
	case "move", "end":
		switch {
		case h == nil && line.Reason == "abandoned" && line.Winner == 0: // a private table that nobody came to
		case h == nil || v == nil:
			c.fault(Gap, h, "%s is told a %s of match %s before the match", l.who, line.Event, line.Match)
		case line.Event == "move":
			c.moved(l, h, v, line)
		default:
			c.ended(l, h, v, line)
		}
	}
}

// fault notes what is wrong with a match, if it is with one.
func (c *checker) fault(kind Kind, h *history, format string, args ...any) {
	f := Fault{Kind: kind, Entry: c.now.N, Text: fmt.Sprintf(format, args...)}
	if h != nil {
		f.Match = h.id
	}
	if kind == Twice {
		c.Figures.Twice++
	}
	c.Faults = append(c.Faults, f)
}
