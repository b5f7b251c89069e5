package journal

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"notakto/match"
	"notakto/match/internal/codec"
	"notakto/match/journal/natsd"
)

// index has the logs of the live matches in memory, as the follower of MATCHES delivered them.
type index struct {
	clock clock
	due   func(job) // the archiver's add, called under the lock
	// upgraded returns players as this version records them: see [account.Directory.Upgraded].
	upgraded func(match.Player) match.Player

	mu          sync.Mutex
	logs        map[match.ID]*matchLog
	archived    recent // matches that were archived recently
	subscribers map[*func(match.Event)]struct{}
	waiting     map[string]*delivery // by message ID
	loaded      bool                 // everything recorded before the start was delivered
	at          uint64               // the last sequence that was delivered
	progress    condition            // changes with at
	all         setDigest            // of the logs
	checkpoint  *checkpoint
}

type matchLog struct {
	events []match.Event
	last   uint64    // in the stream
	all    setDigest // events, the seal, and what is damaged
	seqs   []uint64  // of these, until the start has been audited
	sealed bool
	damage error // it has a gap, or an entry that cannot be read
}

// delivery is a message that this process has sent and the follower has not delivered yet.
type delivery struct {
	done  chan struct{}
	event match.Event // the last one of the message; valid once done is closed
}

func newIndex(c clock) *index {
	v := &index{
		clock:       c,
		due:         func(job) {},
		upgraded:    func(p match.Player) match.Player { return p },
		logs:        make(map[match.ID]*matchLog),
		subscribers: make(map[*func(match.Event)]struct{}),
		waiting:     make(map[string]*delivery),
	}
	v.progress.mu = &v.mu
	return v
}

// deliver takes a message of MATCHES.
func (v *index) deliver(m message) {
	id := match.ID(strings.TrimPrefix(m.subject, natsd.MatchSubject))
	events, sealed, err := codec.DecodeEntry(id, m.body)
	v.mu.Lock()
	defer v.mu.Unlock()
	for i := range events {
		events[i].At = m.at.Truncate(time.Millisecond)
		events[i].Player = v.upgraded(events[i].Player)
	}
	if !v.archived.has(id) {
		v.add(id, events, sealed, err, m)
	}
	v.at = m.seq
	v.count()
	if d := v.waiting[m.header.Get(jetstream.MsgIDHeader)]; d != nil && len(events) > 0 {
		d.event = events[len(events)-1]
		delete(v.waiting, m.header.Get(jetstream.MsgIDHeader))
		close(d.done)
	}
	v.progress.broadcast()
}

// count updates the checkpoint.
func (v *index) count() {
	if v.loaded {
		v.checkpoint.matches(v.at, v.all)
	}
}

// add appends the events of an entry to their match's log, or marks the match as damaged if they do not belong there.
func (v *index) add(id match.ID, events []match.Event, sealed bool, err error, m message) {
	log := v.logs[id]
	if log == nil {
		log = &matchLog{}
		v.logs[id] = log
	}
	log.last = m.seq
	log.all, v.all = log.all.plus(entry(m.seq)), v.all.plus(entry(m.seq))
	if !v.loaded {
		log.seqs = append(log.seqs, m.seq)
	}
	n := uint64(len(log.events))
	switch {
	case log.damage != nil:
	case err != nil:
		log.damage = damaged(id, fmt.Sprintf("after event %d", n), err)
		v.due(job{id: id})
	case log.sealed || !sealed && events[0].Seq != n+1 || sealed && events[0].Seq != n:
		log.damage = fmt.Errorf("%w: match %s: event %d is followed by event %d", match.ErrDamaged, id, n, events[0].Seq)
		v.due(job{id: id})
	case sealed:
		log.sealed = true
		v.due(v.toSeal(id, m))
	default:
		for i, e := range events {
			events[i] = v.extend(log, e)
		}
	}
}

// damaged returns the error of a match with an entry that cannot be read: [match.ErrNewer] or [match.ErrDamaged].
func damaged(id match.ID, where string, err error) error {
	if errors.Is(err, match.ErrNewer) {
		return fmt.Errorf("%w: match %s, %s", err, id, where)
	}
	return fmt.Errorf("%w: match %s, %s: %w", match.ErrDamaged, id, where, err)
}

// toSeal returns the job for a sealed match: at once for the node that sealed it and at a start, later for other nodes.
func (v *index) toSeal(id match.ID, m message) job {
	_, mine := v.waiting[m.header.Get(jetstream.MsgIDHeader)]
	e := job{id: id, isOwn: mine}
	if !mine && v.loaded {
		e.at = time.Now().Add(takeoverDelay)
	}
	return e
}

// loadedUpTo returns the digest of the entries up to a sequence. It is for the time before setLoaded.
func (v *index) loadedUpTo(end uint64) (all setDigest) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, log := range v.logs {
		for _, seq := range log.seqs {
			if seq <= end {
				all = all.plus(entry(seq))
			}
		}
	}
	return all
}

// setLoaded says that everything recorded before the start, up to a sequence, was delivered and audited.
func (v *index) setLoaded(end uint64) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, log := range v.logs {
		log.seqs = nil
	}
	v.loaded = true
	v.at = max(v.at, end) // the last may have been purged
	v.count()
}

// ids returns the live matches.
func (v *index) ids() []match.ID {
	v.mu.Lock()
	defer v.mu.Unlock()
	return slices.Collect(maps.Keys(v.logs))
}

// recentKept is how many archived matches a process remembers.
const recentKept = 4096

// recent remembers the last few IDs that were added. The zero value is empty.
type recent struct {
	ring [recentKept]match.ID
	next int
	set  map[match.ID]struct{}
}

func (r *recent) has(id match.ID) bool {
	_, ok := r.set[id]
	return ok
}

func (r *recent) add(id match.ID) {
	if r.has(id) {
		return
	}
	if r.set == nil {
		r.set = make(map[match.ID]struct{})
	}
	delete(r.set, r.ring[r.next])
	r.ring[r.next] = id
	r.next = (r.next + 1) % recentKept
	r.set[id] = struct{}{}
}

// extend appends an event and calls the subscribers. The times of a match never decrease, even if those of the messages
// do.
func (v *index) extend(log *matchLog, e match.Event) match.Event {
	if n := len(log.events); n > 0 {
		e.At = latest(e.At, log.events[n-1].At)
	}
	log.events = append(log.events, e)
	for fn := range v.subscribers {
		(*fn)(e)
	}
	return e
}

// finish removes a match that is in the archive. It first appends the events that are not in its log yet: they may have
// been purged before the follower could deliver them.
func (v *index) finish(r codec.Record) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if log := v.logs[r.ID]; log != nil {
		for log.damage == nil && len(log.events) < len(r.Events) {
			e := r.Events[len(log.events)]
			e.At = v.clock.past(e.At)
			v.extend(log, e)
		}
		delete(v.logs, r.ID)
		v.all = v.all.minus(log.all)
		v.count()
	}
	v.archived.add(r.ID)
	v.progress.broadcast()
}

// ends returns the sequence of the last entry of each live match that is not damaged.
func (v *index) ends() map[match.ID]uint64 {
	v.mu.Lock()
	defer v.mu.Unlock()
	ends := make(map[match.ID]uint64, len(v.logs))
	for id, log := range v.logs {
		if log.damage == nil {
			ends[id] = log.last
		}
	}
	return ends
}

// markDamaged marks matches whose last events the stream has lost, and calls the subscribers. Everything after a
// sequence will be delivered again. It returns how many entries the live matches had.
func (v *index) markDamaged(whole uint64, lost []match.ID) (entries uint64) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, id := range lost {
		log := v.logs[id]
		if log == nil {
			continue // it was archived
		}
		log.damage = fmt.Errorf("%w: match %s: its last events are lost", match.ErrDamaged, id)
		for fn := range v.subscribers {
			(*fn)(match.Event{Match: id})
		}
	}
	v.at = min(v.at, whole)
	v.progress.broadcast()
	return v.all.entries
}

// read returns the events after a sequence, and whether the match is live.
func (v *index) read(id match.ID, after uint64) ([]match.Event, bool, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	log := v.logs[id]
	if log == nil {
		return nil, false, nil
	}
	if log.damage != nil || after >= uint64(len(log.events)) {
		return nil, true, log.damage
	}
	return slices.Clone(log.events[after:]), true, nil
}

// subscribe is [match.Journal]'s Subscribe.
func (v *index) subscribe(fn func(match.Event)) (stop func()) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, log := range v.logs {
		if log.sealed || log.damage != nil {
			continue
		}
		for _, e := range log.events {
			fn(e)
		}
	}
	v.subscribers[&fn] = struct{}{}
	return func() {
		v.mu.Lock()
		defer v.mu.Unlock()
		delete(v.subscribers, &fn)
	}
}

func latest(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// errUnknown says that this process does not know a match; the server may.
var errUnknown = errors.New("the match is not among the live ones")

// expectedSeq returns the sequence in the stream after which an event can be recorded.
func (v *index) expectedSeq(id match.ID, seq uint64) (last uint64, err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	log := v.logs[id]
	switch {
	case log == nil && v.archived.has(id) && seq > 1:
		return 0, match.ErrArchived
	case log == nil && (v.archived.has(id) || seq == 0):
		return 0, conflict(id, seq)
	case log == nil && seq == 1:
		return 0, nil
	case log == nil:
		return 0, errUnknown
	case log.damage != nil:
		return 0, log.damage
	case seq != uint64(len(log.events))+1:
		return 0, conflict(id, seq)
	case log.sealed:
		return 0, match.ErrArchived
	}
	return log.last, nil
}

func conflict(id match.ID, seq uint64) error {
	return fmt.Errorf("%w: %s has no place for event %d", match.ErrConflict, id, seq)
}

// end returns the position for a seal: after n events, the last of which has the sequence last in the stream.
func (v *index) end(id match.ID) (n, last uint64, sealed bool, err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	log := v.logs[id]
	switch {
	case log == nil && v.archived.has(id):
		return 0, 0, true, nil
	case log == nil:
		return 0, 0, false, errUnknown
	}
	return uint64(len(log.events)), log.last, log.sealed, log.damage
}

// sealed returns the record of a sealed match, or the damage of a damaged one.
func (v *index) sealed(id match.ID) (r codec.Record, ok bool, damage error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	log := v.logs[id]
	switch {
	case log == nil:
		return codec.Record{}, false, nil
	case log.damage != nil || !log.sealed:
		return codec.Record{}, false, log.damage
	}
	return codec.Record{ID: id, Seal: log.last, Events: slices.Clone(log.events)}, true, nil
}

// expect registers a message that is about to be sent. The caller must call forget afterwards.
func (v *index) expect(messageID string) *delivery {
	v.mu.Lock()
	defer v.mu.Unlock()
	d := &delivery{done: make(chan struct{})}
	v.waiting[messageID] = d
	return d
}

func (v *index) forget(messageID string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	delete(v.waiting, messageID)
}

// isFilled reports whether the sequence of an event is used. The caller holds the lock.
func (v *index) isFilled(id match.ID, seq uint64) bool {
	log := v.logs[id]
	return v.archived.has(id) || log != nil && (log.sealed || log.damage != nil || uint64(len(log.events)) >= seq)
}

// waitSeq waits until the follower has delivered a sequence, or the match was archived.
func (v *index) waitSeq(ctx context.Context, id match.ID, seq uint64) error {
	return v.progress.wait(ctx, func() bool { return v.at >= seq || v.archived.has(id) })
}

// condition is a [sync.Cond] whose waiters can give up.
type condition struct {
	mu      *sync.Mutex
	changed chan struct{} // closed at the next change; nil without waiters
}

// broadcast wakes all waiters. The lock is held.
func (c *condition) broadcast() {
	if c.changed != nil {
		close(c.changed)
		c.changed = nil
	}
}

// wait waits until holds is true. It calls holds under the lock.
func (c *condition) wait(ctx context.Context, holds func() bool) error {
	for {
		c.mu.Lock()
		if holds() {
			c.mu.Unlock()
			return nil
		}
		if c.changed == nil {
			c.changed = make(chan struct{})
		}
		changed := c.changed
		c.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
