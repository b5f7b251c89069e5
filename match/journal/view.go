package journal

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"notakto/match"
)

// view is what this process knows of the live matches: their logs as the follower of MATCHES brought them.
type view struct {
	clock clock
	due   func(errand) // called under the lock with what the archivist should see to

	mu      sync.Mutex
	logs    map[match.ID]*matchLog
	gone    recent // matches that were put away not long ago
	hearers map[*func(match.Event)]struct{}
	waiting map[string]*delivery // by message ID
	whole   bool                 // everything that was recorded before the start has been told
	at      uint64               // the last sequence that was told
	moved   chan struct{}        // closed when at changes, if anybody waits for that
	all     bag                  // of the logs
	tally   *tally
}

type matchLog struct {
	events []match.Event
	last   uint64   // in the stream
	all    bag      // events, the seal, and what is damaged
	seqs   []uint64 // of these, until the start has been audited
	sealed bool
	damage error // it has a hole, or an event that cannot be read
}

// delivery is a message of this process on its way through the server.
type delivery struct {
	done  chan struct{}
	event match.Event // the last one of the message; valid once done is closed
	seq   uint64
}

func newView(c clock) *view {
	return &view{
		clock: c, due: func(errand) {}, logs: make(map[match.ID]*matchLog), hearers: make(map[*func(match.Event)]struct{}),
		waiting: make(map[string]*delivery),
	}
}

// tell takes a message of MATCHES.
func (v *view) tell(m message) {
	id := match.ID(strings.TrimPrefix(m.subject, matchSubject))
	events, sealed, err := decodeEntry(id, m.body)
	v.mu.Lock()
	defer v.mu.Unlock()
	for i := range events {
		events[i].At = m.at.Truncate(time.Millisecond)
	}
	if !v.gone.has(id) {
		v.add(id, events, sealed, err, m)
	}
	v.at = m.seq
	v.count()
	if d := v.waiting[m.header.Get(jetstream.MsgIDHeader)]; d != nil && len(events) > 0 {
		d.event, d.seq = events[len(events)-1], m.seq
		delete(v.waiting, m.header.Get(jetstream.MsgIDHeader))
		close(d.done)
	}
	v.move()
}

// count notes what there is now.
func (v *view) count() {
	if v.whole {
		v.tally.matches(v.at, v.all)
	}
}

func (v *view) move() {
	if v.moved != nil {
		close(v.moved)
		v.moved = nil
	}
}

// add puts the events of an entry at the end of their match's log, or finds out that they do not belong there.
func (v *view) add(id match.ID, events []match.Event, sealed bool, err error, m message) {
	log := v.logs[id]
	if log == nil {
		log = &matchLog{}
		v.logs[id] = log
	}
	log.last = m.seq
	log.all, v.all = log.all.plus(entry(m.seq)), v.all.plus(entry(m.seq))
	if !v.whole {
		log.seqs = append(log.seqs, m.seq)
	}
	n := uint64(len(log.events))
	switch {
	case log.damage != nil:
	case err != nil:
		log.damage = damaged(id, fmt.Sprintf("after event %d", n), err)
		v.due(errand{id: id})
	case log.sealed || !sealed && events[0].Seq != n+1 || sealed && events[0].Seq != n:
		log.damage = fmt.Errorf("%w: match %s: event %d is followed by event %d", match.ErrDamaged, id, n, events[0].Seq)
		v.due(errand{id: id})
	case sealed:
		log.sealed = true
		v.due(v.toSeal(id, m))
	default:
		for i, e := range events {
			events[i] = v.extend(log, e)
		}
	}
}

// damaged is the error of a match with an entry that cannot be read: [match.ErrNewer] or [match.ErrDamaged].
func damaged(id match.ID, where string, err error) error {
	if errors.Is(err, match.ErrNewer) {
		return fmt.Errorf("%w: match %s, %s", err, id, where)
	}
	return fmt.Errorf("%w: match %s, %s: %w", match.ErrDamaged, id, where, err)
}

// toSeal is when a sealed match is put away: at once by whoever sealed it and by those who just started, later by others.
func (v *view) toSeal(id match.ID, m message) errand {
	_, mine := v.waiting[m.header.Get(jetstream.MsgIDHeader)]
	e := errand{id: id, mine: mine}
	if !mine && v.whole {
		e.at = time.Now().Add(othersTurn)
	}
	return e
}
