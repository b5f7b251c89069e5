package manager

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"notakto/match"
	"notakto/rules"
)

// errBroken is returned by a table whose goroutine has panicked. Its log remains, so the table may be resumed.
var errBroken = fmt.Errorf("%w after a fault", match.ErrClosed)

// table is a live match on this node. One goroutine, [table.run], owns the fields below the line; the others send it
// closures. All it knows of the match comes from the journal.
type table struct {
	executor
	id        match.ID
	tables    *tables
	log       *slog.Logger
	looking   atomic.Int32              // number of spectators
	forfeitAt atomic.Pointer[time.Time] // [match.Snapshot.ForfeitAt] as last published; never nil

	// owned by the goroutine
	state      *match.State // the last published; never nil
	phase      tablePhase
	broken     error     // why the log cannot be folded
	outages    outages   // those that this table has met; see [membership.outagesUntil] for those of the node
	resumed    time.Time // when the table was resumed, or the journal recovered; zero if neither
	retryAt    time.Time // the table records nothing by itself before this
	alarm      *time.Timer
	attendance attendance
	shown      transient
}

// tablePhase is the phase of a table. It only grows.
type tablePhase uint8

const (
	tableOpening tablePhase = iota // the state may not be published yet
	tableLive
	tableOver     // the match has ended, and that was logged
	tableArchived // the log accepts no more events
	tableBroken   // the log cannot be folded
)

func (x *tables) newTable(id match.ID) *table {
	t := &table{
		executor: newExecutor(), id: id, tables: x, log: x.cfg.Log.With("match", string(id)), state: &match.State{},
	}
	t.forfeitAt.Store(new(time.Time))
	return t
}

// run runs the table. It opens the match by a plan, or from the journal if the plan is empty.
func (t *table) run(p plan) {
	t.end = errBroken
	match.RecoverPanic(t.log, "a table", func() {
		err := t.begin(p)
		if err == nil {
			err = t.loop()
		}
		t.end = err
	})
	t.tables.index.forget(t.id)
	t.tables.remove(t)
	t.releaseRematch()
	t.attendance.close()
	t.tables.index.stats.Spectators.Add(-int64(t.looking.Swap(0)))
	match.RecoverPanic(t.log, "closing a table", func() {
		if t.phase >= tableLive && t.state.Over() && !isBetweenGames(t.state) && t.tables.ctx.Err() == nil {
			t.tables.archive(t.id, t.tables.cfg.JournalTimeout)
		}
	})
	close(t.done)
}

func (t *table) loop() error {
	t.alarm = time.NewTimer(0)
	defer t.alarm.Stop()
	for {
		t.step()
		switch {
		case t.phase == tableBroken:
			return t.broken
		case t.agenda().isFinished():
			return match.ErrClosed
		}
		t.setAlarm()
		select {
		case <-t.tables.ctx.Done():
			return match.ErrClosed
		case do := <-t.calls:
			t.step() // a caller that closed a handle first expects that to have taken effect
			do()
		case <-t.wake:
		case <-t.alarm.C:
		}
	}
}

// step does what is due: it publishes changes, drops closed subscriptions, and records scheduled events.
func (t *table) step() {
	t.refresh()
	if t.attendance.dropClosed(t.tables.now()) {
		t.shown.dirty = true
	}
	t.recordDue()
	t.publishTransient()
}

// agenda returns the current agenda.
func (t *table) agenda() agenda {
	return agenda{t.state, t.tables, &t.attendance, t.tables.now(), &t.outages, t.resumed, t.phase == tableArchived}
}

// setAlarm schedules the next wake-up.
func (t *table) setAlarm() {
	at := t.agenda().wakeAt(t.retryAt)
	if t.shown.dirty {
		at = earlier(at, t.shown.nextAt())
	}
	if at.IsZero() {
		t.alarm.Stop()
	} else {
		t.alarm.Reset(at.Sub(t.tables.now()))
	}
}

// receive adds a subscription in the table's goroutine: to the seat of p, or to the spectators. If ctx ends first, the
// subscription is closed. [match.ErrNotSeated].
func (t *table) receive(ctx context.Context, r *subscription, p match.PlayerID,
	looksOn bool) (side rules.Side, err error) {
	err = t.do(ctx, func() error {
		if r.closed.Load() {
			return context.Canceled
		}
		if side = t.state.Side(p); looksOn {
			side, t.shown.dirty = rules.Nobody, true
		} else if side == rules.Nobody || t.state.SeatState(side).Player.IsComputer() {
			return match.ErrNotSeated
		}
		t.attendance.add(r, side)
		t.publishTo(side, r)
		return nil
	})
	if err != nil {
		r.close()
	}
	return side, err
}

// plan holds the first events of a match to be opened. It is empty for a table whose log exists.
type plan struct {
	events []match.Event
	shared bool // another node may open the same match
}

// begin opens the match by a plan, or loads its log.
func (t *table) begin(p plan) error {
	isNew := len(p.events) > 0
	if isNew {
		if err := t.open(p); err != nil && (!p.shared || !errors.Is(err, match.ErrConflict)) {
			return err
		}
	}
	// If another node came first, the match may be over already, and archived.
	isArchived := false
	if t.refresh(); t.state.Seq == 0 && t.phase != tableBroken {
		if err := t.fetch(); err != nil {
			return err
		}
		isArchived = t.state.Over() // a live one has not been delivered here yet
	}
	if t.phase == tableBroken {
		return t.broken
	}
	t.resume(isNew, isArchived)
	return nil
}

// open records the events of a plan together, so that no crash leaves a match with one player. [match.ErrConflict] if
// the match is open already.
func (t *table) open(p plan) error {
	if t.refresh(); t.state.Seq == 0 {
		if err := t.append(p.events...); err == nil || t.state.Seq == 0 {
			return err
		}
	}
	return fmt.Errorf("match %s: %w", t.id, match.ErrConflict) // another node came first, maybe at the last moment
}

// fetch loads a match that is archived, or not delivered here yet.
func (t *table) fetch() error {
	var events []match.Event
	err := t.callJournal(func(ctx context.Context) (err error) {
		events, err = t.tables.cfg.Journal.Load(ctx, t.id, 0)
		return err
	})
	if err != nil {
		return fmt.Errorf("reading match %s: %w", t.id, err)
	}
	state := match.State{}
	for _, e := range events {
		if state, err = t.tables.cfg.apply(state, e); err != nil {
			t.fail(err)
			return t.broken
		}
	}
	t.state = &state
	return nil
}

// resume makes the table ready for subscriptions. Players just seated at this node are expected. Others who are present
// by the log were connected before a failure, or are at another node. Time before a resumption does not count.
func (t *table) resume(isNew, isArchived bool) {
	now := t.tables.now()
	t.attendance.emptySince = now
	if !isNew {
		t.attendance.missAll(t.state, t.tables.membership.self, now)
		t.resumed = now
	}
	t.phase = tableLive
	if isArchived || !isNew && t.state.Over() && !isBetweenGames(t.state) {
		t.phase = tableArchived
	}
	logBegin(t.log, t.state, isNew)
	t.changed()
}

func logBegin(log *slog.Logger, s *match.State, isNew bool) {
	log = log.With("variant", s.Variant.String(), "plies", len(s.Moves),
		"first", string(s.SeatState(rules.First).Player.ID), "second", string(s.SeatState(rules.Second).Player.ID))
	if isNew {
		log.Info("match opened", "event", "match-begin")
	} else {
		log.Info("match taken up again", "event", "match-resume")
	}
}

func logEnd(log *slog.Logger, s *match.State) {
	log.Info("match ended",
		"event", "match-end", "reason", endReason(s), "winner", string(s.SeatState(s.Outcome.Winner).Player.ID),
		"plies", len(s.Moves))
}
