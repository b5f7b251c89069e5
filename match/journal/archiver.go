package journal

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"notakto/match"
	"notakto/match/internal/codec"
	"notakto/match/journal/natsd"
)

// takeoverDelay is how long a node leaves a match to the one that sealed it.
const takeoverDelay = 30 * time.Second

// maxRecord is how long a record may be. A message of the archive has less than 1 KB more.
const maxRecord = 255 << 10

// errTooLong says that a match is too long for the archive. No player can make one: a table limits what it records.
var errTooLong = errors.New("the match is too long for the archive")

// archiver archives sealed matches, one after another, and checks damaged ones.
type archiver struct {
	node      *natsd.Node
	index     *index
	archive   *archive
	publisher *publisher
	log       *slog.Logger
	wake      chan struct{}

	mu  sync.Mutex
	due []job // by time
}

// job is a match to archive or to check.
type job struct {
	id    match.ID
	at    time.Time
	isOwn bool // sealed by this process just now, so that there is no record yet
}

func (a *archive) newArchiver(p *publisher) *archiver {
	return &archiver{
		node: a.node, index: a.index, archive: a, publisher: p, log: a.node.Config.Log, wake: make(chan struct{}, 1),
	}
}

// add adds a job. The index calls it under its lock.
func (a *archiver) add(e job) {
	a.mu.Lock()
	n := len(a.due)
	for n > 0 && a.due[n-1].at.After(e.at) {
		n--
	}
	a.due = slices.Insert(a.due, n, e)
	a.mu.Unlock()
	select {
	case a.wake <- struct{}{}:
	default:
	}
}

// next takes a job that is due, or returns how long until one is.
func (a *archiver) next() (e job, ok bool, in time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.due) == 0 {
		return job{}, false, time.Hour
	}
	if in = time.Until(a.due[0].at); in > 0 {
		return job{}, false, in
	}
	e = a.due[0]
	a.due = a.due[1:]
	return e, true, 0
}

// run returns when ctx has ended. The next start finds the jobs that are left.
func (a *archiver) run(ctx context.Context) {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for ctx.Err() == nil {
		e, ok, in := a.next()
		if ok {
			a.process(ctx, e)
			continue
		}
		timer.Reset(in)
		select {
		case <-a.wake:
		case <-timer.C:
		case <-ctx.Done():
		}
	}
}

// process does one job, or defers it.
func (a *archiver) process(ctx context.Context, e job) {
	r, ok, damage := a.index.sealed(e.id)
	if !ok && damage == nil {
		return // another node did it
	}
	var err error
	switch {
	case errors.Is(damage, match.ErrNewer):
		err = damage
	case ok && e.isOwn:
		err = a.put(ctx, r)
	default:
		err = a.find(ctx, e.id, r, damage)
	}
	switch {
	case err == nil || ctx.Err() != nil:
	case errors.Is(err, match.ErrNewer):
		a.log.Warn("a match was written by a newer version of the program: it is left as it is, and not shown",
			"event", "match-newer",
			"match", e.id, "error", err)
	case errors.Is(err, match.ErrUnavailable):
		a.log.Debug("a match cannot be put away yet", "event", "archive-delayed", "match", e.id, "error", err)
		a.add(job{id: e.id, at: time.Now().Add(time.Second)})
	case errors.Is(err, errTooLong):
		a.log.Error("a match is over and stays with those that are on",
			"event", "archive-refused", "match", e.id, "error", err)
	default:
		a.log.Error("a match is damaged and not shown", "event", "match-damaged", "match", e.id, "error", err)
	}
}

// find handles a match that may have a record already: then its purge was interrupted.
func (a *archiver) find(ctx context.Context, id match.ID, sealed codec.Record, damage error) error {
	r, err := a.archive.find(ctx, id)
	switch {
	case err == nil:
		return a.finish(ctx, r)
	case !errors.Is(err, match.ErrNoSuchMatch):
		return err
	case damage != nil:
		return damage
	}
	return a.put(ctx, sealed)
}

// put writes the record and then purges the log.
func (a *archiver) put(ctx context.Context, r codec.Record) error {
	if err := a.store(ctx, r); err != nil {
		return err
	}
	return a.purge(ctx, r.ID)
}

// store writes the record.
func (a *archiver) store(ctx context.Context, r codec.Record) error {
	if err := a.node.Monitor.Writable(); err != nil {
		return err
	}
	body, err := codec.EncodeRecord(r)
	switch {
	case err != nil:
		return err
	case len(body) > maxRecord:
		return fmt.Errorf("%w: %d events take %d bytes", errTooLong, len(r.Events), len(body))
	}
	msg := a.publisher.message(bucket(r.ID), noExpectedSeq, body)
	msg.Header.Set(jetstream.MsgIDHeader, string(r.ID)) // several nodes may write it, and it is stored once
	seq, err := a.publisher.publish(ctx, msg)
	if err != nil {
		return err
	}
	a.archive.names.add(r.ID, seq)
	a.index.finish(r)
	return nil
}

// purge deletes the log of a match that is in the archive.
func (a *archiver) purge(ctx context.Context, id match.ID) error {
	if err := a.archive.checkpoint.sync(); err != nil {
		return natsd.Unavailable(err)
	}
	ctx, cancel := context.WithTimeout(ctx, publishTimeout)
	defer cancel()
	return natsd.Unavailable(a.node.Streams.Matches.Purge(ctx, jetstream.WithPurgeSubject(natsd.MatchSubject+string(id))))
}

// finishAll purges live matches that have a record: the process may have died before, or a damaged server may have lost
// the purge.
func (a *archiver) finishAll(ctx context.Context) error {
	for _, id := range a.index.ids() {
		r, err := a.archive.lookUp(ctx, id)
		if err == nil {
			err = a.finish(ctx, r)
		}
		if err != nil && !errors.Is(err, match.ErrNoSuchMatch) && !errors.Is(err, match.ErrDamaged) {
			return err
		}
	}
	return nil
}

// finish removes a match that has a record.
func (a *archiver) finish(ctx context.Context, r codec.Record) error {
	a.index.finish(r)
	return a.purge(ctx, r.ID)
}
