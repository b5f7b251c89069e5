package match

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"
)

// table is a match alive on this node. One goroutine, [table.run], owns everything below the line; the others send it closures. Whatever it
// knows of the match it has from the journal.
type table struct {
	id      ID
	manager *Manager
	cfg     Config
	ctx     context.Context
	log     *slog.Logger
	asks    chan func()
	wake    chan struct{}
	done    chan struct{}
	end     error // why it closed; to be read once done is closed
	face    atomic.Pointer[Summary]

	// the goroutine's own
	state    State
	feed     Feed
	laid     bool      // the state may be shown
	unsure   bool      // the journal may have more than state
	broken   error     // the log cannot be folded
	frozen   bool      // the log takes no more events
	told     bool      // the end was logged
	ailing   bool      // the journal failed the last time
	resumed  time.Time // when the table was taken up from its log, or the journal came back; zero if neither
	quiet    time.Time // when the last reader left
	retry    time.Time // nothing is recorded of the table's own accord before that
	alarm    *time.Timer
	benches  [2]bench
	watchers []*reader
}

func newTable(m *Manager, id ID) *table {
	return &table{
		id: id, manager: m, cfg: m.cfg, ctx: m.ctx, log: m.cfg.Log.With("match", string(id)),
		asks: make(chan func()), wake: make(chan struct{}, 1), done: make(chan struct{}),
	}
}

// run lives the table's life: it is laid by a plan, or from its log if the plan is empty.
func (t *table) run(p plan) {
	t.end = errBroken
	contain(t.log, "a table", func() {
		err := t.begin(p)
		if err == nil {
			err = t.loop()
		}
		t.end = err
	})
	if t.broken != nil {
		t.log.Error("the log of the match makes no sense", "error", t.broken)
	}
	if !t.laid && (len(p.events) > 0 || isHopeless(t.end)) {
		t.manager.register.forget(t.id)
	}
	t.manager.register.leave(t)
	t.dismiss()
	contain(t.log, "closing a table", t.putAway)
	close(t.done)
}

// isHopeless reports whether a log that could not be read will not be read another time either.
func isHopeless(err error) bool {
	return errors.Is(err, ErrBadEvent) || errors.Is(err, ErrNoSuchMatch) || errors.Is(err, errBroken)
}

func (t *table) loop() error {
	t.alarm = time.NewTimer(0)
	defer t.alarm.Stop()
	for {
		t.round()
		switch {
		case t.broken != nil:
			return t.broken
		case t.finished(time.Now()):
			return ErrClosed
		}
		t.setAlarm()
		select {
		case <-t.ctx.Done():
			return ErrClosed
		case seq := <-t.feed.News():
			t.unsure = t.unsure || seq > t.state.Seq
		case do := <-t.asks:
			t.round() // who closed a handle before asking is to find it closed
			do()
		case <-t.wake:
		case <-t.alarm.C:
		}
	}
}

// round does what is due: it lets readers go, and records what the table owes its log.
func (t *table) round() {
	t.release()
	t.settle()
}

// ask runs do in the table's goroutine and waits for its answer. If ctx ends first, do may still run.
func (t *table) ask(ctx context.Context, do func() error) error {
	reply := make(chan error, 1)
	select {
	case t.asks <- func() { reply <- do() }:
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

// dismiss closes every mailbox.
func (t *table) dismiss() {
	for _, readers := range [][]*reader{t.benches[0].readers, t.benches[1].readers, t.watchers} {
		for _, r := range readers {
			close(r.box)
		}
	}
	t.face.Store(nil)
}

// putAway ends with the journal.
func (t *table) putAway() {
	if t.feed != nil {
		t.feed.Close()
	}
	if !t.laid || !t.state.Over() || t.ctx.Err() != nil {
		return
	}
	ctx, cancel := context.WithTimeout(t.ctx, t.cfg.Patience)
	defer cancel()
	if err := t.cfg.Journal.Retire(ctx, t.id); err != nil && !errors.Is(err, ErrNoSuchMatch) {
		t.log.Warn("a match that is over could not be put away", "error", err)
	}
}
