package history

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"notakto/match"
	"notakto/rules"
	"notakto/sshapp/bot/botproto"
)

// Terms are the conditions of a record that the checker must know.
type Terms struct {
	Grace time.Duration // absence after which a match may be abandoned
	// Nodes is the number of servers. With several, a node may learn with a delay what another has sent; nothing may be
	// lost.
	Nodes int
}

// checker is the state after the entries so far.
type checker struct {
	Terms
	Verdict
	now     Entry
	links   map[int]*link
	matches map[match.ID]*history
	order   []*history
	ids     map[match.PlayerID]string // the players' names by ID
	started time.Duration             // the last start of a server, until a player is back
	lastNew time.Duration             // when the last new move was received
	quiet   bool

	paces    map[string]*pace
	seeks    map[int]*seek // by the number of the connection
	limit    Entry         // the last entry with something done to a server, and the limit since then
	done     string        // the first word of its note
	unpaired bool          // two seeks have waited too long since then

	outages []outage

	unused map[string]int // the seeks of a rated pair, by player, that have not led to one
}

// Check finds all faults of a record. The error is that of reading it.
func Check(entries iter.Seq2[Entry, error], terms Terms) (Verdict, error) {
	c := &checker{Terms: terms, links: map[int]*link{}, started: -1}
	c.matches, c.ids = map[match.ID]*history{}, map[match.PlayerID]string{}
	c.paces, c.seeks, c.unused = map[string]*pace{}, map[int]*seek{}, map[string]int{}
	c.Figures.Ends, c.Figures.Pauses = map[string]int{}, map[string]time.Duration{}
	for e, err := range entries {
		if err != nil {
			return c.Verdict, err
		}
		c.now = e
		c.enter(e)
	}
	c.endOutage()
	c.Told = map[match.ID][]string{}
	for _, h := range c.order {
		c.conclude(h)
		for _, p := range h.moves {
			c.Told[h.id] = append(c.Told[h.id], p.text)
		}
	}
	slices.SortStableFunc(c.Faults, func(a, b Fault) int { return int(a.Entry - b.Entry) })
	return c.Verdict, nil
}

func (c *checker) enter(e Entry) {
	switch e.What {
	case Opened:
		c.Figures.Links++
		c.links[e.Link] = &link{
			who: e.Who, where: e.Note, opened: e.N, since: e.At, asked: map[match.ID]int64{}, views: map[match.ID]*view{},
		}
		c.count(e.Note, 1)
	case Sent, Received:
		if err := c.enterLine(e); err != nil {
			c.fault(Garbled, nil, "%s %s %.80q %s: %v", e.Who, e.What, e.Line, e.Note, err)
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
		c.endOutage()
		if e.Out {
			c.outages = append(c.outages, outage{begun: e.At, ended: maxTime})
		}
	}
}

var errNoLink = errors.New("the connection is not open")

// enterLine processes a line that was sent or received. The error says that it is not of the protocol.
func (c *checker) enterLine(e Entry) error {
	l := c.links[e.Link]
	if l == nil {
		return errNoLink
	}
	if e.What == Sent {
		var request botproto.Request
		if err := json.Unmarshal(e.Line, &request); err != nil {
			return err
		}
		c.seeking(e.Link, request)
		c.sent(l, request)
		return nil
	}
	event, err := botproto.ParseEvent(e.Line)
	if err != nil {
		return err
	}
	c.checkWaiting(e.Link, event)
	c.received(l, event)
	return nil
}

func (c *checker) received(l *link, event botproto.Event) {
	c.Figures.Events++
	switch event := event.(type) {
	case botproto.Welcome:
		c.welcome(l, event)
	case botproto.Match:
		c.shown(l, event)
	case botproto.Error:
		c.refused(l, event)
	case botproto.Notice:
		c.told(l, event)
	case botproto.Move:
		if h, v := c.matches[event.Match], l.views[event.Match]; c.begun(l, h, v, event.Match, event) {
			c.charged(h, event)
			c.moved(l, h, v, event)
		}
	case botproto.End:
		h, v := c.matches[event.Match], l.views[event.Match]
		unused := h == nil && event.Reason == rules.Abandoned.String() && event.Winner == rules.Nobody
		if !unused && c.begun(l, h, v, event.Match, event) { // an unused private table has no match
			c.ended(l, h, v, event)
		}
	}
}

// begun reports whether a connection has received a match before an event of it, and adds a fault if not.
func (c *checker) begun(l *link, h *history, v *view, id match.ID, event botproto.Event) bool {
	if h == nil || v == nil {
		c.fault(Gap, h, "%s receives the event %s of match %s before the match", l.who, event.Name(), id)
		return false
	}
	return true
}

// fault adds a fault, of a match if h is not nil.
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
