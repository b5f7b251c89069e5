package journal

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"notakto/match"
	"notakto/match/internal/codec"
	"notakto/match/journal/natsd"
)

// Append implements [match.Journal].
func (s *Store) Append(ctx context.Context, events ...match.Event) (match.Event, error) {
	began := time.Now()
	e, err := appendEvents(ctx, s, events)
	s.stats.appended(err, time.Since(began))
	return e, err
}

func appendEvents(ctx context.Context, s *Store, events []match.Event) (match.Event, error) {
	if err := ctx.Err(); err != nil {
		return match.Event{}, err
	}
	e := events[0]
	if !nameable(e.Match) {
		return match.Event{}, fmt.Errorf("%w: %.40q cannot be the name of a match", codec.ErrUnwritable, e.Match)
	}
	last, err := s.index.expectedSeq(e.Match, e.Seq)
	if errors.Is(err, errUnknown) {
		return match.Event{}, whyNotLive(ctx, s, e)
	}
	if err == nil && e.Seq == 1 {
		err = s.archive.checkNew(ctx, e.Match)
	}
	if err != nil {
		return match.Event{}, err
	}
	entry, err := codec.EncodeEvents(events)
	if err != nil {
		return match.Event{}, err
	}
	return s.record(ctx, e.Match, e.Seq, last, entry)
}

// whyNotLive returns why an event cannot be appended to a match that is not live here.
func whyNotLive(ctx context.Context, s *Store, e match.Event) error {
	switch _, err := s.archive.find(ctx, e.Match); {
	case err == nil:
		return match.ErrArchived
	case errors.Is(err, match.ErrNoSuchMatch):
		return conflict(e.Match, e.Seq)
	default:
		return err
	}
}

// record publishes an entry of a match's log, waits until the follower has delivered it, and returns its last event.
func (s *Store) record(ctx context.Context, id match.ID, seq, last uint64, entry []byte) (match.Event, error) {
	ctx, cancel := context.WithTimeout(ctx, publishTimeout)
	defer cancel()
	msg := s.committer.publisher.message(natsd.MatchSubject+string(id), last, entry)
	messageID := msg.Header.Get(jetstream.MsgIDHeader)
	d := s.index.expect(messageID)
	defer s.index.forget(messageID)
	err := errOnceMore
	for errors.Is(err, errOnceMore) {
		if err = s.node.Monitor.Writable(); err == nil {
			err = s.committer.publish(ctx, msg)
		}
		if errors.Is(err, errMovedOn) {
			err = s.resolveConflict(ctx, id, seq, last)
		}
	}
	if err == nil {
		err = d.await(ctx)
	}
	select {
	case <-d.done: // whatever the answer was, it is in the log
		return d.event, nil
	default:
		return match.Event{}, err
	}
}

// await waits until the message has been delivered.
func (d *delivery) await(ctx context.Context) error {
	select {
	case <-d.done:
		return nil
	case <-ctx.Done():
		return natsd.Unavailable(ctx.Err())
	}
}

// errOnceMore says that no other event came first after all.
var errOnceMore = errors.New("send it once more")

// inFlight is how long a refused event waits for another one that its leader may be about to record.
const inFlight = 250 * time.Millisecond

// resolveConflict returns why an event expected to follow a sequence was refused, once the event that came first can be
// read here.
func (s *Store) resolveConflict(ctx context.Context, id match.ID, seq, expected uint64) error {
	actual, err := lastSeq(ctx, s.node.Streams.Matches, natsd.MatchSubject+string(id))
	if err != nil {
		return err
	}
	if actual > expected {
		if err := s.index.waitSeq(ctx, id, actual); err != nil {
			return natsd.Unavailable(err)
		}
		return s.index.tooLate(id, seq)
	}
	// The leader of a cluster also refuses for an event that it is about to record, which may fail.
	brief, cancel := context.WithTimeout(ctx, inFlight)
	defer cancel()
	if s.index.progress.wait(brief, func() bool { return s.index.isFilled(id, seq) }) == nil {
		return s.index.tooLate(id, seq)
	}
	if actual == 0 && expected > 0 {
		r, err := s.archive.find(ctx, id)
		if err == nil { // it was archived, which the follower has not delivered yet
			s.index.finish(r)
			return s.index.tooLate(id, seq)
		}
		if !errors.Is(err, match.ErrNoSuchMatch) {
			return err
		}
	}
	if err := ctx.Err(); err != nil {
		return natsd.Unavailable(err)
	}
	return errOnceMore
}

func (v *index) tooLate(id match.ID, seq uint64) error {
	if _, err := v.expectedSeq(id, seq); errors.Is(err, match.ErrDamaged) || errors.Is(err, match.ErrNewer) {
		return err
	}
	return conflict(id, seq)
}

// Archive implements [match.Journal]. It returns once the match is sealed; the archiver does the rest.
func (s *Store) Archive(ctx context.Context, id match.ID) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	for {
		n, last, sealed, err := s.index.end(id)
		if errors.Is(err, errUnknown) {
			return s.archivedError(ctx, id)
		}
		if err != nil || sealed {
			return err
		}
		_, err = s.record(ctx, id, n+1, last, codec.EncodeSeal(id, n))
		if errors.Is(err, match.ErrArchived) {
			return nil
		}
		if !errors.Is(err, match.ErrConflict) {
			return err
		}
	}
}

// archivedError returns nil if a match that is not live here was archived.
func (s *Store) archivedError(ctx context.Context, id match.ID) error {
	if _, live, err := s.catchUp(ctx, id, 0); err != nil {
		return err
	} else if live {
		return s.Archive(ctx, id)
	}
	_, err := s.archive.find(ctx, id)
	return err
}

// nameable reports whether an ID can be a token of a subject. Others are refused.
func nameable(id match.ID) bool {
	return 0 < len(id) && len(id) <= 64 && !strings.ContainsFunc(string(id), func(r rune) bool {
		return (r < 'a' || 'z' < r) && (r < 'A' || 'Z' < r) && (r < '0' || '9' < r) && r != '-' && r != '_'
	})
}

const (
	// batchThreshold is how many messages are sent singly at the same time. The server syncs each separately, so more
	// would only queue. A group is synced once, but takes the server some milliseconds more.
	batchThreshold = 8
	// minBatch is the smallest group; with fewer waiting, messages are sent singly again.
	minBatch = 4
	// groupMax is the largest group that the server accepts.
	groupMax = 1000
)

// errSingly makes the publisher of a waiting message send it singly.
var errSingly = errors.New("the group was refused")

// committer publishes the messages of live matches: singly while few wait, in groups when many do.
type committer struct {
	publisher *publisher
	disabled  bool // groups gain nothing
	waiting   atomic.Int64
	grouping  atomic.Bool
	queue     chan waiting
	groups    atomic.Uint64
}

// waiting is a message that waits for its group. answer has room for one.
type waiting struct {
	msg    *nats.Msg
	answer chan error
}

func (p *publisher) newCommitter(singly bool) *committer {
	return &committer{publisher: p, disabled: singly, queue: make(chan waiting, groupMax)}
}

// publish is like [publisher.publish], but faster under concurrent calls.
func (c *committer) publish(ctx context.Context, msg *nats.Msg) error {
	defer c.waiting.Add(-1)
	if n := c.waiting.Add(1); c.disabled || n <= batchThreshold && !c.grouping.Load() {
		return c.publishOne(ctx, msg)
	}
	w := waiting{msg: msg, answer: make(chan error, 1)}
	select {
	case c.queue <- w:
	case <-ctx.Done():
		return natsd.Unavailable(ctx.Err())
	}
	select {
	case err := <-w.answer:
		if err != nil {
			return c.publishOne(ctx, msg)
		}
		return nil
	case <-ctx.Done():
		return natsd.Unavailable(ctx.Err())
	}
}

func (c *committer) publishOne(ctx context.Context, msg *nats.Msg) error {
	_, err := c.publisher.publish(ctx, msg)
	return err
}

// run commits groups until ctx ends; messages that wait then are sent singly.
func (c *committer) run(ctx context.Context) {
	for {
		select {
		case w := <-c.queue:
			c.grouping.Store(true)
			group, deferred := c.gather(w)
			err := errSingly
			if len(group) >= minBatch {
				err = c.commit(ctx, group)
			} else {
				c.grouping.Store(false)
			}
			answer(group, err)
			answer(deferred, errSingly)
		case <-ctx.Done():
			group, deferred := c.gather()
			answer(group, errSingly)
			answer(deferred, errSingly)
			return
		}
	}
}

func answer(all []waiting, err error) {
	for _, w := range all {
		w.answer <- err // has room: answered once
	}
}

// gather takes the waiting messages. A second message to a subject would be refused, and the group with it, so it is
// deferred.
func (c *committer) gather(group ...waiting) (all, deferred []waiting) {
	subjects := make(map[string]bool, groupMax)
	for _, w := range group {
		subjects[w.msg.Subject] = true
	}
	for len(group) < groupMax {
		select {
		case w := <-c.queue:
			if subjects[w.msg.Subject] {
				deferred = append(deferred, w)
				continue
			}
			subjects[w.msg.Subject] = true
			group = append(group, w)
		default:
			return group, deferred
		}
	}
	return group, deferred
}

// commit sends a group, of which the server stores all or nothing. After a failure its messages may be sent singly:
// their IDs prevent that they are stored twice.
func (c *committer) commit(ctx context.Context, group []waiting) error {
	id := c.publisher.name + strconv.FormatUint(c.groups.Add(1), 36)
	for i, w := range group {
		msg := &nats.Msg{Subject: w.msg.Subject, Data: w.msg.Data, Header: nats.Header{}}
		for key, values := range w.msg.Header {
			msg.Header[key] = values
		}
		msg.Header.Set(server.JSBatchId, id)
		msg.Header.Set(server.JSBatchSeq, strconv.Itoa(i+1))
		if i == len(group)-1 {
			msg.Header.Set(server.JSBatchCommit, "1")
			ctx, cancel := context.WithTimeout(ctx, natsd.AnswerWithin)
			defer cancel()
			_, err := c.publisher.send(ctx, msg)
			return err
		}
		if err := c.publisher.js.Conn().PublishMsg(msg); err != nil {
			return err
		}
	}
	return nil
}

// publishTimeout is how long a request is repeated without an earlier deadline.
const publishTimeout = 10 * time.Second

// errMovedOn says that the server refused a message because its subject has a newer one, or may get one: a leader also
// refuses for a message that it is about to store, which may fail.
var errMovedOn = errors.New("the subject has moved on")

// noExpectedSeq is for a message that has no expected sequence.
const noExpectedSeq = ^uint64(0)

// publisher makes messages and publishes them.
type publisher struct {
	js   jetstream.JetStream
	name string // of this run, which makes message IDs unique
	n    atomic.Uint64
}

func newPublisher(js jetstream.JetStream) *publisher {
	return &publisher{js: js, name: rand.Text()[:12]}
}

// message makes a message that is stored only if last is the last sequence of its subject, and once however often it is
// sent.
func (p *publisher) message(subject string, last uint64, body []byte) *nats.Msg {
	msg := nats.NewMsg(subject)
	msg.Data = body
	msg.Header.Set(jetstream.MsgIDHeader, p.name+strconv.FormatUint(p.n.Add(1), 36))
	if last != noExpectedSeq {
		msg.Header.Set(jetstream.ExpectedLastSubjSeqHeader, strconv.FormatUint(last, 10))
	}
	return msg
}

// publish sends a message until the server answers, and returns its sequence. The errors are errMovedOn, and those that
// wrap [match.ErrUnavailable].
func (p *publisher) publish(ctx context.Context, msg *nats.Msg) (seq uint64, err error) {
	ctx, cancel := context.WithTimeout(ctx, publishTimeout)
	defer cancel()
	err = persist(ctx, func(ctx context.Context) error {
		seq, err = p.send(ctx, msg)
		return err
	})
	return seq, err
}

// send sends a message once.
func (p *publisher) send(ctx context.Context, msg *nats.Msg) (seq uint64, err error) {
	ack, err := p.js.PublishMsg(ctx, msg, jetstream.WithRetryAttempts(0))
	var api *jetstream.APIError
	switch {
	case err == nil:
		return ack.Sequence, nil
	case errors.As(err, &api) && (api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence ||
		api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequenceConstant):
		return 0, errMovedOn
	}
	return 0, err
}

// lastSeq returns the sequence of the last message of a subject, zero if there is none.
func lastSeq(ctx context.Context, stream jetstream.Stream, subject string) (seq uint64, err error) {
	ctx, cancel := context.WithTimeout(ctx, publishTimeout)
	defer cancel()
	err = persist(ctx, func(ctx context.Context) error {
		m, err := stream.GetLastMsgForSubject(ctx, subject)
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			return nil
		}
		if err == nil {
			seq = m.Sequence
		}
		return err
	})
	return seq, err
}

// persist repeats a request until the server answers. The errors are errMovedOn, and those that wrap
// [match.ErrUnavailable].
func persist(ctx context.Context, ask func(ctx context.Context) error) error {
	for {
		one, cancel := context.WithTimeout(ctx, natsd.AnswerWithin)
		err := ask(one)
		cancel()
		switch {
		case err == nil, errors.Is(err, errMovedOn):
			return err
		case !natsd.IsTransient(err) || ctx.Err() != nil:
			return natsd.Unavailable(err)
		}
		natsd.Wait(ctx, 50*time.Millisecond)
	}
}
