package manager

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"notakto/match"
	"notakto/rules"
)

// errBroken is what callers get from a table whose goroutine panicked. Its log is kept, so the table may be taken up
// again.
var errBroken = fmt.Errorf("%w after a fault", match.ErrClosed)

// table is a match alive on this node. One goroutine, [table.run], owns everything below the line; the others send it
// closures. Whatever it knows of the match it has from the journal.
type table struct {
	executor
	id        match.ID
	manager   *Manager
	log       *slog.Logger
	looking   atomic.Int32              // spectators
	forfeitAt atomic.Pointer[time.Time] // [Snapshot.ForfeitAt], as it was shown; never nil

	// the goroutine's own
	state         *match.State // the newest that was shown; never nil
	phase         tablePhase
	broken        error     // why the log cannot be folded
	journalFailed time.Time // since when the journal has failed; zero if it has not
	resumed       time.Time // when the table was taken up from its log, or the journal came back; zero if neither
	retryAt       time.Time // nothing is recorded of the table's own accord before that
	alarm         *time.Timer
	attendance    attendance
	shown         transient
}

// tablePhase is how far a table has come. It only grows.
type tablePhase uint8

const (
	tableOpening tablePhase = iota // the state may not be shown yet
	tableLive
	tableOver     // the match has ended, and that was logged
	tableArchived // the log takes no more events
	tableBroken   // the log cannot be folded
)

func newTable(m *Manager, id match.ID) *table {
	t := &table{executor: newExecutor(), id: id, manager: m, log: m.cfg.Log.With("match", string(id)), state: &match.State{}}
	t.forfeitAt.Store(new(time.Time))
	return t
}

// run lives the table's life: it is opened by a plan, or as the journal tells it if the plan is empty.
func (t *table) run(p plan) {
	t.end = errBroken
	match.RecoverPanic(t.log, "a table", func() {
		err := t.begin(p)
		if err == nil {
			err = t.loop()
		}
		t.end = err
	})
	t.manager.index.forget(t.id)
	t.manager.index.leave(t)
	releaseRematch(t)
	t.attendance.close()
	match.RecoverPanic(t.log, "closing a table", func() {
		if t.phase >= tableLive && t.state.Over() && t.manager.ctx.Err() == nil {
			t.manager.archive(t.id, t.manager.cfg.JournalTimeout)
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
		case <-t.manager.ctx.Done():
			return match.ErrClosed
		case do := <-t.calls:
			t.step() // who closed a handle before asking is to find it closed
			do()
		case <-t.wake:
		case <-t.alarm.C:
		}
	}
}

// step does what is due: it shows what is new, lets readers go, and records what the table owes its log.
func (t *table) step() {
	t.refresh()
	if t.attendance.dropClosed(t.now()) {
		t.shown.dirty = true
	}
	t.recordDue()
	t.publishTransient()
}

// now is the journal's time.
func (t *table) now() time.Time { return t.manager.cfg.Journal.Now() }

// agenda is how the table stands now.
func (t *table) agenda() agenda {
	return agenda{t.state, t.manager, &t.attendance, t.now(), t.resumed, t.phase == tableArchived}
}

// setAlarm has the table woken when it has to look again.
func (t *table) setAlarm() {
	at := t.agenda().wakeAt(t.retryAt)
	if t.shown.dirty {
		at = earlier(at, t.shown.nextAt())
	}
	if at.IsZero() {
		t.alarm.Stop()
	} else {
		t.alarm.Reset(at.Sub(t.now()))
	}
}

// receive has a reader take its place in the table's goroutine: on the seat that p has, or among those who look on. If
// it cannot be waited for, the reader is given back. [match.ErrNotSeated].
func (t *table) receive(ctx context.Context, r *subscription, p match.PlayerID, looksOn bool) (side rules.Side, err error) {
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
