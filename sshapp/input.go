package sshapp

import (
	"bytes"
	"context"
	"io"
	"sync"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"notakto/match/limit"
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

	discardShare = 32 // bytes that are thrown away unread for the price of one
)

// What the client of a terminal sends may be a paste that leads to the end of its session: by a key in it, or because
// it is too much. If the session let go in the middle of it, the client's own shell would read the rest, and run its
// lines. So a session to which more than keyboardBurst bytes came in the last second reads on until nothing has come
// for exitSilence, for a time and a number of bytes. A session that has to make room does so for a second at most.
const (
	keyboardBurst = 64                     // far below inputPiece: the first piece of a paste may end the session
	exitSilence   = 250 * time.Millisecond // or two round trips
	maxExitDrain  = 10 * time.Second
	forcedDrain   = time.Second
	maxExitInput  = 8 << 20
)

// Read reads what the client types or sends, no faster than the budget of its address allows.
func (c *channel) Read(p []byte) (int, error) {
	began := time.Now()
	n, err := c.input.Read(p)
	if time.Since(began) > clientPause {
		c.heldUp.Store(0)
	}
	if n > 0 {
		c.noteInput(p[:n])
	}
	return n, err
}

// noteInput counts what the session has read, and waits until it is paid for.
func (c *channel) noteInput(typed []byte) {
	c.frontEnd.received(len(typed))
	c.slot.NoteTyped()
	c.conn.budget.give(len(typed))
	c.conn.budget.hold()
	defer c.conn.budget.release()
	ctx := c.life.ctx
	if c.isSkippingRest() { // the end of the session must not make it free
		ctx = c.conn.sessionsCtx
	}
	c.pay(ctx, c.priceOf(typed))
	c.inputAt.Store(time.Now().UnixNano())
}

// sinceInput returns how long ago something was read, and paid for.
func (c *channel) sinceInput() time.Duration { return time.Since(time.Unix(0, c.inputAt.Load())) }

// hasPaused reports whether the client has sent nothing for a second.
func (c *channel) hasPaused() bool { return c.sinceInput() > time.Second }

// isSkippingRest reports whether the session is over and what comes is thrown away.
func (c *channel) isSkippingRest() bool { return c.asked.terminal != nil && c.life.ctx.Err() != nil }

// skipRest reads what is left of a paste, before the session ends.
func (c *channel) skipRest() {
	if c.asked.terminal == nil || c.burst.Load() <= keyboardBurst || c.hasPaused() {
		return
	}
	drain := maxExitDrain
	if cause := context.Cause(c.life.ctx); isKicked(cause) || isBan(cause) || isGivingWay(cause) {
		drain = forcedDrain
	}
	c.life.end(nil)
	ended := make(chan struct{})
	go func() { // beside the front end's reader, which may take a last piece
		defer close(ended)
		piece := make([]byte, inputPiece)
		for {
			n, err := c.typed.Read(piece)
			if err != nil {
				return
			}
			c.noteInput(piece[:n])
		}
	}()
	silence, most := max(exitSilence, 2*c.conn.roundTrip.least()), c.burst.Load()+maxExitInput
	overdue := time.NewTimer(drain)
	defer overdue.Stop()
	for c.burst.Load() < most {
		wait := silence - c.sinceInput()
		if wait <= 0 {
			return
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
			continue
		case <-ended:
		case <-overdue.C:
		}
		timer.Stop()
		return
	}
}

// singleReader reads a session's input by one goroutine at a time, since the SSH library tells only one of several that
// its channel is closed, and counts what comes without a pause.
type singleReader struct {
	session *channel
	mu      sync.Mutex
}

// Read waits until no other goroutine reads.
func (s *singleReader) Read(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, err := s.session.Channel.Read(p)
	if s.session.hasPaused() {
		s.session.burst.Store(0)
	}
	s.session.burst.Add(int64(n))
	s.session.inputAt.Store(time.Now().UnixNano())
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
	c.session.sent.Add(int64(n))
	c.session.frontEnd.sent(n)
	return n, err
}

// payAddress waits until the address's budget has paid a price. A session that is held up for maxOwed in all, without a
// pause of its client, ends: its input would cost time for minutes after the client has gone. The connection is closed
// too, unless the session has a terminal: its rest is read, so that the client's shell does not get it.
func (c *channel) payAddress(ctx context.Context, price int) {
	began := time.Now()
	ok := c.conn.server.addressLimits.Pay(ctx, c.conn.Source, price, maxOwed-time.Duration(c.heldUp.Load()))
	switch c.heldUp.Add(int64(time.Since(began))); {
	case ok:
	case c.asked.terminal == nil || c.isSkippingRest():
		c.conn.disconnect(limit.UnreadInput, errUnreadInput)
	default:
		c.heldUp.Store(0)
		c.reject(limit.UnreadInput)
		c.life.end(errUnreadInput)
	}
}

// priceOf returns what it costs to do what has come, and what the client was sent since the last time.
func (c *channel) priceOf(typed []byte) int {
	price := int(min(c.sent.Swap(0), maxOutput) / outputShare)
	if c.discards.Load() || c.isSkippingRest() {
		return price + (len(typed)+discardShare-1)/discardShare
	}
	lines := bytes.Count(typed, []byte("\n")) + bytes.Count(typed, []byte("\r"))
	return price + len(typed) + lines*linePrice
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
// client sends them one by one. While it is full, it holds the connection's byteBudget.
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

func (i *inputBuffer) fill(input io.Reader) {
	piece := make([]byte, inputPiece)
	for {
		n, err := input.Read(piece)
		if !i.keep(piece[:n], err) {
			return
		}
	}
}

// keep takes in a piece of the input, and waits while the input buffer is full. It is false when there is no need to
// read on.
func (i *inputBuffer) keep(piece []byte, err error) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.over {
		return false
	}
	i.kept.Write(piece)
	i.err = err
	i.changed.Broadcast()
	if err == nil && i.full() {
		i.budget.hold()
		defer i.budget.release()
	}
	for err == nil && i.full() {
		i.changed.Wait()
	}
	return err == nil && !i.over
}

func (i *inputBuffer) full() bool { return i.kept.Len() >= maxInputBuffer && !i.over }

// Read waits for input, if there is none.
func (i *inputBuffer) Read(p []byte) (int, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for i.kept.Len() == 0 && i.err == nil && !i.over {
		i.changed.Wait()
	}
	switch {
	case i.over:
		return 0, io.EOF
	case i.kept.Len() == 0:
		return 0, i.err
	}
	n, _ := i.kept.Read(p)
	if i.kept.Len() == 0 && i.kept.Cap() > smallInputBuffer {
		i.kept = bytes.Buffer{}
	}
	i.changed.Broadcast()
	return n, nil
}

// close ends the input for a goroutine that still reads: the session is over.
func (i *inputBuffer) close() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.over = true
	i.kept = bytes.Buffer{}
	i.changed.Broadcast()
}

// What a client may send at once, and then a second, while every session reads; and how long it may be held up without
// a session that reads, before its connection is closed.
const (
	inputAtOnce  = 64 << 10
	inputPace    = 64 << 10
	inputTimeout = 30 * time.Second
)

// byteBudget limits what the server reads from a connection ahead of its sessions. Each byte read costs one byte of the
// budget, which starts at inputAtOnce, grows by inputPace a second and never exceeds inputAtOnce. While it is negative,
// the connection is not read, so TCP slows the client down. While a session leaves input unread (hold), only bytes that
// sessions read (give) add to the budget, so about inputAtOnce bytes at most wait in memory. Its methods may be called
// from any goroutine.
type byteBudget struct {
	now func() time.Time

	mu         sync.Mutex
	remaining  float64 // bytes; less than none after a read that was larger
	at         time.Time
	waited     time.Duration // how long the client was held up since a session has read
	notReading int           // sessions that do not read just now; while there are any, time brings nothing
	refill     chan struct{} // has a value when more may come than before
}

func newByteBudget() *byteBudget {
	return &byteBudget{now: time.Now, remaining: inputAtOnce, at: time.Now(), refill: make(chan struct{}, 1)}
}

// take counts n bytes that have come.
func (b *byteBudget) take(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.grow()
	b.remaining -= float64(n)
}

// give counts n bytes that a session has read.
func (b *byteBudget) give(n int) {
	b.mu.Lock()
	b.remaining = min(inputAtOnce, b.remaining+float64(n))
	b.waited = 0
	b.mu.Unlock()
	b.wake()
}

// hold has time bring no more bytes until release is called: a session does not read.
func (b *byteBudget) hold() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.grow()
	b.notReading++
}

// release ends what one hold has begun.
func (b *byteBudget) release() {
	b.mu.Lock()
	b.grow()
	b.notReading--
	b.mu.Unlock()
	b.wake()
}

// wake has the waiting goroutine look again.
func (b *byteBudget) wake() {
	select {
	case b.refill <- struct{}{}:
	default:
	}
}

// wait waits until more may come, or gone is closed. It is false when the client has been held up for too long.
func (b *byteBudget) wait(gone <-chan struct{}) bool {
	for {
		pause, ok := b.pause()
		if pause <= 0 || !ok {
			return ok
		}
		began, timer := b.now(), time.NewTimer(pause)
		select {
		case <-timer.C:
		case <-b.refill:
		case <-gone:
			timer.Stop()
			return true // the read says so
		}
		timer.Stop()
		b.mu.Lock()
		b.waited += b.now().Sub(began)
		b.mu.Unlock()
	}
}

// pause is how long it takes until there is something left, and whether the client has not been held up for too long.
func (b *byteBudget) pause() (time.Duration, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.grow()
	if b.remaining < 0 && b.notReading > 0 {
		return inputTimeout - b.waited, b.waited < inputTimeout
	}
	return time.Duration(-b.remaining / inputPace * float64(time.Second)), b.waited < inputTimeout
}

func (b *byteBudget) grow() {
	now := b.now()
	if b.notReading == 0 {
		b.remaining = min(inputAtOnce, b.remaining+now.Sub(b.at).Seconds()*inputPace)
	}
	b.at = now
}
