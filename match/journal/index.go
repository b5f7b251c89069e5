package journal

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"notakto/match"
	"notakto/match/journal/internal/codec"
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
