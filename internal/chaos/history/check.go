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

// Kind is the kind of a fault.
type Kind string

// The kinds of fault.
const (
	Lost        Kind = "lost"        // a move that a client received is not in a later event of its match
	Vanished    Kind = "vanished"    // a match that had started is unknown
	Unlisted    Kind = "unlisted"    // a match in progress is not in its player's welcome
	Split       Kind = "split"       // two clients received different histories of one match
	Twice       Kind = "twice"       // a move, or an end, was received twice
	Illegal     Kind = "illegal"     // a move or position breaks the rules
	Unrequested Kind = "unrequested" // a player did not request the move, or was refused
	Gap         Kind = "gap"         // moves of a session are missing
	WrongEnd    Kind = "wrong end"   // the end follows neither from the position nor from a request
	Unfinished  Kind = "unfinished"  // a match that had started never ended
	Deserted    Kind = "deserted"    // a match was abandoned although its loser kept reconnecting
	Stalled     Kind = "stalled"     // no move at a node, or no result of a seek, for longer than the limit
	Unpaired    Kind = "unpaired"    // a rated pair without its second game, with two, or with one that is no sibling
	Doubled     Kind = "doubled"     // a player got more rated pairs than the player sought
	Untold      Kind = "untold"      // a client was not told within toldWithin that the server cannot record
	Charged     Kind = "charged"     // an outage was charged to a player's clock
	Garbled     Kind = "garbled"     // a line is not of the protocol, or does not belong in this session
)

// Fault is one contradiction in a record.
type Fault struct {
	Kind  Kind
	Match match.ID // empty if the fault is not of one match
	Entry int64    // number of the entry that shows the fault
	Text  string
}

// String formats f as one line.
func (f Fault) String() string {
	return fmt.Sprintf("%s: match %s, entry %d: %s", f.Kind, f.Match, f.Entry, f.Text)
}

// Figures are the totals of a record.
type Figures struct {
	Matches     int            // matches that started
	Ends        map[string]int // matches by the reason of their end
	Pairs       int            // rated pairs with an ended first game
	Results     int            // rated pairs that ended
	Seeds       int            // rated pairs with openings that Check drew again from the seed
	Moves       int            // different moves that clients received
	LostMoves   int            // received moves that a later event lacks
	LostMatches int
	Twice       int
	Unknown     int                      // requested moves without a definite answer
	Recorded    int                      // unknown moves that were recorded
	Links       int                      // connections opened
	Events      int                      // events received
	Behind      int                      // answers of a node that lacked events sent by another node
	Silence     time.Duration            // longest time without a new move
	SilenceFrom time.Duration            // when Silence began, since the record began
	Pauses      map[string]time.Duration // longest time under a limit without a move at a node, by the fault before
	Out         time.Duration            // total of the outages
	Told        int                      // clients told of an outage, counted again for each outage
	Charged     time.Duration            // largest charge beyond the recordable time of a turn
	Waits       time.Duration            // longest time under a limit that two matching seeks waited
	Return      []time.Duration          // from each start of a server to the first event of a match that continues
}

// Verdict is the result of [Check].
type Verdict struct {
	Faults  []Fault
	Figures Figures
	Told    map[match.ID][]string // the moves of each match, as clients received them
}

// Terms are the settings of the servers that [Check] must know.
type Terms struct {
	Grace time.Duration // absence after which a match may be abandoned
	// Nodes is the number of servers. With more than one, a client may receive an older state of a match at another
	// node, and Check counts Figures.Behind instead of a fault.
	Nodes int
}

// checker is the state of Check after the entries so far.
type checker struct {
	Terms
	Verdict
	now     Entry
	links   map[int]*link
	matches map[match.ID]*history
	order   []*history
	ids     map[match.PlayerID]string // the players' names by ID
	started time.Duration             // the last start of a server, or -1 once a player is back in a match
	lastNew time.Duration             // time of the last new move
	quiet   bool

	paces    map[string]*pace
	seeks    map[int]*seek // by the number of the connection
	limit    Entry         // the last Done entry, with the limit in force
	done     string        // the first word of limit.Note
	unpaired bool          // two seeks have exceeded seekLimit under this limit

	outages []outage

	unused map[string]int // by player, the seeks of a rated pair that have not led to a pair
}

// Check finds the faults of a record. An error comes from entries and ends the check.
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
		c.handleEntry(e)
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

func (c *checker) handleEntry(e Entry) {
	switch e.What {
	case Opened:
		c.Figures.Links++
		c.links[e.Link] = &link{
			who: e.Who, where: e.Note, opened: e.N, since: e.At, asked: map[match.ID]int64{},
			views: map[match.ID]*view{},
		}
		c.countConnection(e.Note, 1)
	case Sent, Received:
		if err := c.handleLine(e); err != nil {
			c.fault(Garbled, nil, "%s %s %.80q %s: %v", e.Who, e.What, e.Line, e.Note, err)
		}
	case Cut:
		if c.seeks[e.Link] != nil {
			c.checkSeek(e.Link)
			delete(c.seeks, e.Link)
		}
		if l := c.links[e.Link]; l != nil {
			c.countConnection(l.where, -1)
		}
		c.handleCut(c.links[e.Link])
	case Done:
		if strings.HasPrefix(e.Note, Started) {
			c.started = e.At
		}
		c.startLimit()
		c.quiet = c.quiet || e.Note == Quiet
		c.endOutage()
		if e.Out {
			c.outages = append(c.outages, outage{begun: e.At, ended: maxTime})
		}
	}
}

var errNoLink = errors.New("the connection is not open")

// handleLine returns an error if the line is not part of the protocol.
func (c *checker) handleLine(e Entry) error {
	l := c.links[e.Link]
	if l == nil {
		return errNoLink
	}
	if e.What == Sent {
		var request botproto.Request
		if err := json.Unmarshal(e.Line, &request); err != nil {
			return err
		}
		c.addSeek(e.Link, request)
		c.handleRequest(l, request)
		return nil
	}
	event, err := botproto.ParseEvent(e.Line)
	if err != nil {
		return err
	}
	c.updateSeek(e.Link, event)
	c.handleEvent(l, event)
	return nil
}

func (c *checker) handleEvent(l *link, event botproto.Event) {
	c.Figures.Events++
	switch event := event.(type) {
	case botproto.Welcome:
		c.handleWelcome(l, event)
	case botproto.Match:
		c.handleMatch(l, event)
	case botproto.Error:
		c.handleError(l, event)
	case botproto.Notice:
		c.handleNotice(l, event)
	case botproto.Move:
		if h, v := c.matches[event.Match], l.views[event.Match]; c.checkShown(l, h, v, event.Match, event) {
			c.checkCharge(h, event)
			c.handleMove(l, h, v, event)
		}
	case botproto.End:
		h, v := c.matches[event.Match], l.views[event.Match]
		unused := h == nil && event.Reason == rules.ReasonAbandoned.String() && event.Winner == rules.NoSide
		if !unused && c.checkShown(l, h, v, event.Match, event) { // a table that no second player joined has no match
			c.handleEnd(l, h, v, event)
		}
	}
}

// checkShown reports whether a connection has received match id before this event, and adds a fault if not.
func (c *checker) checkShown(l *link, h *history, v *view, id match.ID, event botproto.Event) bool {
	if h == nil || v == nil {
		c.fault(Gap, h, "%s receives the event %s of match %s before the match", l.who, event.Name(), id)
		return false
	}
	return true
}

// fault adds a fault at the present entry. h may be nil.
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
