// Package history keeps the lines that the clients of a run sent and received, and finds contradictions. It never asks
// a server. A move or an end counts once a client has received it.
//
// Each session of a client has a [Link], whose methods a botclient.Client calls. The tool that makes the faults adds
// a [Mark] for each one. A [Book] merges the lines of all clients into one history for each match, and writes them to
// a record for people to read. After [Book.Close], which returns what the store must have, Faults has all faults.
// Whether moves and ends follow the rules is left to the store's readers, which play every match again.
//
// A sent line is entered before it is written, and a received one after it was read. The package starts no goroutine.
package history

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"sync"
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
	Unlisted    Kind = "unlisted"    // a match in progress is not in its player's welcome
	Split       Kind = "split"       // two clients received different histories of one match
	Disorder    Kind = "disorder"    // events of a session are missing, or came twice
	Unrequested Kind = "unrequested" // a player did not request the move or the end, or was refused
	TooSoon     Kind = "too soon"    // a match was abandoned or lost by time although its loser had time left
	Unfinished  Kind = "unfinished"  // a match that had started never ended
	Stalled     Kind = "stalled"     // no move at a server, or no result of a seek, for longer than the limit
	Doubled     Kind = "doubled"     // a player got more rated pairs than the player sought
	Untold      Kind = "untold"      // a client was in an outage for over toldWithin, and was not told at all
	Charged     Kind = "charged"     // an outage was charged to a player's clock
	Garbled     Kind = "garbled"     // a line is not of the protocol, or has another player's seat
)

// Fault is one contradiction.
type Fault struct {
	Kind Kind
	Line int // of the record
	Text string
}

// String formats f as one line.
func (f Fault) String() string { return fmt.Sprintf("%s: line %d: %s", f.Kind, f.Line, f.Text) }

// Figures are the totals of a run.
type Figures struct {
	Links   int                      // connections opened
	Matches int                      // that started
	Ends    map[string]int           // matches by the reason of their end
	Moves   int                      // different moves that clients received
	Pauses  map[string]time.Duration // longest time under a limit without a move at a server, by word 1 of Mark.What
	Waits   time.Duration            // longest time under a limit that two matching seeks waited
	Out     time.Duration            // total of the outages
	Told    int                      // clients told of an outage, counted again for each outage
	Charged time.Duration            // largest charge beyond the recordable time of a turn
}

// Told has the moves and the end of a match that clients received.
type Told struct {
	Moves []string
	End   botproto.End // the zero value while the match goes on
}

// Book has the history of a run. Methods of a Book and its links are safe for concurrent use.
type Book struct {
	Faults  []Fault // complete after Close, and not to be read before
	Figures Figures // as Faults

	grace  time.Duration // absence after which a match may be abandoned
	shared bool          // several servers share the store, and one may be behind another
	clock  func() time.Duration

	mu      sync.Mutex
	record  *bufio.Writer
	line    int           // number of the present line
	at      time.Duration // time of the present line
	open    map[*Link]bool
	matches map[match.ID]*history
	names   map[match.PlayerID]string // of the clients
	unused  map[string]int            // by client, the seeks of a rated pair that have not led to a pair

	paces    map[string]*pace // by server
	limit    Mark             // in force
	limited  time.Duration    // when limit began
	unpaired bool             // two seeks have exceeded seekLimit under this limit
	outages  []outage
}

// NewBook starts the history of servers with a grace period. shared says that several servers share one store.
func NewBook(record io.Writer, grace time.Duration, shared bool) *Book {
	begun := time.Now()
	b := &Book{grace: grace, shared: shared, record: bufio.NewWriter(record), open: map[*Link]bool{}}
	b.clock = func() time.Duration { return time.Since(begun) }
	b.matches, b.names = map[match.ID]*history{}, map[match.PlayerID]string{}
	b.unused, b.paces = map[string]int{}, map[string]*pace{}
	b.Figures.Ends, b.Figures.Pauses = map[string]int{}, map[string]time.Duration{}
	return b
}

// enter locks b and writes a line to the record. The caller calls leave, which unlocks b.
func (b *Book) enter(format string, args ...any) (leave func()) {
	b.mu.Lock()
	b.line++
	b.at = b.clock()
	fmt.Fprintf(b.record, "%d %.6f %s\n", b.line, b.at.Seconds(), fmt.Sprintf(format, args...))
	return b.mu.Unlock
}

// Note writes a line to the record, and changes nothing else.
func (b *Book) Note(text string) { b.enter("%s", text)() }

// Mark says that a fault begins or ends.
type Mark struct {
	What string // such as "kill server0"
	// Limit is the longest time that a server with players may go without a move until the next Mark, 0 for no limit.
	// Under a limit a server must also answer a seek, and pair two seeks of one variant, within seekLimit.
	Limit  time.Duration
	Exempt string // the server to which Limit does not apply
	Out    bool   // no server can record events until the next Mark, or until a move shows the contrary
}

// Mark adds a Mark.
func (b *Book) Mark(m Mark) {
	defer b.enter("--- %s, limit %v", m.What, m.Limit)()
	b.startLimit(m)
	b.endOutage()
	if m.Out {
		b.outages = append(b.outages, outage{begun: b.at, ended: maxTime})
	}
}

// Close ends the history, adds the faults that only the whole history shows, and returns what clients were told of each
// match. The error is that of writing the record.
func (b *Book) Close() (map[match.ID]Told, error) {
	defer b.enter("the end")()
	b.endOutage()
	told := map[match.ID]Told{}
	for id, h := range b.matches {
		var t Told
		for i, p := range h.moves {
			t.Moves = append(t.Moves, p.text)
			if who, isClient := b.names[h.players[i%2].ID]; isClient && h.asked[request{who, p.text}] <= 0 {
				b.fault(Unrequested, "%s/%d: %s has not asked for %s, or was refused", id, i+1, who, p.text)
			}
		}
		if h.end == nil {
			b.fault(Unfinished, "%s: %d plies, between %v", id, len(h.moves), h.players)
		} else {
			t.End = *h.end
		}
		told[id] = t
	}
	return told, b.record.Flush()
}

func (b *Book) fault(kind Kind, format string, args ...any) {
	b.Faults = append(b.Faults, Fault{kind, b.line, fmt.Sprintf(format, args...)})
}

// Link enters the lines of one session into the book. It implements botclient.Transcript.
type Link struct {
	book       *Book
	who, where string           // client and server
	id         match.PlayerID   // from the welcome, empty before
	listed     []match.ID       // in the welcome
	opened     int              // line
	since      time.Duration    // when opened
	told       bool             // the client knows of the outage
	request    botproto.Request // the last request sent, without a verb once it is answered
	seek       *seek            // nil if the player seeks no opponent
	views      map[match.ID]*view
}

// view is the progress of one session through the events of a match.
type view struct {
	plies    int
	ended    bool
	isSeated bool // else the session watches, and its player may be away
}

// Link returns the transcript of a new session of a client at a server.
func (b *Book) Link(who, where string) *Link {
	return &Link{book: b, who: who, where: where, views: map[match.ID]*view{}}
}

// Opened implements botclient.Transcript.
func (l *Link) Opened() {
	b := l.book
	defer b.enter("%s opens a session at %s", l.who, l.where)()
	l.opened, l.since = b.line, b.at
	b.open[l] = true
	b.Figures.Links++
	b.countPlayer(l.where, 1)
}

// Closed implements botclient.Transcript.
func (l *Link) Closed(cause error, rest []byte) {
	b := l.book
	defer b.enter("%s at %s: %v after %q", l.who, l.where, cause, rest)()
	l.endSeek()
	b.countPlayer(l.where, -1)
	delete(b.open, l)
	for id, v := range l.views {
		if v.isSeated {
			b.matches[id].left[l.who] = b.at
		}
	}
}

// Sent implements botclient.Transcript. A line can come after Closed.
func (l *Link) Sent(line []byte) {
	b := l.book
	defer b.enter("%s > %s", l.who, line)()
	var r botproto.Request
	if err := json.Unmarshal(line, &r); err != nil {
		b.fault(Garbled, "%s sends %.80q: %v", l.who, line, err)
		return
	}
	l.request = r
	if r.Do == botproto.DoSeek {
		l.startSeek(r)
	} else if h := b.matches[r.Match]; h != nil && changesMatch(r) {
		h.asked[request{l.who, r.Move}]++
	}
}

// changesMatch reports whether r is a move or a resignation.
func changesMatch(r botproto.Request) bool {
	return r.Do == botproto.DoMove || r.Do == botproto.DoResign
}

// Received implements botclient.Transcript.
func (l *Link) Received(line []byte) {
	b := l.book
	defer b.enter("%s < %s", l.who, line)()
	event, err := botproto.ParseEvent(line)
	if err != nil || !b.open[l] {
		b.fault(Garbled, "%s receives %.80q: %v", l.who, line, err)
		return
	}
	l.updateSeek(event)
	switch event := event.(type) {
	case botproto.Welcome:
		l.id, l.listed = event.Player.ID, event.Matches
		if name, isKnown := b.names[l.id]; isKnown && name != l.who || l.id == "" {
			b.fault(Garbled, "%s is welcomed as %q of %q", l.who, l.id, name)
		}
		b.names[l.id] = l.who
	case botproto.Match:
		l.handleMatch(event)
	case botproto.Move:
		l.handleMove(event)
	case botproto.End:
		unused := b.matches[event.Match] == nil && event.Reason == rules.ReasonAbandoned.String()
		if !unused { // a table that no second player joined has no match
			l.handleEnd(event)
		}
	case botproto.Error:
		r := l.request
		if event.Do != "" && event.Do != r.Do {
			break
		}
		if h := b.matches[r.Match]; h != nil && changesMatch(r) && event.Code.IsDefinite() {
			h.asked[request{l.who, r.Move}]--
		}
		l.request = botproto.Request{}
	case botproto.Notice:
		l.told = l.told || isOutageNotice(event)
	}
}
