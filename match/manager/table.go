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

// tables starts, finds and ends the tables of this node, and holds what they share. tables implements
// [lobby.Opener]. Safe for concurrent use.
type tables struct {
	cfg     Config
	ctx     context.Context // of all tables
	rng     *rng
	index   *index
	peers   *peers
	running sync.WaitGroup // the goroutines of the tables
}

// stage says which tables may start on this node.
type stage uint8

const (
	stageOpen     stage = iota
	stagePaused         // no match opens, until Resume
	stageDraining       // no match opens again, and this node adopts no match
	stageClosed         // no table starts, because the manager is closed
)

func (t *tables) now() time.Time { return t.cfg.Journal.Now() }

// getOrBegin returns the table of a match, or starts one with the plan p. Errors are [match.ErrDraining] if the stage
// forbids the table, and [match.ErrConflict] if p has events and is not shared, and the match has a table here.
func (t *tables) getOrBegin(id match.ID, p plan) (*table, error) {
	t.index.mu.Lock()
	defer t.index.mu.Unlock()
	isOpening, e := len(p.events) > 0, t.index.matches[id]
	switch {
	case t.index.stage == stageClosed || t.index.stage != stageOpen && isOpening && e.table == nil:
		return nil, match.ErrDraining
	case e.table != nil && isOpening && !p.shared:
		return nil, match.ErrConflict
	case e.table == nil:
		here := &table{
			id: id, tables: t, log: t.cfg.Log.With("match", string(id)), state: &match.State{},
			calls: make(chan func()), wake: make(chan struct{}, 1), done: make(chan struct{}),
		}
		here.endsAt.Store(new(time.Time))
		e.table = here
		t.index.set(id, e)
		t.running.Go(func() { here.run(p) })
	}
	return e.table, nil
}

// canOpen reports whether new matches may open on this node.
func (t *tables) canOpen() bool { return !t.index.isAtLeast(stagePaused) }

// withTable calls use with the table of a match, resumed from the log if necessary. If the table closes before the
// call, withTable resumes the match again, up to three times in all.
func (t *tables) withTable(ctx context.Context, id match.ID, use func(*table) error) error {
	err := match.ErrClosed
	for range 3 {
		var here *table
		if here, err = t.getOrBegin(id, plan{}); err != nil {
			return err
		}
		if err = use(here); !errors.Is(err, match.ErrClosed) || errors.Is(err, errPanicked) || ctx.Err() != nil ||
			!here.isDone() {
			return err
		}
	}
	return err
}

// archive archives a finished match, and reports whether the journal accepted the request in time.
func (t *tables) archive(id match.ID, within time.Duration) bool {
	ctx, cancel := context.WithTimeout(t.ctx, min(within, t.cfg.JournalTimeout))
	defer cancel()
	switch err := t.cfg.Journal.Archive(ctx, id); {
	case err == nil, errors.Is(err, match.ErrNoSuchMatch):
		t.index.removeArchived(id)
		return true
	case t.ctx.Err() == nil:
		t.cfg.Log.Warn("a finished match could not be archived",
			"event", "archive-failed", "match", string(id), "error", err)
	}
	return false
}

// errPanicked ends a table after a panic. Another table may resume the match from its log.
var errPanicked = fmt.Errorf("%w after a fault", match.ErrClosed)

// table is a live match on this node. The goroutine of [table.run] owns the fields from state on. Other goroutines
// send it closures by [table.do]. The table takes its state only from the journal, also for the events that it
// appends.
type table struct {
	id         match.ID
	tables     *tables
	log        *slog.Logger
	spectators atomic.Int32              // number, for lists
	endsAt     atomic.Pointer[time.Time] // [agenda.endsAt] as last published, never nil
	calls      chan func()
	wake       chan struct{} // a value makes the goroutine run step
	done       chan struct{}
	end        error // why the goroutine has ended, set before done is closed

	state      *match.State // the last published, never nil
	phase      tablePhase
	broken     error     // why the log cannot be folded
	outages    outages   // times of failed nodes and of slow appends (see peers for the outages of this node)
	resumed    time.Time // when this node resumed the match, zero if the table opened it
	retryAt    time.Time // earliest time of the next recordDue, after an error
	attendance attendance
	published  transient
}

// tablePhase only grows.
type tablePhase uint8

const (
	tableOpening tablePhase = iota // the state may not be published yet
	tableLive
	tableOver     // the end of the match was logged
	tableArchived // this table appends no more events
	tableBroken   // the log cannot be folded
)

func (t *table) run(p plan) {
	t.end = errPanicked
	match.RecoverPanic(t.log, "a table", func() {
		err := t.begin(p)
		if err == nil {
			err = t.loop()
		}
		t.end = err
	})
	t.tables.index.removeTable(t)
	for _, r := range slices.Concat(t.attendance.players[0].subscriptions, t.attendance.players[1].subscriptions,
		t.attendance.spectators) {
		r.box.Close()
	}
	t.tables.index.stats.Spectators.Add(-int64(t.spectators.Swap(0)))
	match.RecoverPanic(t.log, "closing a table", func() {
		if t.phase >= tableLive && t.state.IsOver() && !isBetweenGames(t.state) && t.tables.ctx.Err() == nil &&
			!t.tables.index.isNeeded(t.state) {
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
		case t.newAgenda().hasToClose():
			return match.ErrClosed
		}
		at := t.newAgenda().wakeAt(t.retryAt)
		if t.published.dirty {
			at = earlier(at, t.published.nextAt())
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
			t.step() // drops the handles that the caller has closed before this call
			do()
		case <-t.wake:
		case <-alarm.C:
		}
	}
}

func (t *table) step() {
	t.refresh()
	if t.attendance.dropClosed(t.tables.now()) {
		t.published.dirty = true
	}
	t.recordDue()
	t.publishTransient()
}

// addNodeOutage adds an outage if the player to move came here from a node that has failed. The outage lasts from the
// last heartbeat of that node until the player connected here. While that node may still be up, addNodeOutage keeps
// previousNode for a later call.
func (t *table) addNodeOutage() {
	for _, side := range rules.Sides() {
		p := t.attendance.player(side)
		if p.previousNode == "" {
			continue
		}
		failedAt := t.tables.peers.failureTime(p.previousNode, p.switchedAt)
		wasOnTurn := t.state.Turn() == side && t.state.TurnSince.Before(p.switchedAt)
		if wasOnTurn && !failedAt.IsZero() {
			t.outages.add(failedAt, p.switchedAt)
		}
		if !wasOnTurn || !failedAt.IsZero() {
			p.previousNode = ""
		}
	}
}

// newAgenda returns the agenda of this moment. newAgenda first calls addNodeOutage, because a failure of another node
// shows only at a later heartbeat of this node.
func (t *table) newAgenda() agenda {
	t.addNodeOutage()
	return agenda{t.state, t.tables, &t.attendance, t.tables.now(), t.outages, t.resumed, t.phase == tableArchived}
}

// subscribe adds r to the seat of p, or to the spectators, in the table's goroutine. On an error, also if ctx ends
// first, subscribe closes r. The error of a player without a seat is [match.ErrNotSeated].
func (t *table) subscribe(
	ctx context.Context, r *subscription, p match.PlayerID, isSpectator bool,
) (rules.Side, error) {
	var side rules.Side // the table's goroutine may still set it after an error
	err := t.do(ctx, func() error {
		if r.closed.Load() {
			return context.Canceled
		}
		if t.state.Origin == match.ChallengeOrigin && !t.state.HasStarted() {
			return match.ErrNotStarted
		}
		if side = t.state.Side(p); isSpectator {
			side, t.published.dirty = rules.NoSide, true
		} else if side == rules.NoSide || t.state.Seat(side).Player.IsComputer() {
			return match.ErrNotSeated
		}
		if side == rules.NoSide {
			t.attendance.spectators = append(t.attendance.spectators, r)
		} else {
			player, seatState := t.attendance.player(side), t.state.Seat(side)
			if seatState.Present && seatState.Node != t.tables.peers.self && player.state != present { // comes from another node
				player.previousNode, player.switchedAt = seatState.Node, t.tables.now()
			}
			player.subscriptions, player.state = append(player.subscriptions, r), present
			t.attendance.here[side-1].Store(true)
		}
		t.publishTo(side, r)
		return nil
	})
	if err != nil {
		r.close()
		return rules.NoSide, err
	}
	return side, nil
}

// begin opens a match with the events of p, or resumes a match if p is empty. If another node has opened the match,
// begin resumes the match for a shared p, and otherwise returns [match.ErrConflict].
//
// begin records the events in one transaction, because a crash must not leave a match with one player.
func (t *table) begin(p plan) error {
	isNew, isOpener := len(p.events) > 0, false
	if isNew {
		err := error(nil)
		if t.refresh(); t.state.Seq == 0 {
			err = t.appendWith(p.tickets, p.events...)
			isOpener = err == nil
		}
		if t.state.Seq > 0 && !isOpener { // another node came first, maybe during the append
			err = fmt.Errorf("match %s: %w", t.id, match.ErrConflict)
		}
		if err != nil && (!p.shared || !errors.Is(err, match.ErrConflict)) {
			return err
		}
	}
	// If the index has no state, the match is archived, or its events are still on their way.
	isArchived := false
	if t.refresh(); t.state.Seq == 0 && t.phase != tableBroken {
		states, err := t.tables.cfg.load(t.tables.ctx, t.id)
		if err != nil {
			return err
		}
		t.state = &states[len(states)-1]
		isArchived = t.state.IsOver()
	}
	if t.phase == tableBroken {
		return t.broken
	}
	// A table that resumes a match has no subscriptions. If the log shows a player at this node, the player is absent,
	// unless the player came within joinTimeout and may be about to connect.
	now := t.tables.now()
	t.attendance.emptySince = now
	if !isNew {
		for i, seatState := range t.state.Seats() {
			if seatState.Taken && seatState.Node == t.tables.peers.self && seatState.Since.Add(joinTimeout).Before(now) {
				t.attendance.players[i].state = absent
			}
		}
		t.resumed = now // limits of absence, and of moves without a running clock, start anew
	}
	t.phase = tableLive
	if isArchived || !isNew && t.state.IsOver() && !isBetweenGames(t.state) {
		t.phase = tableArchived
	}
	log := t.log.With("variant", t.state.Variant.String(), "plies", len(t.state.Moves),
		"first", string(t.state.Seat(rules.First).Player.ID),
		"second", string(t.state.Seat(rules.Second).Player.ID))
	switch {
	case isOpener:
		log.Info("match opened", "event", "match-begin")
	case t.phase == tableLive: // the others are opened to be read
		log.Info("match resumed", "event", "match-resume")
	}
	t.followState()
	return nil
}

// errAgain says that another event was recorded first. The caller must check its event against the new state.
var errAgain = errors.New("decide again")

// refresh takes the state from the index. If the log cannot be folded, the table ends at its next step.
func (t *table) refresh() {
	state, err := t.tables.index.match(t.id)
	if err != nil && t.phase != tableBroken {
		t.phase, t.broken = tableBroken, fmt.Errorf("match %s: %w", t.id, err)
	}
	if state != nil && state.Seq > t.state.Seq {
		t.state = state
		t.followState()
	}
}

func (t *table) append(events ...match.Event) error { return t.appendWith(nil, events...) }

// appendWith tries once to append events to the log and to put entries, in one transaction. If the events begin the
// first of two games that are played at once, the transaction opens the second game too. No event is recorded if the
// error is
//   - errAgain, because another event came first
//   - [match.ErrClosed], because the match is archived
//   - an error of [match.State.Apply], because the state does not allow an event
//
// After any further error the outcome is unknown. If the events were recorded, the journal delivers them later.
func (t *table) appendWith(entries []match.Entry, events ...match.Event) error {
	if t.refresh(); t.phase == tableBroken {
		return t.broken
	}
	next, err := *t.state, error(nil)
	for i := range events {
		e := &events[i]
		e.Match, e.Seq, e.At = t.id, next.Seq+1, t.tables.now() // the journal sets At anew
		if i == 0 {
			e.Spent = t.newAgenda().spent(e.Kind)
		}
		if next, err = next.Apply(*e); err != nil {
			return err
		}
	}
	if t.phase == tableArchived {
		return match.ErrClosed
	}
	all := events
	if next.LacksSecondGame() {
		both, err := t.openSecondGame(&next)
		if err != nil {
			return err
		}
		all = slices.Concat(events, both)
	}
	before, outageFrom := t.state, t.tables.peers.outageStart(t.state, events[0])
	ctx, cancel := context.WithTimeout(t.tables.ctx, t.tables.cfg.JournalTimeout)
	defer cancel()
	_, err = t.tables.cfg.Journal.AppendWith(ctx, entries, all...)
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
	t.tables.index.stats.countEvents(before, &next, events)
	t.outages.add(outageFrom, t.tables.now()) // no clock is charged for the time of the append
	for _, e := range events {
		if e.Kind == match.Returned {
			p, now := t.attendance.player(e.Seat), t.tables.now()
			// A return that returnAt or record allows before mayReturnAt does not count.
			if !p.mayReturnAt().After(now) {
				p.returnsUsedUntil = latest(p.returnsUsedUntil, now).Add(returnInterval)
			}
		}
	}
	return t.broken // not nil if the log cannot be folded with the new events
}

// record appends a player's action. While other events come first and the action remains allowed, record tries again.
// If returnBurst has delayed the player's return, record then appends the return as well.
func (t *table) record(e match.Event) error {
	err := errAgain
	for errors.Is(err, errAgain) {
		err = t.append(e)
	}
	if err != nil || !e.Seat.IsValid() || t.state.Closed || !t.attendance.isPresent(e.Seat) ||
		t.state.Seat(e.Seat).Present {
		return err
	}
	_ = t.append(match.Event{Kind: match.Returned, Seat: e.Seat, Node: t.tables.peers.self}) // else recordDue does it
	return nil
}

// recordDue records the events that are due. After an error, the next attempt is due after backOff.
func (t *table) recordDue() {
	for t.phase != tableBroken && t.tables.ctx.Err() == nil && !t.tables.now().Before(t.retryAt) {
		d := t.newAgenda().next()
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
		case errors.Is(err, match.ErrBadEvent) && t.state.Seq > decided: // an event of another node made e invalid
		case errors.Is(err, match.ErrClosed) && t.phase == tableArchived: // another node has archived the match
			return
		default:
			t.retryAt = t.tables.now().Add(backOff)
			t.log.Warn("the table could not record the next event", "event", "recording-failed", "error", err)
		}
	}
}

// complete returns a due event with the computer's move, with the ID of the rematch that complete opens, or with
// MissedBefore. The computer's move depends only on the rng's key, the match and its moves.
func (t *table) complete(e match.Event) (_ match.Event, err error) {
	switch e.Kind {
	case match.Moved:
		last, plies := rules.Move{}, len(t.state.Moves)
		if plies > 0 {
			last = t.state.Moves[plies-1]
		}
		level := t.state.Seat(e.Seat).Player.Level
		e.Move = level.ChooseAfter(last, t.state.Position, t.tables.rng.at(t.id, plies))
	case match.Overdue:
		e.Pair.MissedBefore = isMissed(t.state) &&
			t.tables.index.hasMissed(t.state.Seat(e.Seat).Player.ID, t.tables.now())
	case match.Rematched:
		e.Next, err = t.tables.rematch(t.tables.ctx, *t.state)
	}
	return e, err
}

// transientEvery is the least time between two snapshots for changes of spectators or clocks, because a snapshot
// redraws every screen at the table.
const transientEvery = 250 * time.Millisecond

// transient holds the last published values that are not in the log.
type transient struct {
	dirty  bool // a value has changed since
	cutOff bool // of this node
	moveBy time.Time
	at     time.Time // when publishTransient last published
}

func (t transient) nextAt() time.Time { return t.at.Add(transientEvery) }

// followState updates the table for a new state, and publishes the state. Once the log shows a player without a session
// here as away, followState makes the player unconnected. presenceEvent waits joinTimeout for an unconnected player.
func (t *table) followState() {
	if t.phase == tableOpening {
		return
	}
	for i, seatState := range t.state.Seats() {
		if p := &t.attendance.players[i]; p.state != present && seatState.Taken && !seatState.Present {
			p.state = unconnected
		}
	}
	if t.state.IsOver() && t.phase == tableLive {
		t.phase = tableOver
		t.log.Info("match ended", "event", "match-end", "reason", endReason(t.state),
			"winner", string(t.state.Seat(t.state.Outcome.Winner).Player.ID), "plies", len(t.state.Moves))
	}
	t.publish()
}

// publishTransient publishes changes that are not events. Deadlines change without an event, because an outage moves
// them.
func (t *table) publishTransient() {
	spectators := int32(len(t.attendance.spectators))
	t.tables.index.stats.Spectators.Add(int64(spectators - t.spectators.Swap(spectators)))
	if cutOff := t.tables.peers.isCutOff(); cutOff != t.published.cutOff {
		t.published.cutOff = cutOff
		t.publish()
	}
	a, lastEndsAt := t.newAgenda(), *t.endsAt.Load()
	endsAt := a.endsAt()
	t.published.dirty = t.published.dirty || endsAt.IsZero() != lastEndsAt.IsZero() ||
		a.moveBy().Sub(t.published.moveBy).Abs() > time.Second
	if (t.published.dirty || !endsAt.Equal(lastEndsAt)) && !t.published.nextAt().After(a.now) {
		t.published.at = a.now
		t.publish()
	}
}

func (t *table) publish() {
	a := t.newAgenda()
	endsAt := a.endsAt()
	t.endsAt.Store(&endsAt)
	t.published.dirty, t.published.moveBy = false, a.moveBy()
	for i, p := range t.attendance.players {
		t.publishTo(rules.Sides()[i], p.subscriptions...)
	}
	t.publishTo(rules.NoSide, t.attendance.spectators...)
}

func (t *table) publishTo(side rules.Side, readers ...*subscription) {
	if len(readers) == 0 {
		return
	}
	a := t.newAgenda()
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

func (t *table) wakeUp() {
	select {
	case t.wake <- struct{}{}:
	default:
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
