package journal

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"notakto/match"
)

// view is what this process knows of the live matches: their logs as the follower of MATCHES brought them.
type view struct {
	due func(errand) // called under the lock with what the archivist should see to

	mu      sync.Mutex
	logs    map[match.ID]*matchLog
	gone    recent // matches that were put away not long ago
	hearers map[*func(match.Event)]struct{}
	waiting map[string]*delivery // by message ID
	whole   bool                 // everything that was recorded before the start has been told
	at      uint64               // the last sequence that was told
	moved   chan struct{}        // closed when at changes, if anybody waits for that
	stamp   time.Time            // the newest
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
	event match.Event // valid once done is closed
	seq   uint64
}

func newView() *view {
	return &view{
		due: func(errand) {}, logs: make(map[match.ID]*matchLog), hearers: make(map[*func(match.Event)]struct{}),
		waiting: make(map[string]*delivery),
	}
}

// tell takes a message of MATCHES.
func (v *view) tell(m message) {
	id := match.ID(strings.TrimPrefix(m.subject, matchSubject))
	e, sealed, err := decodeEntry(id, m.body)
	v.mu.Lock()
	defer v.mu.Unlock()
	e.At = m.at.Truncate(time.Millisecond)
	v.stamp = latest(v.stamp, m.at)
	if !v.gone.has(id) {
		e = v.add(id, e, sealed, err, m)
	}
	v.at = m.seq
	v.count()
	if d := v.waiting[m.header.Get(jetstream.MsgIDHeader)]; d != nil {
		d.event, d.seq = e, m.seq
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

// add puts an entry at the end of its match's log, or finds out that it does not belong there.
func (v *view) add(id match.ID, e match.Event, sealed bool, err error, m message) match.Event {
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
		log.damage = fmt.Errorf("%w: match %s, after event %d: %w", match.ErrDamaged, id, n, err)
		v.due(errand{id: id})
	case log.sealed || !sealed && e.Seq != n+1 || sealed && e.Seq != n:
		log.damage = fmt.Errorf("%w: match %s: event %d is followed by event %d", match.ErrDamaged, id, n, e.Seq)
		v.due(errand{id: id})
	case sealed:
		log.sealed = true
		v.due(v.toSeal(id, m))
	default:
		return v.extend(log, e)
	}
	return e
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
