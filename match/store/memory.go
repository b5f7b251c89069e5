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

// memory is what a server knows of the log: the live matches, the accounts and the entries, up to a position. Only the
// goroutine that commits changes it, with the store's lock, which its readers in other goroutines need too.
type memory struct {
	log      *slog.Logger
	isLoaded bool // what the database had at the start was read

	position int64
	at       int64 // the time of the row there
	live     map[match.ID]*liveMatch
	accounts []account.Event
	entries  map[string]match.Entry

	ended uint64 // grows with every match that ends

	eventWatchers   match.Subscribers[match.Event]
	accountWatchers match.Subscribers[account.Event]
	entryWatchers   match.Subscribers[match.Entry]
}

// liveMatch is a match that is not in the archive.
type liveMatch struct {
	events []match.Event
	state  match.State // after the events
	isOdd  bool        // the events are no match: state is of no use
	damage error       // the log cannot be read
}

func newMemory(log *slog.Logger) memory {
	return memory{log: log, live: make(map[match.ID]*liveMatch), entries: make(map[string]match.Entry)}
}

// deliver takes the next row of the log.
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
	case auditRow: // is read from the database
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

// extend appends events of a time to a log, and delivers them.
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

func (l *liveMatch) fold(e match.Event) {
	if l.isOdd {
		return
	}
	next, err := l.state.Apply(e)
	if l.isOdd = err != nil; !l.isOdd {
		l.state = next
	}
}

// deliverRecord ends a match. If this server did not see its last events, because they were archived before it has read
// on, it delivers them from the record.
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

// forgetEntries drops entries that are no longer valid at a time.
func (m *memory) forgetEntries(now time.Time) {
	for key, e := range m.entries {
		if now.Sub(e.At) > match.EntryTTL {
			delete(m.entries, key)
		}
	}
}
