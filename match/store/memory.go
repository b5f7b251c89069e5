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

// memory holds the live matches, the accounts and the entries, as of a position of the log. Changes need the store's
// lock. The committing goroutine makes most changes, and needs no lock to read what no other goroutine changes.
//
// Other goroutines change only these fields. With SQLite, Put and Delete change entries. Rebuild changes
// historyVersion. Subscribe and Watch add subscribers, and their stop functions remove them.
type memory struct {
	log      *slog.Logger
	isLoaded bool

	position int64
	at       int64 // the time of the row at position in microseconds, 0 if unknown
	live     map[match.ID]*liveMatch
	accounts []account.Event
	entries  map[string]match.Entry // may have entries older than match.EntryTTL
	forgotAt time.Time              // when forgetEntries last dropped entries

	historyVersion uint64 // see History.Version

	eventWatchers   match.Subscribers[match.Event]
	accountWatchers match.Subscribers[account.Event]
	entryWatchers   match.Subscribers[match.Entry]
}

// liveMatch is a match that is not in the archive.
type liveMatch struct {
	events    []match.Event
	state     match.State // after the events
	isInvalid bool        // an event does not fit the state before it, and state must not be used
	damage    error       // why a later event cannot be read, nil if all can
}

// deliver puts the next row of the log into m and calls the subscribers. The caller holds the store's lock.
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
	case auditRow:
	}
	m.position, m.at = r.position, r.at
}

func (m *memory) deliverEvents(r row) {
	id := match.ID(r.name)
	live := m.live[id]
	if live == nil {
		live = &liveMatch{}
		m.live[id] = live
	}
	if live.damage != nil {
		return
	}
	events, err := codec.DecodeEntry(id, r.body)
	switch {
	case errors.Is(err, match.ErrNewer):
		live.damage = fmt.Errorf("%w: match %s, after event %d", err, id, len(live.events))
		m.log.Warn("a newer version of the program wrote a match; this version does not show it",
			"event", "match-newer", "match", id)
	case err != nil:
		live.damage = fmt.Errorf("%w: match %s, after event %d: %w", match.ErrDamaged, id, len(live.events), err)
	case r.seq != int64(len(live.events))+1 || events[0].Seq != uint64(r.seq):
		live.damage = fmt.Errorf("%w: match %s: event %d is followed by event %d", match.ErrDamaged, id, len(live.events),
			r.seq)
	}
	if live.damage == nil {
		m.extend(live, events, time.UnixMicro(r.at))
		return
	}
	if !errors.Is(live.damage, match.ErrNewer) {
		m.log.Error("a match is damaged and not shown", "event", "match-damaged", "match", id, "error", live.damage)
	}
	if m.isLoaded {
		m.eventWatchers.Notify(match.Event{Match: id})
	}
}

// extend appends events to live, with appended as the time of each event, and calls the subscribers.
func (m *memory) extend(live *liveMatch, events []match.Event, appended time.Time) {
	appended = appended.Truncate(time.Millisecond) // the precision of the archive
	for _, e := range events {
		e.At = appended
		wasOver := live.state.Outcome.IsOver()
		live.events = append(live.events, e)
		live.fold(e)
		if live.state.Outcome.IsOver() && !wasOver {
			m.historyVersion++
		}
		m.eventWatchers.Notify(e)
	}
}

// fold sets the state after the next event, or isInvalid if the event does not fit. The event is not appended.
func (l *liveMatch) fold(e match.Event) {
	if l.isInvalid {
		return
	}
	next, err := l.state.Apply(e)
	if l.isInvalid = err != nil; !l.isInvalid {
		l.state = next
	}
}

// deliverRecord removes an archived match from the live matches. If this server has not delivered all events of the
// match, deliverRecord first delivers the missing ones from the record. Events are missing if another server archived
// the match before this server read their rows.
func (m *memory) deliverRecord(r row) {
	id := match.ID(r.name)
	live := m.live[id]
	if live == nil {
		live = &liveMatch{}
	}
	if live.damage == nil && int64(len(live.events)) < r.seq {
		if record, err := codec.DecodeRecord(r.body); err == nil {
			for _, e := range record.Events[min(len(live.events), len(record.Events)):] {
				m.extend(live, []match.Event{e}, e.At)
			}
		}
	}
	if r.seq == importedSeq {
		m.historyVersion++
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

// forgetEntries drops old entries, at most once a second, because players change entries often.
func (m *memory) forgetEntries(now time.Time) {
	if now.Sub(m.forgotAt) < time.Second {
		return
	}
	m.forgotAt = now
	for key, e := range m.entries {
		if now.Sub(e.At) > match.EntryTTL {
			delete(m.entries, key)
		}
	}
}
