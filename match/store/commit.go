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
	maxHeavy = 50    // of these, requests that are heavy: they end, archive or import matches
	maxRead  = 1_000 // rows of other servers that one query reads, and that are read while head is locked

	groupTimeout  = 10 * time.Second       // for each step of an attempt: to lock head, to commit, to settle
	patience      = 5 * time.Second        // after which no new attempt to commit a group begins
	settleTimeout = 15 * time.Second       // after which no new attempt to settle a group begins
	retryDelay    = 20 * time.Millisecond  // between attempts to commit a group
	settleDelay   = 100 * time.Millisecond // between attempts to settle a group
	pollInterval  = time.Second            // between looks at what other servers have written
)

var (
	errClosed = errors.New("the server stops")
	// errAgain says that a request has to be decided in a later group: it needs an answer that its ask did not ask for.
	errAgain = errors.New("not all was asked")
	// errUnknown says that it is not known whether a group was committed.
	errUnknown = errors.New("the connection was lost during the commit")
)

// request is a change of a caller, decided while head is locked. The committing goroutine calls its functions.
type request struct {
	ctx     context.Context
	keys    []string // a group has one request of each key at most
	isHeavy bool
	ask     func(*group) // adds the questions that decide needs answered, before head is locked; may be nil
	// decide adds rows to the group. If it returns an error, it has added none. nil asks only to catch up.
	decide  func(*group) error
	refused error      // what decide returned
	done    chan error // receives the answer
}

func (r *request) answer(err error) {
	if err == nil {
		err = r.refused
	}
	r.done <- err
}

// do sends a request to the committing goroutine and waits for the answer. If it returns nil, the rows are committed
// and delivered. After the error of ctx or of Close they may still be committed.
func (s *Store) do(ctx context.Context, r *request) error {
	if err := ctx.Err(); err != nil {
		return err
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

// run is the committing goroutine. Group by group it commits requests. Between them it reads what other servers write.
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

// poll delivers what other servers have written.
func (s *Store) poll() {
	ctx, stop := context.WithTimeout(context.Background(), groupTimeout)
	defer stop()
	if err := s.catchUp(ctx); err != nil {
		s.log.Debug("the database does not answer", "event", "store-poll-failed", "error", err)
	}
}

// gather returns the next group, and the requests that have to wait for a later one. It takes those in first, then
// those of the queue.
func (s *Store) gather(first []*request) (group, waiting []*request) {
	keys, heavy := make(map[string]bool, len(first)), 0
	take := func(r *request) {
		switch {
		case r.ctx.Err() != nil:
			r.answer(s.unavailable(r.ctx.Err())) // nobody waits for it
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
	for _, r := range first {
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

// commit commits a group and answers its requests, except those that it returns for a later group. While a shared
// database is away it tries again for a time, unless the group may have been committed. If the database refuses a row,
// only the request of that row fails.
func (s *Store) commit(requests []*request) (again []*request) {
	for began := time.Now(); len(requests) > 0; {
		again, err := s.try(requests)
		switch {
		case err == nil:
			return again
		case s.engine.isRefusal(err) && len(requests) > 1:
			for _, r := range requests {
				again = append(again, s.commit([]*request{r})...)
			}
			return again
		case s.engine.isRefusal(err):
			requests[0].answer(fmt.Errorf("%w: %w", codec.ErrUnwritable, err))
			return nil
		case !s.engine.isShared(), s.loss != nil, errors.Is(err, ErrNewerSchema), errors.Is(err, errUnknown),
			time.Since(began) > patience:
			s.noteFailure(err)
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

// noteFailure takes the result of an attempt to write. It logs the first failure, and the first success after one.
func (s *Store) noteFailure(err error) {
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

// group is the transaction of requests that are decided and committed together, with head locked.
type group struct {
	head          // position and clock go on with the rows that are added
	known answers // what the requests have asked

	rows      []row
	batch     batch
	entries   []match.Entry // to be put once the rows are committed, if entries are in memory only
	results   results       // of matches that end
	isDurable bool          // a row is more than an entry, and must be on the disk before it is acknowledged
	isTouched bool          // head is written, and must be on the disk, even without rows
	failed    error         // of exclusively, which may have written already: the group is rolled back
}

// add adds a row to the log, with the next position and the time of the group.
func (g *group) add(k kind, name string, seq int64, body []byte) row {
	return g.addAt(g.time(), k, name, seq, body)
}

// addAt is add with a time of its own, which counts if it is earlier than that of the group.
func (g *group) addAt(at time.Time, k kind, name string, seq int64, body []byte) row {
	g.position++
	if body == nil {
		body = []byte{}
	}
	r := row{k, g.position, name, seq, min(at.UnixMicro(), g.clock), body}
	g.rows = append(g.rows, r)
	g.batch.add(k.insert(), r.position, r.name, r.seq, r.at, r.body)
	g.isDurable = g.isDurable || k != entryRow
	return r
}

// time returns the time of the group, which its rows have.
func (g *group) time() time.Time { return time.UnixMicro(g.clock) }

// try makes one attempt to commit a group. Without an error it answers all requests but those that it returns for a
// later group. After an error it has answered none. errUnknown says that the group may have been committed.
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
	s.stats.begin()
	for _, r := range requests {
		r.refused = nil
		if r.decide != nil {
			r.refused = r.decide(g)
		}
		if errors.Is(r.refused, errAgain) {
			again = append(again, r)
		} else {
			decided = append(decided, r)
		}
	}
	s.stats.end()
	if g.failed != nil {
		s.engine.rollback()
		for _, r := range decided {
			if r.refused == nil {
				again = append(again, r)
			} else {
				r.answer(nil)
			}
		}
		return again, nil
	}
	if len(g.rows) == 0 && len(g.batch.statements) == 0 && !g.isTouched {
		s.engine.rollback()
	} else if err := s.write(g); err != nil {
		return nil, err
	}
	for _, r := range decided {
		r.answer(nil)
	}
	return again, nil
}

// lock locks head, and delivers what other servers wrote until then, so that the memory is exact. If that is more than
// maxRead rows, it reads them without the lock first.
func (s *Store) lock(ctx context.Context, requests []*request) (*group, error) {
	for {
		g := &group{known: newAnswers()}
		for _, r := range requests {
			if r.ask != nil {
				r.ask(g)
			}
		}
		var err error
		if g.head, err = s.engine.begin(ctx, g.known.questions()); err != nil {
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
			g.clock = max(g.clock, s.timeAt(g.head).UnixMicro())
			s.clock.pass(g.time())
			return g, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// timeAt returns the time at which head was read, and sets the clock by the time of the database.
func (s *Store) timeAt(h head) time.Time {
	if h.now == 0 {
		return s.clock.now()
	}
	s.clock.set(time.UnixMicro(h.now))
	return time.UnixMicro(h.now)
}

// checkHead returns an error if head cannot belong to the log that this server has read, because its schema is another
// one or commits are lost. Lost commits close the channel lost. checkHead logs a new identity of the database server.
func (s *Store) checkHead(ctx context.Context, h head) error {
	if h.version != s.version {
		return ErrNewerSchema
	}
	isLost := h.position < s.memory.position
	if h.identity != s.identity && !isLost {
		s.log.Warn("the connection leads to another database server", "event", "store-server-changed",
			"before", s.identity, "now", h.identity)
		found, at, err := s.lookUp(ctx, s.memory.position)
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

// lookUp returns the time of the row at a position. The row is not found if its match was archived or its entry changed
// since, or if it is an audit record.
func (s *Store) lookUp(ctx context.Context, position int64) (found bool, at int64, err error) {
	err = s.engine.ask(ctx, query{selectNews, []any{position - 1, position, 1}, func(scan scan) error {
		var r row
		err := r.read(scan)
		found, at = true, r.at
		return err
	}})
	return found, at, err
}

// catchUp delivers what other servers have written, without locking head.
func (s *Store) catchUp(ctx context.Context) error {
	if !s.engine.isShared() {
		return nil
	}
	if s.loss != nil {
		return s.loss
	}
	h, err := s.engine.look(ctx)
	if err != nil {
		return err
	}
	s.timeAt(h)
	if err := s.checkHead(ctx, h); err != nil {
		return err
	}
	return s.readNews(ctx, h.position)
}

// readNews delivers what other servers have written up to a position, page by page.
func (s *Store) readNews(ctx context.Context, to int64) error {
	for s.memory.position < to {
		var page []row
		var standings []history.Standing
		from := s.memory.position
		err := s.engine.ask(ctx, query{selectNews, []any{from, to, maxRead}, func(scan scan) error {
			var r row
			err := r.read(scan)
			page = append(page, r)
			return err
		}}, query{selectNewStandings, []any{from, to}, func(scan scan) error {
			s, err := readStanding(scan)
			standings = append(standings, s)
			return err
		}})
		if err != nil {
			return err
		}
		end := to
		if len(page) == maxRead {
			end = page[maxRead-1].position
		}
		s.history.ladders.update(standings)
		s.deliver(page, end)
	}
	return nil
}

// deliver takes the next rows of the log into memory and calls the subscribers. position is where the log is then: the
// rows before it that were deleted since are not among rows.
func (s *Store) deliver(rows []row, position int64) {
	s.stats.begin()
	defer s.stats.end()
	s.mu.Lock()
	defer s.mu.Unlock()
	hasEntry := false
	for _, r := range rows {
		s.clock.pass(time.UnixMicro(r.at))
		s.memory.deliver(r)
		hasEntry = hasEntry || r.kind == entryRow
	}
	if hasEntry {
		s.memory.forgetEntries(s.clock.now())
	}
	if s.memory.position != position {
		s.memory.position, s.memory.at = position, 0
	}
	s.delivered.Store(position)
}

// write commits the rows of a group and delivers them. If the outcome of the commit is unknown, it asks settle.
func (s *Store) write(g *group) error {
	ctx, stop := context.WithTimeout(context.Background(), groupTimeout)
	defer stop()
	g.results.write(g)
	isUnknown, err := s.engine.commit(ctx, &g.batch, g.head, g.isDurable || g.isTouched)
	if err != nil {
		s.engine.rollback()
		if isUnknown && len(g.rows) > 0 {
			err = s.settle(g.rows[len(g.rows)-1], err)
		}
		if err != nil {
			return err
		}
	}
	s.noteFailure(nil)
	s.stats.Commits.Add(1)
	s.history.ladders.update(g.results.after)
	s.deliver(g.rows, g.position)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range g.entries {
		s.setEntry(e)
	}
	return nil
}

// exclusively calls change in the committing goroutine, in a transaction that no other request has written to. change
// may take long. It adds statements to the group's batch, and calls flush to write them without committing. After an
// error all is rolled back.
func (s *Store) exclusively(ctx context.Context, change func(g *group, flush func() error) error) error {
	return s.do(ctx, &request{decide: func(g *group) error {
		if len(g.rows) > 0 || len(g.batch.statements) > 0 {
			return errAgain // after the requests of this group
		}
		flush := func() error {
			err := s.engine.write(ctx, &g.batch)
			g.batch = batch{}
			s.stats.begin() // this goroutine is not stuck
			return err
		}
		if g.failed = s.engine.patient(ctx); g.failed == nil {
			g.failed = change(g, flush)
		}
		if g.failed == nil {
			g.failed = flush() // the commit has little time
		}
		g.isTouched = true
		return g.failed
	}})
}

// settle finds out whether a group was committed although its commit has failed. It returns nil if it was, failed if it
// was not, and errUnknown if the database does not answer or cannot tell.
func (s *Store) settle(last row, failed error) error {
	for began := time.Now(); time.Since(began) < settleTimeout; {
		ctx, stop := context.WithTimeout(context.Background(), groupTimeout)
		committed, err := s.engine.settle(ctx, last)
		stop()
		switch {
		case err == nil && committed:
			return nil
		case err == nil:
			return failed
		case errors.Is(err, errUnknown):
			return fmt.Errorf("%w: %w", errUnknown, failed)
		}
		select {
		case <-time.After(settleDelay):
		case <-s.quit:
			return fmt.Errorf("%w: %w", errUnknown, failed)
		}
	}
	return fmt.Errorf("%w: %w", errUnknown, failed)
}

// The keys of requests.
func entryKey(key string) string  { return "entry " + key }
func matchKey(id match.ID) string { return "match " + string(id) }

const accountKey = "accounts"
