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

// keepAlive sends a question after a silence of one interval, as OpenSSH does. A client that does not answer within
// interval is disconnected. Only the first call on a connection counts. No goroutine waits between the questions.
func (c *connection) keepAlive(interval time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.questionTimer != nil || c.state == connClosed {
		return
	}
	c.questionTimer = time.AfterFunc(interval, func() {
		c.mu.Lock()
		silence := time.Since(c.deadPeer.lastRead)
		c.mu.Unlock()
		if silence < interval {
			c.askIn(interval - silence)
			return
		}
		overdue := time.AfterFunc(interval, func() { c.disconnect(limit.NoAnswer, errNoAnswer) })
		defer overdue.Stop()
		if c.roundTrip.ask(context.Background(), c.client) == nil {
			c.askIn(interval)
		}
	})
}

func (c *connection) askIn(pause time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state != connClosed {
		c.questionTimer.Reset(pause)
	}
}

// Answers implements [manager.Client].
func (c *channel) Answers(ctx context.Context) bool {
	return c.conn.roundTrip.ask(ctx, c.conn.client) == nil
}

// HangUp implements [manager.Client].
func (c *channel) HangUp() { c.conn.closeFor(limit.NoAnswer) }

// roundTrip measures the shortest time to a client and back by questions. Any goroutine may call its methods.
type roundTrip struct {
	shortestNanos atomic.Int64

	mu       sync.Mutex
	question *question // waits for an answer, or is nil
}

type question struct {
	done chan struct{} // closed with the answer, or the connection
	err  error         // nil with an answer, valid once done is closed
}

// shortest returns the shortest round trip so far, zero before the first answer. Longer ones do not count, since a
// client that has just begun is busy and answers late.
func (r *roundTrip) shortest() time.Duration { return time.Duration(r.shortestNanos.Load()) }

const roundTripQuestions = 2

// ask waits until the client has answered a question, the connection is closed, or ctx ends. Callers share a
// question that is not answered yet.
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

func (r *roundTrip) send(conn gossh.Conn, q *question) {
	began := time.Now()
	_, _, q.err = conn.SendRequest("keepalive@openssh.com", true, nil)
	if took, before := int64(time.Since(began)), r.shortestNanos.Load(); q.err == nil && (before == 0 || took < before) {
		r.shortestNanos.Store(took)
	}
	r.mu.Lock()
	r.question = nil
	r.mu.Unlock()
	close(q.done)
}

// measureRoundTrip starts a goroutine and returns. The goroutine sends roundTripQuestions questions, one at a time. If
// an answer is missing, the goroutine lives until the connection is closed.
func (c *connection) measureRoundTrip() {
	time.AfterFunc(0, func() {
		for range roundTripQuestions {
			if c.roundTrip.ask(context.Background(), c.client) != nil {
				return
			}
		}
	})
}

// maxUnacknowledged limits the time that sent data may stay unacknowledged. The kernel's limit counts from its first
// retransmission. On a bad link, that comes so late that the kernel notices a dead peer only after half a minute.
const maxUnacknowledged = 18 * time.Second

const deadPeerCheckEvery = time.Second

// deadPeerDetector finds a peer behind a dead link while the server writes to the peer. While no data is sent, the
// kernel's keep-alive probes find a dead peer.
type deadPeerDetector struct {
	lastRead     time.Time
	checked      time.Time
	unackedSince time.Time // when checks began to find unacknowledged data, zero after a check without any
}

// detect reports whether the peer has acknowledged no data for maxUnacknowledged. Since most writes answer a key,
// detect returns false soon after a read. The kernel is asked at most once each deadPeerCheckEvery.
func (d *deadPeerDetector) detect(conn net.Conn, now time.Time) bool {
	if now.Sub(d.checked) < deadPeerCheckEvery || now.Sub(d.lastRead) < deadPeerCheckEvery {
		return false
	}
	d.checked = now
	isUnacked, sinceAck := ackState(tcpOf(conn))
	switch {
	case !isUnacked:
		d.unackedSince = time.Time{}
	case d.unackedSince.IsZero():
		d.unackedSince = now
	}
	return isUnacked && sinceAck >= maxUnacknowledged && now.Sub(d.unackedSince) >= maxUnacknowledged
}
