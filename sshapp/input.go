package sshapp

import (
	"bytes"
	"context"
	"io"
	"sync"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"notakto/sshapp/limit"
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

// maxInputBuffer is how much of a session's input waits for its front end. An input buffer that has held no more than
// smallInputBuffer keeps its memory.
const (
	maxInputBuffer   = 16 << 10
	smallInputBuffer = 1 << 10
	inputPiece       = 256 // that is read at once
)

// inputBuffer reads a session's input as it comes, for a front end that reads when it likes, or never. The SSH
// library would keep two megabytes of data for such a front end, and for each byte of that a whole packet, if the
// client sends them one by one. While an input buffer is full the connection's allowance does not grow.
type inputBuffer struct {
	budget *byteBudget

	mu      sync.Mutex
	changed *sync.Cond
	kept    bytes.Buffer
	err     error // of the input
	over    bool  // the session is
}

// newInputBuffer begins to read. Its goroutine ends with the input, and while it is full also with [inputBuffer.close].
func newInputBuffer(input io.Reader, budget *byteBudget) *inputBuffer {
	b := &inputBuffer{budget: budget}
	b.changed = sync.NewCond(&b.mu)
	go b.fill(input)
	return b
}

func (b *inputBuffer) fill(input io.Reader) {
	piece := make([]byte, inputPiece)
	for {
		n, err := input.Read(piece)
		if !b.keep(piece[:n], err) {
			return
		}
	}
}

// keep takes in a piece of the input, and waits while the input buffer is full. It is false when there is no need to
// read on.
func (b *inputBuffer) keep(piece []byte, err error) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.over {
		return false
	}
	b.kept.Write(piece)
	b.err = err
	b.changed.Broadcast()
	if err == nil && b.full() {
		b.budget.hold()
		defer b.budget.release()
	}
	for err == nil && b.full() {
		b.changed.Wait()
	}
	return err == nil && !b.over
}

func (b *inputBuffer) full() bool { return b.kept.Len() >= maxInputBuffer && !b.over }

// Read waits for input, if there is none.
func (b *inputBuffer) Read(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.kept.Len() == 0 && b.err == nil && !b.over {
		b.changed.Wait()
	}
	switch {
	case b.over:
		return 0, io.EOF
	case b.kept.Len() == 0:
		return 0, b.err
	}
	n, _ := b.kept.Read(p)
	if b.kept.Len() == 0 && b.kept.Cap() > smallInputBuffer {
		b.kept = bytes.Buffer{}
	}
	b.changed.Broadcast()
	return n, nil
}

// close ends the input for a goroutine that still reads: the session is over.
func (b *inputBuffer) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.over = true
	b.kept = bytes.Buffer{}
	b.changed.Broadcast()
}

// What a client may send at once, and how many bytes a second after that, as long as every session reads; and for how
// long it may be held up without that a session reads, before it is hung up on.
const (
	inputAtOnce  = 64 << 10
	inputPace    = 64 << 10
	inputTimeout = 30 * time.Second
)

// byteBudget bounds what a connection keeps of its client's bytes, whatever they are: input of a session that does not
// read, requests, packets that mean nothing. A client that has used it up is not read from until there is some again,
// so that its own network holds it up. As long as something has come that its session does not read at once, only what
// is read brings more, and no more than it has cost: so all that waits was part of inputAtOnce. It may be used by
// several goroutines.
type byteBudget struct {
	now func() time.Time

	mu        sync.Mutex
	remaining float64 // bytes; less than none after a read that was larger
	at        time.Time
	held      time.Duration // how long the client was held up since a session has read
	unread    int           // sessions that do not read just now; while there are any, time brings nothing
	refill    chan struct{} // has a value when more may come than before
}

func newByteBudget() *byteBudget {
	return &byteBudget{now: time.Now, remaining: inputAtOnce, at: time.Now(), refill: make(chan struct{}, 1)}
}

// take counts n bytes that have come.
func (a *byteBudget) take(n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.grow()
	a.remaining -= float64(n)
}

// give counts n bytes that a session has read.
func (a *byteBudget) give(n int) {
	a.mu.Lock()
	a.remaining = min(inputAtOnce, a.remaining+float64(n))
	a.held = 0
	a.mu.Unlock()
	a.wake()
}

// hold has time bring no more bytes until release is called: a session does not read.
func (a *byteBudget) hold() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.grow()
	a.unread++
}

// release ends what one hold has begun.
func (a *byteBudget) release() {
	a.mu.Lock()
	a.grow()
	a.unread--
	a.mu.Unlock()
	a.wake()
}

// wake has the waiting goroutine look again.
func (a *byteBudget) wake() {
	select {
	case a.refill <- struct{}{}:
	default:
	}
}

// wait waits until more may come, or gone is closed. It is false when the client has been held up for too long.
func (a *byteBudget) wait(gone <-chan struct{}) bool {
	for {
		pause, ok := a.pause()
		if pause <= 0 || !ok {
			return ok
		}
		began, timer := a.now(), time.NewTimer(pause)
		select {
		case <-timer.C:
		case <-a.refill:
		case <-gone:
			timer.Stop()
			return true // the read says so
		}
		timer.Stop()
		a.mu.Lock()
		a.held += a.now().Sub(began)
		a.mu.Unlock()
	}
}

// pause is how long it takes until there is something left, and whether the client has not been held up for too long.
func (a *byteBudget) pause() (time.Duration, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.grow()
	if a.remaining < 0 && a.unread > 0 {
		return inputTimeout - a.held, a.held < inputTimeout
	}
	return time.Duration(-a.remaining / inputPace * float64(time.Second)), a.held < inputTimeout
}

func (a *byteBudget) grow() {
	now := a.now()
	if a.unread == 0 {
		a.remaining = min(inputAtOnce, a.remaining+now.Sub(a.at).Seconds()*inputPace)
	}
	a.at = now
}
