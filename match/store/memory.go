package store

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"notakto/match"
	"notakto/match/account"
	"notakto/match/internal/codec"
)

// memory holds the live matches, the accounts and the entries of the log up to a position. Changing it needs the
// store's lock. Only the committing goroutine changes it, and may read it without the lock. There are two exceptions:
// with SQLite, callers change entries, and Rebuild changes ended.
type memory struct {
	log      *slog.Logger
	isLoaded bool // load has finished

	position int64
	at       int64 // the time of the row at position, in microseconds; 0 if unknown
	live     map[match.ID]*liveMatch
	accounts []account.Event
	entries  map[string]match.Entry // may have entries that are older than match.EntryTTL

	ended uint64 // grows with every match that ends: see History.Version

	eventWatchers   match.Subscribers[match.Event]
	accountWatchers match.Subscribers[account.Event]
	entryWatchers   match.Subscribers[match.Entry]
}

// liveMatch is a match that is not in the archive.
type liveMatch struct {
	events []match.Event
	state  match.State // after the events
	isOdd  bool        // an event does not fit the state before it: state must not be used
	damage error       // why the log cannot be read further; nil if it can
}

// deliver takes the next row of the log and calls the subscribers. The caller holds the store's lock.
func (m *memory) deliver(r row) {
	switch r.kind {
	case eventRow:
		m.deliverEvents(r)
	case archiveRow:
		m.deliverRecord(r)
	case accountRow:
		m.deliverAccount(r)
	case entryRow:
		m.deliverEntry(match.Entry{
			Key: r.name, Text: r.body, Revision: uint64(r.position), At: time.UnixMicro(r.at),
		})
	case auditRow: // is not kept in memory
	}
	m.position, m.at = r.position, r.at
}

func (m *memory) deliverEvents(r row) {
	id := match.ID(r.name)
	log := m.live[id]
	if log == nil {
		log = &liveMatch{}
		m.live[id] = log
	}
	if log.damage != nil {
		return
	}
	events, err := codec.DecodeEntry(id, r.body)
	switch {
	case errors.Is(err, match.ErrNewer):
		log.damage = fmt.Errorf("%w: match %s, after event %d", err, id, len(log.events))
		m.log.Warn("a match was written by a newer version of the program: it is left as it is, and not shown",
			"event", "match-newer", "match", id)
	case err != nil:
		log.damage = fmt.Errorf("%w: match %s, after event %d: %w", match.ErrDamaged, id, len(log.events), err)
	case r.seq != int64(len(log.events))+1 || events[0].Seq != uint64(r.seq):
		log.damage = fmt.Errorf("%w: match %s: event %d is followed by event %d", match.ErrDamaged, id, len(log.events),
			r.seq)
	}
	if log.damage == nil {
		m.extend(log, events, time.UnixMicro(r.at))
		return
	}
	if !errors.Is(log.damage, match.ErrNewer) {
		m.log.Error("a match is damaged and not shown", "event", "match-damaged", "match", id, "error", log.damage)
	}
	if m.isLoaded {
		m.eventWatchers.Notify(match.Event{Match: id})
	}
}

// extend appends events to a log, dates them at, and calls the subscribers.
func (m *memory) extend(log *liveMatch, events []match.Event, at time.Time) {
	at = at.Truncate(time.Millisecond) // as the archive has it
	for _, e := range events {
		e.At = at
		wasOver := log.state.Outcome.Over()
		log.events = append(log.events, e)
		log.fold(e)
		if log.state.Outcome.Over() && !wasOver {
			m.ended++
		}
		m.eventWatchers.Notify(e)
	}
}

// fold sets the state after the next event, or isOdd if the event does not fit. It does not append the event.
func (l *liveMatch) fold(e match.Event) {
	if l.isOdd {
		return
	}
	next, err := l.state.Apply(e)
	if l.isOdd = err != nil; !l.isOdd {
		l.state = next
	}
}

// deliverRecord removes a match that was archived from the live ones. If it was archived before this server had read
// its last events, deliverRecord delivers them from the record first.
func (m *memory) deliverRecord(r row) {
	id := match.ID(r.name)
	log := m.live[id]
	if log == nil {
		log = &liveMatch{}
	}
	if log.damage == nil && int64(len(log.events)) < r.seq {
		if record, err := codec.DecodeRecord(r.body); err == nil {
			for _, e := range record.Events[min(len(log.events), len(record.Events)):] {
				m.extend(log, []match.Event{e}, e.At)
			}
		}
	}
	if r.seq == importedSeq {
		m.ended++
	}
	delete(m.live, id)
}

func (m *memory) deliverAccount(r row) {
	e, err := account.Decode(r.body)
	if err != nil {
		e = account.Event{Kind: account.Unreadable}
		m.log.Error("accounts cannot be changed at this server: an entry cannot be read",
			"event", "accounts-unreadable", "sequence", r.seq, "error", err)
	}
	e.Seq, e.At = uint64(r.seq), time.UnixMicro(r.at).Truncate(time.Millisecond)
	m.accounts = append(m.accounts, e)
	m.accountWatchers.Notify(e)
}

func (m *memory) deliverEntry(e match.Entry) {
	if len(e.Text) == 0 {
		e.Text = nil
		delete(m.entries, e.Key)
	} else {
		m.entries[e.Key] = e
	}
	m.entryWatchers.Notify(e)
}

// forgetEntries drops entries that are older than [match.EntryTTL].
func (m *memory) forgetEntries(now time.Time) {
	for key, e := range m.entries {
		if now.Sub(e.At) > match.EntryTTL {
			delete(m.entries, key)
		}
	}
}
