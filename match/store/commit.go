package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"notakto/match"
	"notakto/match/history"
	"notakto/match/internal/codec"
)

const (
	maxGroup = 1_000 // requests that are committed together
	maxHeavy = 50    // requests of a group that end, archive or import matches
	// maxRead limits the rows of one query for rows of other servers. The method lock keeps head locked only if memory
	// lacks at most maxRead positions.
	maxRead = 1_000

	groupTimeout  = 10 * time.Second       // limits each step of an attempt, such as lock, write or settle
	retryTimeout  = 5 * time.Second        // after this time, commit begins no new attempt
	settleTimeout = 15 * time.Second       // after this time, settle begins no new attempt
	retryDelay    = 20 * time.Millisecond  // between attempts to commit a group
	settleDelay   = 100 * time.Millisecond // between attempts to settle a group
	pollInterval  = time.Second            // between queries for rows of other servers
)

var (
	errClosed = errors.New("the server is stopping")
	// errAgain says that a request must be decided in a later group. Either decide needs an answer to a question that
	// addQuestions did not add, or doFirst needs a group without rows.
	errAgain = errors.New("the request must be decided in a later group")
	// errUnknown says that the outcome of a commit is unknown.
	errUnknown = errors.New("the connection was lost during the commit")
)

// request is a change for the next group. The committing goroutine calls addQuestions and decide, and calls
// both again for each new attempt to commit.
type request struct {
	ctx          context.Context
	keys         []string     // a group has at most one request with each key
	isHeavy      bool         // counts towards maxHeavy
	addQuestions func(*group) // asks what decide needs, before head is locked, may be nil
	// decide adds rows to the group while head is locked. If decide returns an error, decide must have added no row,
	// except in doFirst. With a nil decide the request makes no change, and only waits for the commit under way and
	// for the delivery of the rows of other servers.
	decide    func(*group) error
	decideErr error // returned by decide in the last attempt
	done      chan error
}

// answer ends the request with err, or with decideErr if err is nil.
func (r *request) answer(err error) {
	if err == nil {
		err = r.decideErr
	}
	r.done <- err
}

// do sends a request to the committing goroutine and waits for the answer. If do returns nil, the rows of the request
// are committed and delivered. If ctx ends or the store is closed first, the rows may still be committed.
func (s *Store) do(ctx context.Context, r *request) error {
	if err := ctx.Err(); err != nil {
		return s.unavailable(err)
	}
	r.ctx, r.done = ctx, make(chan error, 1)
	select {
	case s.queue <- r:
	case <-ctx.Done():
		return s.unavailable(ctx.Err())
	case <-s.quit:
		return s.unavailable(errClosed)
	}
	select {
	case err := <-r.done:
		return err
	case <-ctx.Done():
		return s.unavailable(ctx.Err())
	case <-s.quit:
		return s.unavailable(errClosed)
	}
}

// run is the committing goroutine. Between groups of requests, run delivers the rows of other servers.
func (s *Store) run() {
	var tick <-chan time.Time // nil without other servers
	if s.engine.isShared() {
		ticker := time.NewTicker(pollInterval)
		defer ticker.Stop()
		tick = ticker.C
	}
	var waiting []*request
	for {
		if len(waiting) == 0 {
			select {
			case r := <-s.queue:
				waiting = append(waiting, r)
			case <-s.wake:
				s.poll()
				continue
			case <-tick:
				s.poll()
				continue
			case <-s.quit:
				return
			}
		}
		select {
		case <-s.quit:
			return
		default:
		}
		var group []*request
		group, waiting = s.gather(waiting)
		waiting = append(s.commit(group), waiting...)
	}
}

func (s *Store) poll() {
	ctx, stop := context.WithTimeout(context.Background(), groupTimeout)
	defer stop()
	if err := s.catchUp(ctx); err != nil {
		s.log.Debug("the database does not answer", "event", "store-poll-failed", "error", err)
	}
}

// gather returns the next group, and the requests that must wait for a later group. gather takes the requests of
// earlier first, and then those of the queue.
func (s *Store) gather(earlier []*request) (group, waiting []*request) {
	keys, heavy := make(map[string]bool, len(earlier)), 0
	take := func(r *request) {
		switch {
		case r.ctx.Err() != nil:
			r.answer(s.unavailable(r.ctx.Err()))
		case slices.ContainsFunc(r.keys, func(key string) bool { return keys[key] }), r.isHeavy && heavy == maxHeavy:
			waiting = append(waiting, r)
		default:
			for _, key := range r.keys {
				keys[key] = true
			}
			if r.isHeavy {
				heavy++
			}
			group = append(group, r)
		}
	}
	for _, r := range earlier {
		take(r)
	}
	for len(group) < maxGroup && len(waiting) < maxGroup {
		select {
		case r := <-s.queue:
			take(r)
		default:
			return group, waiting
		}
	}
	return group, waiting
}

// commit commits a group and answers its requests. commit returns the requests that belong in a later group, without
// an answer.
//
// While a shared database does not answer, commit tries again until retryTimeout, unless rows of the group may have
// been committed. Statements of a group without rows may be executed twice, and must then have no second effect. If the
// database refuses the values of a row, commit commits the requests one by one, and only the request of that row fails.
func (s *Store) commit(requests []*request) (again []*request) {
	for began := time.Now(); len(requests) > 0; {
		again, err := s.try(requests)
		switch {
		case err == nil:
			return again
		case s.engine.isBadValue(err) && len(requests) > 1:
			for _, r := range requests {
				again = append(again, s.commit([]*request{r})...)
			}
			return again
		case s.engine.isBadValue(err):
			requests[0].answer(fmt.Errorf("%w: %w", codec.ErrUnwritable, err))
			return nil
		case !s.engine.isShared(), s.loss != nil, errors.Is(err, ErrNewerSchema), errors.Is(err, errUnknown),
			time.Since(began) > retryTimeout:
			s.updateFailing(err)
			for _, r := range requests {
				r.answer(s.unavailable(err))
			}
			return nil
		}
		select {
		case <-time.After(retryDelay):
		case <-s.quit:
			return nil
		}
	}
	return nil
}

// updateFailing records and logs when writing begins to fail, and when it works again. err is the result of a commit.
func (s *Store) updateFailing(err error) {
	since := s.failing.Load()
	switch {
	case err != nil && since == nil:
		now := time.Now()
		s.failing.Store(&now)
		s.log.Error("nothing can be recorded", "event", "store-failed", "error", err)
	case err == nil && since != nil:
		s.log.Info("events can be recorded again", "event", "store-works", "duration_ms",
			time.Since(*since).Milliseconds())
		s.failing.Store(nil)
	}
}

// group is the transaction of requests that are decided and committed together while head is locked.
type group struct {
	head    // position grows with each added row, clock is the time of the group
	answers answers

	rows          []row
	batch         batch
	entries       []match.Entry // to put after the commit, if entries are in memory only
	results       results
	mustWriteHead bool  // head must be written even if the group has no rows
	doFirstErr    error // the error of a change by doFirst, after which try rolls the group back
}

// add adds a row at the next position, with the time of the group.
func (g *group) add(k kind, name string, seq int64, body []byte) row {
	return g.addAt(g.time(), k, name, seq, body)
}

// addAt adds a row as add does, but with the time recorded, or the time of the group if recorded is later.
func (g *group) addAt(recorded time.Time, k kind, name string, seq int64, body []byte) row {
	g.position++
	if body == nil {
		body = []byte{}
	}
	r := row{k, g.position, name, seq, min(recorded.UnixMicro(), g.clock), body}
	g.rows = append(g.rows, r)
	g.batch.add(k.insertStatement(), r.position, r.name, r.seq, r.at, r.body)
	return r
}

// time returns the time of the rows that add adds.
func (g *group) time() time.Time { return time.UnixMicro(g.clock) }

// try makes one attempt to commit a group. If try returns nil, all requests but those in again are answered. If try
// returns an error, no request is answered. With errUnknown the group may have been committed.
func (s *Store) try(requests []*request) (again []*request, err error) {
	if s.loss != nil {
		return nil, s.loss
	}
	ctx, stop := context.WithTimeout(context.Background(), groupTimeout)
	defer stop()
	if !slices.ContainsFunc(requests, func(r *request) bool { return r.decide != nil }) {
		if err := s.catchUp(ctx); err != nil {
			return nil, err
		}
		for _, r := range requests {
			r.answer(nil)
		}
		return nil, nil
	}
	g, err := s.lock(ctx, requests)
	if err != nil {
		return nil, err
	}
	defer s.releaseEntries()
	var decided []*request
	s.stats.setBusy()
	for _, r := range requests {
		r.decideErr = nil
		if r.decide != nil {
			r.decideErr = r.decide(g)
		}
		if errors.Is(r.decideErr, errAgain) {
			again = append(again, r)
		} else {
			decided = append(decided, r)
		}
	}
	s.stats.setIdle()
	if g.doFirstErr != nil { // after the rollback, requests without an error must be decided again
		s.engine.rollback()
		for _, r := range decided {
			if r.decideErr == nil {
				again = append(again, r)
			} else {
				r.answer(nil)
			}
		}
		return again, nil
	}
	if len(g.rows) == 0 && len(g.batch.statements) == 0 && !g.mustWriteHead {
		s.engine.rollback()
	} else if err := s.write(g); err != nil {
		return nil, err
	}
	for _, r := range decided {
		r.answer(nil)
	}
	return again, nil
}

// lock begins a group. lock locks head and delivers the rows of other servers up to the position of head. Memory then
// agrees with the log. If memory lacks more than maxRead positions, lock unlocks head, delivers rows without the lock,
// and begins again. Other servers can write while head is unlocked.
func (s *Store) lock(ctx context.Context, requests []*request) (*group, error) {
	for {
		g := &group{answers: newAnswers()}
		for _, r := range requests {
			if r.addQuestions != nil {
				r.addQuestions(g)
			}
		}
		var err error
		if g.head, err = s.engine.begin(ctx, g.answers.questions()); err != nil {
			return nil, err
		}
		err = s.checkHead(ctx, g.head)
		isFar := g.position-s.memory.position > maxRead
		if err == nil && !isFar {
			err = s.readNews(ctx, g.position)
		}
		if err != nil || isFar {
			s.engine.rollback()
		}
		if err == nil && isFar {
			err = s.catchUp(ctx)
		} else if err == nil {
			last := g.clock
			g.clock = max(last, s.timeAt(g.head).UnixMicro())
			s.clock.advance(g.time())
			s.addOutage(g, last)
			return g, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// timeAt returns the time when h was read. If the database has a clock, timeAt also sets the store's clock.
func (s *Store) timeAt(h head) time.Time {
	if h.now == 0 {
		return s.clock.now()
	}
	s.clock.set(time.UnixMicro(h.now))
	return time.UnixMicro(h.now)
}

// checkHead returns ErrNewerSchema if h has another version of the schema. If the database has lost commits that
// memory holds, checkHead sets s.loss, closes s.lost and returns ErrLostCommits.
//
// Commits are lost if the position of h is below that of memory. After a change of the database server, commits are
// also lost if the row at the position of memory has another time than memory.at.
func (s *Store) checkHead(ctx context.Context, h head) error {
	if h.version != s.version {
		return ErrNewerSchema
	}
	isLost := h.position < s.memory.position
	if h.identity != s.identity && !isLost {
		s.log.Warn("the connection leads to another database server", "event", "store-server-changed",
			"before", s.identity, "now", h.identity)
		found, at, err := s.findRowTime(ctx, s.memory.position)
		if err != nil {
			return err
		}
		isLost = found && s.memory.at != 0 && at != s.memory.at
	}
	if isLost {
		s.loss = fmt.Errorf("%w (it is at position %d, this server at %d)", ErrLostCommits, h.position, s.memory.position)
		s.log.Error("the database has lost events that players have seen", "event", "store-lost", "error", s.loss)
		close(s.lost)
		return s.loss
	}
	s.identity = h.identity
	return nil
}

// findRowTime returns the time of the row at position in microseconds. Audit records are not found. Deleted and
// replaced rows are not found either, such as the events of an archived match.
func (s *Store) findRowTime(ctx context.Context, position int64) (found bool, at int64, err error) {
	err = s.engine.runQueries(ctx, pipelinedQuery{selectNews, []any{position - 1, position, 1}, func(scan scan) error {
		var r row
		err := r.read(scan)
		found, at = true, r.at
		return err
	}})
	return found, at, err
}

// catchUp reads head and delivers the rows of other servers up to its position, without locking head.
func (s *Store) catchUp(ctx context.Context) error {
	if !s.engine.isShared() {
		return nil
	}
	if s.loss != nil {
		return s.loss
	}
	h, err := s.engine.readHead(ctx)
	if err != nil {
		return err
	}
	s.timeAt(h)
	if err := s.checkHead(ctx, h); err != nil {
		return err
	}
	return s.readNews(ctx, h.position)
}

// readNews delivers the rows of other servers with positions up to end, and updates the ladders.
func (s *Store) readNews(ctx context.Context, end int64) error {
	for s.memory.position < end {
		var page []row
		var standings []history.Standing
		from := s.memory.position
		err := s.engine.runQueries(ctx, pipelinedQuery{selectNews, []any{from, end, maxRead}, func(scan scan) error {
			var r row
			err := r.read(scan)
			page = append(page, r)
			return err
		}}, pipelinedQuery{selectNewStandings, []any{from, end}, func(scan scan) error {
			s, err := readStanding(scan)
			standings = append(standings, s)
			return err
		}})
		if err != nil {
			return err
		}
		delivered := end
		if len(page) == maxRead {
			delivered = page[maxRead-1].position
		}
		s.history.ladders.update(standings)
		s.deliver(page, delivered)
	}
	return nil
}

// deliver puts the next rows of the log into memory, calls the subscribers, and sets the position of memory to end.
// Some positions up to end may have no row, because rows were deleted after their commit.
func (s *Store) deliver(rows []row, end int64) {
	s.stats.setBusy()
	defer s.stats.setIdle()
	s.mu.Lock()
	defer s.mu.Unlock()
	hasEntry := false
	for _, r := range rows {
		s.clock.advance(time.UnixMicro(r.at))
		s.memory.deliver(r)
		hasEntry = hasEntry || r.kind == entryRow
	}
	if hasEntry {
		s.memory.forgetEntries(s.clock.now())
	}
	if s.memory.position != end {
		s.memory.position, s.memory.at = end, 0
	}
	s.delivered.Store(end)
}

// write commits the rows and statements of a group, and delivers the rows. If the outcome of a commit with rows is
// unknown, write calls Store.settle.
func (s *Store) write(g *group) error {
	ctx, stop := context.WithTimeout(context.Background(), groupTimeout)
	defer stop()
	g.results.write(g)
	isUnknown, err := s.engine.commit(ctx, &g.batch, g.head)
	if err != nil {
		s.engine.rollback()
		if isUnknown && len(g.rows) > 0 {
			err = s.settle(g.rows[len(g.rows)-1], err)
		}
		if err != nil {
			return err
		}
	}
	s.updateFailing(nil)
	s.stats.Commits.Add(1)
	s.committed.Store(g.clock)
	s.history.ladders.update(g.results.newStandings)
	s.deliver(g.rows, g.position)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range g.entries {
		s.setEntry(e)
	}
	return nil
}

// doFirst has the committing goroutine call the function change, before any other request has changed the
// transaction. Later requests of the group join the transaction.
//
// The function change adds rows and statements to g, and may take long. change may call flush several times, to write
// these statements without committing them. If change returns an error, the transaction is rolled back. If the commit
// fails, change may be called again.
func (s *Store) doFirst(ctx context.Context, change func(g *group, flush func() error) error) error {
	return s.do(ctx, &request{decide: func(g *group) error {
		if len(g.rows) > 0 || len(g.batch.statements) > 0 {
			return errAgain
		}
		flush := func() error {
			err := s.engine.write(ctx, &g.batch)
			g.batch = batch{}
			s.stats.setBusy() // restarts the time limit of Stats.Alive
			return err
		}
		if g.doFirstErr = s.engine.disableTimeouts(ctx); g.doFirstErr == nil {
			g.doFirstErr = change(g, flush)
		}
		if g.doFirstErr == nil {
			g.doFirstErr = flush() // without a timeout, unlike the commit
		}
		g.mustWriteHead = true
		return g.doFirstErr
	}})
}

// settle finds out whether a group was committed although its commit returned commitErr. Pass the last row of the
// group. The result is nil if the group was committed, and commitErr if not. The result is errUnknown if the database
// does not answer, or if the row is missing (see engine.settle).
func (s *Store) settle(last row, commitErr error) error {
	for began := time.Now(); time.Since(began) < settleTimeout; {
		ctx, stop := context.WithTimeout(context.Background(), groupTimeout)
		committed, err := s.engine.settle(ctx, last)
		stop()
		switch {
		case err == nil && committed:
			return nil
		case err == nil:
			return commitErr
		case errors.Is(err, errUnknown):
			return fmt.Errorf("%w: %w", errUnknown, commitErr)
		}
		select {
		case <-time.After(settleDelay):
		case <-s.quit:
			return fmt.Errorf("%w: %w", errUnknown, commitErr)
		}
	}
	return fmt.Errorf("%w: %w", errUnknown, commitErr)
}

func entryKey(key string) string  { return "entry " + key }
func matchKey(id match.ID) string { return "match " + string(id) }

const accountKey = "accounts"
