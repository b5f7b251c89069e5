package manager

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"notakto/match"
)

// errBroken is what callers get from a table whose goroutine panicked. Its log is kept, so the table may be taken up
// again.
var errBroken = fmt.Errorf("%w after a fault", match.ErrClosed)

// table is a match alive on this node. One goroutine, [table.run], owns everything below the line; the others send it
// closures. Whatever it knows of the match it has from the journal.
type table struct {
	id        match.ID
	manager   *Manager
	ctx       context.Context
	log       *slog.Logger
	calls     chan func()
	wake      chan struct{}
	done      chan struct{}
	end       error                     // why it closed; to be read once done is closed
	looking   atomic.Int32              // spectators
	forfeitAt atomic.Pointer[time.Time] // [Snapshot.LostAt], as it was shown; never nil

	// the goroutine's own
	state         *match.State // the newest that was shown; never nil
	ready         bool         // the state may be shown
	broken        error        // the log cannot be folded
	readOnly      bool         // the log takes no more events
	endLogged     bool         // the end was logged
	journalFailed time.Time    // since when the journal has failed; zero if it has not
	resumed       time.Time    // when the table was taken up from its log, or the journal came back; zero if neither
	emptySince    time.Time    // when the last reader left
	retry         time.Time    // nothing is recorded of the table's own accord before that
	alarm         *time.Timer
	presence      [2]presence
	spectators    []*subscription
	cutOff        bool      // as it was shown
	limit         time.Time // [Snapshot.MoveBy], as it was shown
	dirty         bool      // something that is in no log has changed since the last picture
	lastShown     time.Time // when such a thing was last shown
}

func newTable(m *Manager, id match.ID) *table {
	t := &table{
		id: id, manager: m, ctx: m.ctx, log: m.cfg.Log.With("match", string(id)), state: &match.State{},
		calls: make(chan func()), wake: make(chan struct{}, 1), done: make(chan struct{}),
	}
	t.forfeitAt.Store(new(time.Time))
	return t
}

// run lives the table's life: it is laid by a plan, or as the journal tells it if the plan is empty.
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
	t.releaseRematchClaims()
	t.closeSubscriptions()
	match.RecoverPanic(t.log, "closing a table", t.archive)
	close(t.done)
}

func (t *table) loop() error {
	t.alarm = time.NewTimer(0)
	defer t.alarm.Stop()
	for {
		t.step()
		switch {
		case t.broken != nil:
			return t.broken
		case t.finished(t.now()):
			return match.ErrClosed
		}
		t.setAlarm()
		select {
		case <-t.ctx.Done():
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
	t.release()
	t.runDue()
	t.publishTransient()
}

// wakeUp has the table look again at what is due. It never waits.
func (t *table) wakeUp() {
	select {
	case t.wake <- struct{}{}:
	default: // it is woken already and has not looked yet
	}
}

// now is the journal's time.
func (t *table) now() time.Time { return t.manager.cfg.Journal.Now() }

// do runs do in the table's goroutine and waits for its answer. If ctx ends first, do may still run.
func (t *table) do(ctx context.Context, call func() error) error {
	reply := make(chan error, 1)
	select {
	case t.calls <- func() { reply <- call() }:
	case <-t.done:
		return t.end
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case err := <-reply:
		return err
	case <-ctx.Done():
		return ctx.Err()
	case <-t.done:
	}
	select {
	case err := <-reply:
		return err
	default:
		return t.end
	}
}

func (t *table) isDone() bool {
	select {
	case <-t.done:
		return true
	default:
		return false
	}
}

// closeSubscriptions closes every mailbox.
func (t *table) closeSubscriptions() {
	for _, readers := range [][]*subscription{t.presence[0].subscriptions, t.presence[1].subscriptions, t.spectators} {
		for _, r := range readers {
			close(r.box)
		}
	}
}

// archive ends with the journal.
func (t *table) archive() {
	if !t.ready || !t.state.Over() || t.ctx.Err() != nil {
		return
	}
	t.manager.archive(t.id, t.manager.cfg.JournalTimeout)
}
