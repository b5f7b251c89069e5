package sshapp

import (
	"bytes"
	"context"
	"time"

	"notakto/sshapp/limit"

	gossh "golang.org/x/crypto/ssh"
)

// All sessions of an address share one budget of bytes a second, since each of them would take a fair part of the
// processor from the others otherwise. What a session leads to costs more than what it reads, and is paid in bytes of
// input as well: a line, which may be a move that is recorded; a key, after which a screen is drawn; what is sent to
// the client.
const (
	linePrice   = 160
	keyPrice    = 32              // of a byte that the key reader does not drop
	outputShare = 16              // bytes that are sent for the price of one
	maxOutput   = 64 << 10        // that a session pays for at once, since the others at its tables have led to most of it
	maxOwed     = 8 * time.Second // how long a session may be held up for its prices without a pause of its client
	clientPause = 10 * time.Millisecond
)

// Read reads what the client types or sends, no faster than the budget of its address allows.
func (c *channel) Read(p []byte) (int, error) {
	began := time.Now()
	n, err := c.input.Read(p)
	if time.Since(began) > clientPause {
		c.cost.heldUp.Store(0)
	}
	if n > 0 {
		c.asked.frontEnd.received(n)
		c.slot.NoteTyped()
		c.conn.budgets.bytes.give(n)
		c.conn.budgets.bytes.hold()
		c.cost.pay(c.life.ctx, c.priceOf(p[:n]))
		c.conn.budgets.bytes.release()
	}
	return n, err
}

// counted is a session channel that counts the bytes sent to the client.
type counted struct {
	gossh.Channel
	session *channel
}

// Write sends p to the client.
func (c counted) Write(p []byte) (int, error) {
	n, err := c.Channel.Write(p)
	c.session.cost.said.Add(int64(n))
	c.session.asked.frontEnd.sent(n)
	return n, err
}

// payFor waits until the session may have done work at a price. A client that goes on without a pause, and is held up
// for maxOwed in all, is hung up on: what it has sent would be done for minutes after it has gone.
func payFor(ctx context.Context, c *channel, all *limit.AddressLimits, price int) {
	began := time.Now()
	ok := all.Pay(ctx, c.conn.Source, price, maxOwed-time.Duration(c.cost.heldUp.Load()))
	if c.cost.heldUp.Add(int64(time.Since(began))); !ok {
		c.conn.disconnect(limit.UnreadInput, errUnreadInput)
	}
}

// priceOf returns what it costs to do what has come, and what the client was sent since the last time.
func (c *channel) priceOf(typed []byte) int {
	lines := bytes.Count(typed, []byte("\n")) + bytes.Count(typed, []byte("\r"))
	return len(typed) + lines*linePrice + int(min(c.cost.said.Swap(0), maxOutput)/outputShare)
}
