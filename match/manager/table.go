package manager

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"notakto/match"
	"notakto/rules"
)

// tables starts, finds and ends the tables of this node, and holds what they share. It implements [lobby.Opener]. Safe
// for concurrent use.
type tables struct {
	cfg     Config
	ctx     context.Context // of all tables
	rng     *rng
	index   *index
	peers   *peers
	running sync.WaitGroup // the goroutines of the tables
}

// tablesState says which tables may start.
type tablesState uint8

const (
	allTables    tablesState = iota
	pausedTables             // of existing matches, until all may start again
	knownTables              // as pausedTables, and this node adopts no match; the server drains
	noTables                 // the server closes
)

// now returns the journal's time.
func (t *tables) now() time.Time { return t.cfg.Journal.Now() }

// getOrBegin returns the table of a match, and starts one by the plan if there is none. Errors: [match.ErrDraining],
// and [match.ErrConflict] if there is a table although p opens a match and is not shared.
func (t *tables) getOrBegin(id match.ID, p plan) (*table, error) {
	t.index.mu.Lock()
	defer t.index.mu.Unlock()
	isOpening, e := len(p.events) > 0, t.index.matches[id]
	switch {
	case t.index.allowed == noTables || t.index.allowed != allTables && isOpening && e.table == nil:
		return nil, match.ErrDraining
	case e.table != nil && isOpening && !p.shared:
		return nil, match.ErrConflict
	case e.table == nil:
		here := &table{
			id: id, tables: t, log: t.cfg.Log.With("match", string(id)), state: &match.State{},
			calls: make(chan func()), wake: make(chan struct{}, 1), done: make(chan struct{}),
		}
		here.forfeitAt.Store(new(time.Time))
		e.table = here
		t.index.set(id, e)
		t.running.Go(func() { here.run(p) })
	}
	return e.table, nil
}

// isDraining reports whether no new match may begin.
func (t *tables) isDraining() bool { return t.index.isAtLeast(pausedTables) }

// at calls use with the table of a match, resumed from the log if necessary. If the table closes before the call,
// another is resumed.
func (t *tables) at(ctx context.Context, id match.ID, use func(*table) error) error {
	err := match.ErrClosed
	for range 3 {
		here, missing := t.getOrBegin(id, plan{})
		if missing != nil {
			return missing
		}
		if err = use(here); !errors.Is(err, match.ErrClosed) || errors.Is(err, errBroken) || ctx.Err() != nil ||
			!here.isDone() {
			return err
		}
	}
	return err
}

// archive archives a finished match. It reports whether the journal accepted that within a time.
func (t *tables) archive(id match.ID, within time.Duration) bool {
	ctx, cancel := context.WithTimeout(t.ctx, min(within, t.cfg.JournalTimeout))
	defer cancel()
	switch err := t.cfg.Journal.Archive(ctx, id); {
	case err == nil, errors.Is(err, match.ErrNoSuchMatch):
		t.index.drop(id)
		return true
	case t.ctx.Err() == nil:
		t.cfg.Log.Warn("a match that is over could not be put away",
			"event", "archive-failed", "match", string(id), "error", err)
	}
	return false
}

// errBroken ends a table whose goroutine has panicked. The log remains, and another table may resume the match.
var errBroken = fmt.Errorf("%w after a fault", match.ErrClosed)

// table is a live match on this node. One goroutine, [table.run], owns the fields in the second group. Other
// goroutines send it closures by [table.do]. The table knows the match from the journal only.
type table struct {
	id         match.ID
	tables     *tables
	log        *slog.Logger
	spectators atomic.Int32              // the number of them, for lists
	forfeitAt  atomic.Pointer[time.Time] // [match.Snapshot.ForfeitAt] as last published; never nil
	calls      chan func()
	wake       chan struct{} // holds a value when the goroutine is to check what is due
	done       chan struct{} // closed when the goroutine has ended
	end        error         // the reason of the end; may be read once done is closed

	// owned by the goroutine
	state      *match.State // the last published; never nil
	phase      tablePhase
	broken     error     // why the log cannot be folded
	outages    outages   // times in which a player's node was down; see [peers.outagesUntil] for those of this node
	resumed    time.Time // when the table was resumed; zero if it was not
	retryAt    time.Time // the table records nothing by itself before this
	attendance attendance
	shown      transient
}

// tablePhase only grows.
type tablePhase uint8

const (
	tableOpening tablePhase = iota // the state may not be published yet
	tableLive
	tableOver     // the match has ended, and that was logged
	tableArchived // the log accepts no more events
	tableBroken   // the log cannot be folded
)

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
	t.tables.index.end(t)
	for _, r := range slices.Concat(t.attendance.players[0].subscriptions, t.attendance.players[1].subscriptions,
		t.attendance.spectators) {
		r.box.Close()
	}
	t.tables.index.stats.Spectators.Add(-int64(t.spectators.Swap(0)))
	match.RecoverPanic(t.log, "closing a table", func() {
		if t.phase >= tableLive && t.state.Over() && !isBetweenGames(t.state) && t.tables.ctx.Err() == nil {
			t.tables.archive(t.id, t.tables.cfg.JournalTimeout)
		}
	})
	close(t.done)
}

func (t *table) loop() error {
	alarm := time.NewTimer(0)
	defer alarm.Stop()
	for {
		t.step()
		switch {
		case t.phase == tableBroken:
			return t.broken
		case t.agenda().isFinished():
			return match.ErrClosed
		}
		at := t.agenda().wakeAt(t.retryAt)
		if t.shown.dirty {
			at = earlier(at, t.shown.nextAt())
		}
		if at.IsZero() {
			alarm.Stop()
		} else {
			alarm.Reset(at.Sub(t.tables.now()))
		}
		select {
		case <-t.tables.ctx.Done():
			return match.ErrClosed
		case do := <-t.calls:
			t.step() // a caller that closed a handle first expects that to have taken effect
			do()
		case <-t.wake:
		case <-alarm.C:
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

// forgiveMove adds an outage if the player to move came here from a node that has failed. The outage lasts from the
// last heartbeat of that node until the player connected here.
func (t *table) forgiveMove() {
	for _, side := range rules.Sides() {
		p := t.attendance.player(side)
		if p.movedFrom == "" {
			continue
		}
		lost := t.tables.peers.silentSince(p.movedFrom, p.movedAt)
		isTheirs := t.state.Turn() == side && t.state.TurnSince.Before(p.movedAt)
		if isTheirs && !lost.IsZero() {
			t.outages.add(lost, p.movedAt)
		}
		if !isTheirs || !lost.IsZero() {
			p.movedFrom = ""
		}
	}
}

// agenda returns the current agenda.
func (t *table) agenda() agenda {
	t.forgiveMove()
	return agenda{t.state, t.tables, &t.attendance, t.tables.now(), t.outages, t.resumed, t.phase == tableArchived}
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
		if side == rules.Nobody {
			t.attendance.spectators = append(t.attendance.spectators, r)
		} else {
			player, here := t.attendance.player(side), t.state.SeatState(side)
			if here.Present && here.Node != t.tables.peers.self && player.state != present { // comes from another node
				player.movedFrom, player.movedAt = here.Node, t.tables.now()
			}
			player.subscriptions, player.state = append(player.subscriptions, r), present
			t.attendance.here[side-1].Store(true)
		}
		t.publishTo(side, r)
		return nil
	})
	if err != nil {
		r.close()
	}
	return side, err
}

// begin opens the match by a plan, or loads its log. The events of a plan are recorded together, so that no crash
// leaves a match with one player.
func (t *table) begin(p plan) error {
	isNew, isOpener := len(p.events) > 0, false
	if isNew {
		err := error(nil)
		if t.refresh(); t.state.Seq == 0 {
			err = t.appendWith(p.tickets, p.events...)
			isOpener = err == nil
		}
		if t.state.Seq > 0 && !isOpener { // another node came first, maybe at the last moment
			err = fmt.Errorf("match %s: %w", t.id, match.ErrConflict)
		}
		if err != nil && (!p.shared || !errors.Is(err, match.ErrConflict)) {
			return err
		}
	}
	// If another node came first, the match may be over already, and archived.
	isArchived := false
	if t.refresh(); t.state.Seq == 0 && t.phase != tableBroken {
		states, err := t.tables.cfg.load(t.tables.ctx, t.id)
		if err != nil {
			return err
		}
		t.state = &states[len(states)-1]
		isArchived = t.state.Over() // else the match is live, and its events are still on their way
	}
	if t.phase == tableBroken {
		return t.broken
	}
	// Players seated here a moment ago may be about to connect. Other players that the log shows at this node were
	// connected before a failure, and are absent until they come back. Time before a resumption does not count.
	now := t.tables.now()
	t.attendance.emptySince = now
	if !isNew {
		for i, seatState := range t.state.SeatStates() {
			if seatState.Taken && seatState.Node == t.tables.peers.self && seatState.Since.Add(joinTimeout).Before(now) {
				t.attendance.players[i].state = absent
			}
		}
		t.resumed = now
	}
	t.phase = tableLive
	if isArchived || !isNew && t.state.Over() && !isBetweenGames(t.state) {
		t.phase = tableArchived
	}
	log := t.log.With("variant", t.state.Variant.String(), "plies", len(t.state.Moves),
		"first", string(t.state.SeatState(rules.First).Player.ID),
		"second", string(t.state.SeatState(rules.Second).Player.ID))
	if isOpener {
		log.Info("match opened", "event", "match-begin")
	} else {
		log.Info("match taken up again", "event", "match-resume")
	}
	t.changed()
	return nil
}

// errAgain says that another event was recorded first, and the caller must decide again.
var errAgain = errors.New("decide again")

// refresh publishes what the journal has delivered since. If the log cannot be folded, the table ends at its next step.
func (t *table) refresh() {
	state, err := t.tables.index.match(t.id)
	if err != nil && t.phase != tableBroken {
		t.phase, t.broken = tableBroken, fmt.Errorf("match %s: %w", t.id, err)
	}
	if state != nil && state.Seq > t.state.Seq {
		t.state = state
		t.changed()
	}
}

// append is appendWith without entries.
func (t *table) append(events ...match.Event) error { return t.appendWith(nil, events...) }

// appendWith appends events to the log once, and puts entries, all or none. It returns nil if they were recorded and
// published, and errAgain if another event came first. After any other error the outcome is unknown: if the events
// were recorded, the journal delivers them.
func (t *table) appendWith(entries []match.Entry, events ...match.Event) error {
	if t.refresh(); t.phase == tableBroken {
		return t.broken
	}
	next, err := *t.state, error(nil)
	for i := range events {
		e := &events[i]
		e.Match, e.Seq, e.At = t.id, next.Seq+1, t.tables.now()
		if i == 0 {
			e.Spent = t.agenda().spent(e.Kind)
		}
		if next, err = next.Apply(*e); err != nil {
			return err
		}
	}
	if t.phase == tableArchived {
		return match.ErrClosed
	}
	before, lost := t.state, t.tables.peers.lostSince(t.state, events[0])
	ctx, cancel := context.WithTimeout(t.tables.ctx, t.tables.cfg.JournalTimeout)
	defer cancel()
	_, err = t.tables.cfg.Journal.AppendWith(ctx, entries, events...)
	t.refresh()
	switch {
	case errors.Is(err, match.ErrArchived):
		t.phase = max(t.phase, tableArchived)
		return match.ErrClosed
	case errors.Is(err, match.ErrConflict) && t.state.Seq > before.Seq:
		return errAgain
	case err != nil:
		return fmt.Errorf("recording in match %s: %w", t.id, err)
	}
	t.tables.index.stats.recorded(before, &next, events)
	t.outages.add(lost, t.tables.now())
	for _, e := range events {
		if e.Kind == match.Returned {
			p, now := t.attendance.player(e.Seat), t.tables.now()
			if !p.mayReturnAt().After(now) { // an early return costs nothing
				p.returnsCountUntil = latest(p.returnsCountUntil, now).Add(returnInterval)
			}
		}
	}
	return t.broken
}

// record appends a player's action. It tries again while other events come first and the action remains allowed. Then
// it records the player's return, if that was delayed.
func (t *table) record(e match.Event) error {
	err := errAgain
	for errors.Is(err, errAgain) {
		err = t.append(e)
	}
	if err != nil || !e.Seat.Valid() || t.state.Closed || !t.attendance.isPresent(e.Seat) ||
		t.state.SeatState(e.Seat).Present {
		return err
	}
	_ = t.append(match.Event{Kind: match.Returned, Seat: e.Seat, Node: t.tables.peers.self}) // else recordDue does it
	return nil
}

// recordDue records the events that are due. If the journal refuses one, the table waits for backOff.
func (t *table) recordDue() {
	for t.phase != tableBroken && t.tables.ctx.Err() == nil && !t.tables.now().Before(t.retryAt) {
		d := t.agenda().next()
		if d.event.Kind == 0 || d.at.After(t.tables.now()) {
			return
		}
		decided := t.state.Seq
		e, err := t.complete(d.event)
		if err == nil {
			err = t.append(e)
		}
		switch {
		case err == nil, errors.Is(err, errAgain), t.tables.ctx.Err() != nil:
		case errors.Is(err, match.ErrBadEvent) && t.state.Seq > decided: // another node came first
		case errors.Is(err, match.ErrClosed) && t.phase == tableArchived: // another node has archived the match
			return
		default:
			t.retryAt = t.tables.now().Add(backOff)
			t.log.Warn("the table could not record what is due", "event", "recording-failed", "error", err)
		}
	}
}

// complete fills in a due event: the computer's move, or the ID of the rematch, which it opens. A computer's move
// depends on the seed, the match and its moves only, so that every node computes the same one.
func (t *table) complete(e match.Event) (_ match.Event, err error) {
	switch e.Kind {
	case match.Moved:
		last, plies := rules.Move{}, len(t.state.Moves)
		if plies > 0 {
			last = t.state.Moves[plies-1]
		}
		level := t.state.SeatState(e.Seat).Player.Level
		e.Move = level.ChooseAfter(last, t.state.Position, t.tables.rng.at(t.id, plies))
	case match.Rematched:
		e.Next, err = t.tables.rematch(t.tables.ctx, *t.state)
	}
	return e, err
}

// transientEvery is the least time between two snapshots for changes of spectators or clocks, because each one redraws
// the screen of everyone at the table.
const transientEvery = 250 * time.Millisecond

// transient holds the last published values that are not in the log.
type transient struct {
	dirty  bool      // a value has changed since
	cutOff bool      // this node
	moveBy time.Time // [match.Snapshot.MoveBy]
	at     time.Time // when it was last published
}

// nextAt returns when a change may next be published.
func (t transient) nextAt() time.Time { return t.at.Add(transientEvery) }

// changed follows a new state: it logs the end of the match, and publishes the state.
func (t *table) changed() {
	if t.phase == tableOpening {
		return
	}
	for i, seatState := range t.state.SeatStates() { // after a recorded absence this table records only the return
		if p := &t.attendance.players[i]; p.state != present && seatState.Taken && !seatState.Present {
			p.state = unconnected
		}
	}
	if t.state.Over() && t.phase == tableLive {
		t.phase = tableOver
		t.log.Info("match ended", "event", "match-end", "reason", endReason(t.state),
			"winner", string(t.state.SeatState(t.state.Outcome.Winner).Player.ID), "plies", len(t.state.Moves))
	}
	t.publish()
}

// publishTransient publishes changes that are not events: the number of spectators, the forfeit deadline, which moves
// when time does not count, and whether this node is cut off.
func (t *table) publishTransient() {
	spectators := int32(len(t.attendance.spectators))
	t.tables.index.stats.Spectators.Add(int64(spectators - t.spectators.Swap(spectators)))
	if cutOff := t.tables.peers.isCutOff(); cutOff != t.shown.cutOff {
		t.shown.cutOff = cutOff
		t.publish()
	}
	a, forfeitAt := t.agenda(), *t.forfeitAt.Load()
	endsAt := a.endsAt()
	t.shown.dirty = t.shown.dirty || endsAt.IsZero() != forfeitAt.IsZero() ||
		a.moveBy().Sub(t.shown.moveBy).Abs() > time.Second
	if (t.shown.dirty || !endsAt.Equal(forfeitAt)) && !t.shown.nextAt().After(a.now) {
		t.shown.at = a.now
		t.publish()
	}
}

// publish sends a snapshot to everyone at the table.
func (t *table) publish() {
	a := t.agenda()
	endsAt := a.endsAt()
	t.forfeitAt.Store(&endsAt)
	t.shown.dirty, t.shown.moveBy = false, a.moveBy()
	for i, p := range t.attendance.players {
		t.publishTo(rules.Sides()[i], p.subscriptions...)
	}
	t.publishTo(rules.Nobody, t.attendance.spectators...)
}

func (t *table) publishTo(side rules.Side, readers ...*subscription) {
	if len(readers) == 0 {
		return
	}
	a := t.agenda()
	snapshot := &match.Snapshot{
		State: t.state.SeenBy(side), Spectators: len(t.attendance.spectators),
		ForfeitAt: a.forfeitAt(), MoveBy: a.moveBy(), CutOff: t.tables.peers.isCutOff(),
	}
	for _, r := range readers {
		r.box.Put(snapshot)
	}
}

// do runs call in the table's goroutine and returns its result. Any other goroutine may call do. If ctx ends first,
// call may still run.
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

// wakeUp makes the goroutine check what is due. It never blocks.
func (t *table) wakeUp() {
	select {
	case t.wake <- struct{}{}:
	default: // a wake-up is already pending
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
