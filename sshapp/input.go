package sshapp

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"notakto/match/limit"
	"notakto/sshapp/cli"
)

// All sessions of an address share one budget of bytes a second, so that many sessions of one address do not take the
// processor from others. A session pays for its input and for the work that the input causes. Each line has a price,
// since it may be a move to record. Each key on the full screen has one, since a frame is drawn after it. The output
// has one too. Prices are in bytes of input.
const (
	linePrice   = 160
	keyPrice    = 32              // of a byte that the key reader does not drop
	outputShare = 16              // bytes sent for the price of one
	maxOutput   = 64 << 10        // the most that a session pays for at once: others at its tables cause most output
	maxOwed     = 8 * time.Second // how long a session may wait to pay while its client does not pause
	clientPause = 10 * time.Millisecond

	discardShare = 32 // bytes thrown away unread for the price of one
)

// A paste may end its session, by a key in it or because it is too large. If the session then ended in the middle of
// the paste, the client's shell would read the rest and run its lines. So a session with a terminal reads on before it
// ends, if it got more than keyboardBurst bytes without a pause of a second. It reads until nothing has come for
// exitSilence, and at most maxExitInput bytes within maxExitDrain. A session that is kicked, banned or has to make room
// reads on for forcedDrain at most.
const (
	keyboardBurst = 64                     // far below inputPiece: the first piece of a paste may end the session
	exitSilence   = 250 * time.Millisecond // or two round trips, if they take longer
	maxExitDrain  = 10 * time.Second
	forcedDrain   = time.Second
	maxExitInput  = 8 << 20
)

// maxInputBuffer limits the input that waits for a session's front end. An empty buffer keeps its memory if that is no
// more than smallInputBuffer.
const (
	maxInputBuffer   = 16 << 10
	smallInputBuffer = 1 << 10
	inputPiece       = 256 // that is read at once
)

var errFaultyInput = errors.New("the input had a fault, which is in the server's log")

// input reads the bytes that the client of a session types or sends. Reading is no faster than the budget of the
// client's address allows.
//
// The full screen reads the channel directly, since it takes input at once. Other front ends may read late or never, so
// a goroutine reads ahead into a bounded buffer. Without that goroutine, the SSH library would keep two megabytes of
// input, and a whole packet for each byte that a client sends alone. The goroutine also watches the keys of a person in
// line. The goroutine ends with the channel, or with the first piece that comes in the mode direct.
type input struct {
	session *channel
	from    io.Reader                  // the channel of the SSH library
	pay     func(context.Context, int) // waits until the session has paid a price

	reading sync.Mutex // held during a read of from: when the channel closes, the library wakes only one reader

	mu      sync.Mutex
	changed sync.Cond
	mode    inputMode
	isAhead bool                // readAhead runs
	kept    bytes.Buffer        // read ahead
	err     error               // that Read returns after kept; nil while more may come
	watch   func([]byte, error) // is called with each piece that comes while the mode is watched

	heldUp   atomic.Int64 // nanoseconds for which the session has waited to pay, since its client last paused
	sent     atomic.Int64 // bytes sent to the client since the last call of priceOf
	burst    atomic.Int64 // bytes that came without a pause of a second
	cameAt   atomic.Int64 // when the latest bytes came or were paid for, in Unix nanoseconds
	discards atomic.Bool  // the full screen throws input away, as part of a paste
}

// inputMode says where pieces of input go.
type inputMode uint8

const (
	direct  inputMode = iota // Read takes input from the channel
	ahead                    // readAhead keeps input for Read; while the buffer is full, the connection is held up
	watched                  // watch sees input, which is then thrown away and costs nothing
)

// newInput returns the input of a session, read from the channel of the SSH library.
func newInput(session *channel, from io.Reader) *input {
	i := &input{session: session, from: from}
	i.changed.L = &i.mu
	if i.pay = i.payAddress; session.who.role == cli.Administrator { // an import of matches is large
		i.pay = func(context.Context, int) {}
	}
	return i
}

// Read implements [io.Reader].
func (i *input) Read(p []byte) (int, error) {
	i.mu.Lock()
	for i.isAhead && i.kept.Len() == 0 && i.err == nil {
		i.changed.Wait()
	}
	if i.kept.Len() == 0 && i.err == nil {
		i.mu.Unlock()
		n, err := i.receive(p)
		i.note(p[:n])
		return n, err
	}
	defer i.mu.Unlock()
	if i.kept.Len() == 0 {
		return 0, i.err
	}
	n, _ := i.kept.Read(p)
	if i.kept.Len() == 0 && i.kept.Cap() > smallInputBuffer {
		i.kept = bytes.Buffer{}
	}
	i.changed.Broadcast()
	return n, nil
}

// set changes the mode. After a change to direct, Read first returns what was kept, and the piece for which readAhead
// waits.
func (i *input) set(mode inputMode) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.mode = mode; mode != direct && !i.isAhead {
		i.isAhead = true
		go i.readAhead()
	}
	i.changed.Broadcast()
}

// fail ends the input: Read returns err, also for a goroutine that waits in it.
func (i *input) fail(err error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.err, i.kept = err, bytes.Buffer{}
	i.changed.Broadcast()
}

// readAhead reads until the mode is direct or the input ends. A panic ends the session, not the server.
func (i *input) readAhead() {
	defer func() {
		fault := recover()
		if fault != nil {
			i.session.logPanic("input")(fault)
		}
		i.mu.Lock()
		defer i.mu.Unlock()
		if fault != nil {
			i.err, i.isAhead = errFaultyInput, false
		}
		i.changed.Broadcast()
	}()
	piece := make([]byte, inputPiece)
	for {
		n, err := i.receive(piece)
		if !i.keep(piece[:n], err) {
			return
		}
	}
}

// keep handles a piece as the mode demands, and waits while the buffer is full. It reports whether to read on.
func (i *input) keep(piece []byte, err error) (goesOn bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	defer func() { i.isAhead = goesOn }() // before mu is unlocked, so that set knows whether readAhead goes on
	if i.mode == watched {
		if i.watch(piece, err); err == nil {
			return true
		}
	}
	if err == nil {
		func() {
			i.mu.Unlock()
			defer i.mu.Lock() // also after a panic
			i.note(piece)
		}()
	}
	if i.err != nil {
		return false
	}
	i.kept.Write(piece)
	i.err = err
	i.changed.Broadcast()
	isFull := func() bool { return i.mode == ahead && i.err == nil && i.kept.Len() >= maxInputBuffer }
	if isFull() {
		i.session.conn.budget.hold()
		defer i.session.conn.budget.release()
	}
	for isFull() {
		i.changed.Wait()
	}
	return i.mode != direct && i.err == nil
}

// receive reads from the channel, for one goroutine at a time, and counts the bytes that come without a pause.
func (i *input) receive(p []byte) (int, error) {
	i.reading.Lock()
	defer i.reading.Unlock()
	began := time.Now()
	n, err := i.from.Read(p)
	if time.Since(began) > clientPause {
		i.heldUp.Store(0)
	}
	if i.hasPaused() {
		i.burst.Store(0)
	}
	i.burst.Add(int64(n))
	i.cameAt.Store(time.Now().UnixNano())
	return n, err
}

// note counts input that the session has read, and waits until it is paid for.
func (i *input) note(typed []byte) {
	if len(typed) == 0 {
		return
	}
	c := i.session
	if c.frontEnd != nil {
		c.frontEnd.In.Add(uint64(len(typed)))
	}
	c.slot.NoteTyped()
	c.conn.budget.give(len(typed))
	c.conn.budget.hold()
	defer c.conn.budget.release()
	ctx := c.life.ctx
	if i.isSkippingRest() { // input costs something after the end of the session too
		ctx = c.conn.sessionsCtx
	}
	i.pay(ctx, i.priceOf(typed))
	i.cameAt.Store(time.Now().UnixNano())
}

// sincePiece returns the time since input last came or was paid for.
func (i *input) sincePiece() time.Duration { return time.Since(time.Unix(0, i.cameAt.Load())) }

// hasPaused reports whether the client has sent nothing for a second.
func (i *input) hasPaused() bool { return i.sincePiece() > time.Second }

// isSkippingRest reports whether the session is over and what comes is thrown away.
func (i *input) isSkippingRest() bool {
	return i.session.asked.terminal != nil && i.session.life.ctx.Err() != nil
}

// priceOf returns the price of typed, and of what the client was sent since the last call.
func (i *input) priceOf(typed []byte) int {
	price := int(min(i.sent.Swap(0), maxOutput) / outputShare)
	if i.discards.Load() || i.isSkippingRest() {
		return price + (len(typed)+discardShare-1)/discardShare
	}
	lines := bytes.Count(typed, []byte("\n")) + bytes.Count(typed, []byte("\r"))
	return price + len(typed) + lines*linePrice
}

// payAddress waits until the address's budget has paid price. A session ends if it has waited for maxOwed in all
// without a pause of its client. Otherwise its input would cost time for minutes after the client has gone. Without a
// terminal, the connection is closed too. With a terminal, the rest of the input is read, so that the client's shell
// does not get it.
func (i *input) payAddress(ctx context.Context, price int) {
	c, began := i.session, time.Now()
	ok := c.conn.server.addressLimits.Pay(ctx, c.conn.Source, price, maxOwed-time.Duration(i.heldUp.Load()))
	switch i.heldUp.Add(int64(time.Since(began))); {
	case ok:
	case c.asked.terminal == nil || i.isSkippingRest():
		c.conn.disconnect(limit.UnreadInput, errUnreadInput)
	default:
		i.heldUp.Store(0)
		c.reject(limit.UnreadInput)
		c.life.end(errUnreadInput)
	}
}

// skipRest reads what is left of a paste, before the session ends.
func (i *input) skipRest() {
	c := i.session
	if c.asked.terminal == nil || i.burst.Load() <= keyboardBurst || i.hasPaused() {
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
			n, err := i.receive(piece)
			if err != nil {
				return
			}
			i.note(piece[:n])
		}
	}()
	silence, most := max(exitSilence, 2*c.conn.roundTrip.least()), i.burst.Load()+maxExitInput
	overdue := time.NewTimer(drain)
	defer overdue.Stop()
	for i.burst.Load() < most {
		wait := silence - i.sincePiece()
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
