package sshapp

import (
	"context"
	"net"
	"sync"
	"sync/atomic"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"notakto/match/limit"
)

// keepAlive asks the client whether it is still there when it has sent nothing for the time every, as OpenSSH does. If
// no answer comes within every, keepAlive disconnects the client. Only the first call on a connection counts. No
// goroutine waits between the questions.
func (c *connection) keepAlive(every time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.question != nil || c.state == connClosed {
		return
	}
	c.question = time.AfterFunc(every, func() {
		c.mu.Lock()
		silence := time.Since(c.deadPeer.lastRead)
		c.mu.Unlock()
		if silence < every {
			c.askIn(every - silence)
			return
		}
		overdue := time.AfterFunc(every, func() { c.disconnect(limit.NoAnswer, errNoAnswer) })
		defer overdue.Stop()
		if c.roundTrip.ask(context.Background(), c.client) == nil {
			c.askIn(every)
		}
	})
}

func (c *connection) askIn(pause time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state != connClosed {
		c.question.Reset(pause)
	}
}

// Answers implements [manager.Client].
func (c *channel) Answers(ctx context.Context) bool {
	return c.conn.roundTrip.ask(ctx, c.conn.client) == nil
}

// HangUp implements [manager.Client].
func (c *channel) HangUp() { c.conn.closeFor(limit.NoAnswer) }

// roundTrip measures the shortest time to a client and back by questions. Its methods may be called from any goroutine.
type roundTrip struct {
	took atomic.Int64

	mu       sync.Mutex
	question *question // not answered yet; nil for none
}

// question is one question to the client. All callers of ask share it until the answer.
type question struct {
	done chan struct{} // closed with the answer, or the connection
	err  error         // nil with an answer; valid once done is closed
}

// least returns the shortest round trip so far, zero before the first answer. Longer ones do not count, since a client
// that has just begun is busy and answers late.
func (r *roundTrip) least() time.Duration { return time.Duration(r.took.Load()) }

// roundTripQuestions is the number of questions that measure the round trip of a client that has just begun.
const roundTripQuestions = 5

// ask waits until the client has answered a question, the connection is closed, or ctx ends. It sends no question while
// one is not answered.
func (r *roundTrip) ask(ctx context.Context, conn gossh.Conn) error {
	r.mu.Lock()
	q := r.question
	if q == nil {
		q = &question{done: make(chan struct{})}
		r.question = q
		go r.send(conn, q) // ends with the connection, at the latest
	}
	r.mu.Unlock()
	select {
	case <-q.done:
		return q.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// send asks a question and measures the time to its answer.
func (r *roundTrip) send(conn gossh.Conn, q *question) {
	began := time.Now()
	_, _, q.err = conn.SendRequest("keepalive@openssh.com", true, nil)
	if took, before := int64(time.Since(began)), r.took.Load(); q.err == nil && (before == 0 || took < before) {
		r.took.Store(took)
	}
	r.mu.Lock()
	r.question = nil
	r.mu.Unlock()
	close(q.done)
}

// measureRoundTrip sends roundTripQuestions to the client, one after another, and does not wait for the answers. A
// missing answer costs a goroutine until the connection is closed.
func (c *connection) measureRoundTrip() {
	time.AfterFunc(0, func() {
		for range roundTripQuestions {
			if c.roundTrip.ask(context.Background(), c.client) != nil {
				return
			}
		}
	})
}

// maxUnacknowledged limits how long sent data may stay unacknowledged. The kernel's limit counts from its first
// retransmission, which on a bad link comes so late that a dead peer is noticed after half a minute.
const maxUnacknowledged = 18 * time.Second

// deadPeerCheckEvery is the least time between two questions to the kernel.
const deadPeerCheckEvery = time.Second

// deadPeerDetector finds a peer behind a dead link while the server writes to it. On a still link, the kernel's
// keep-alive probes find it.
type deadPeerDetector struct {
	lastRead time.Time // when the peer last sent something
	checked  time.Time
	since    time.Time // when checks began to find unacknowledged data; zero if the last one found none
}

// tooLong reports whether the peer has acknowledged nothing for maxUnacknowledged. It asks the kernel at most once each
// deadPeerCheckEvery, and not so soon after a read, since most writes answer a key.
func (d *deadPeerDetector) tooLong(conn net.Conn, now time.Time) bool {
	if now.Sub(d.checked) < deadPeerCheckEvery || now.Sub(d.lastRead) < deadPeerCheckEvery {
		return false
	}
	d.checked = now
	waiting, received := acknowledged(tcpOf(conn))
	switch {
	case !waiting:
		d.since = time.Time{}
	case d.since.IsZero():
		d.since = now
	}
	return waiting && received >= maxUnacknowledged && now.Sub(d.since) >= maxUnacknowledged
}
