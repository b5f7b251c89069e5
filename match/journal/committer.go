package journal

import (
	"context"
	"errors"
	"strconv"
	"sync/atomic"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"notakto/match/journal/natsd"
)

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
