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

// maxInputBuffer limits the input that waits for a session's front end. An empty buffer keeps its memory up to
// smallInputBuffer.
const (
	maxInputBuffer   = 16 << 10
	smallInputBuffer = 1 << 10
	inputPiece       = 256 // bytes of one read by readAhead or discardRest
)

var errFaultyInput = errors.New("the input had a fault, which is in the server's log")

// input reads the bytes that the client of a session sends. Input has a price (see payFor). At the end of a session,
// discardRest may read and discard the rest of a paste.
//
// The full screen takes input at once, and reads the channel directly. Other front ends may read late or never. For
// these, readAhead reads into a bounded buffer in a goroutine, and also watches the keys of a person in line.
// Without readAhead, the SSH library would keep two megabytes of input, and a whole packet for each byte of a client
// that sends single bytes. The goroutine ends with the channel, or with the first piece that comes in the mode direct.
type input struct {
	session *channel
	from    io.Reader                  // the channel of the SSH library
	pay     func(context.Context, int) // waits until the session has paid a price, no wait for administrators
	share   limit.InputShare

	reading sync.Mutex // held while from is read, because a closing channel wakes only one reader

	mu      sync.Mutex
	changed sync.Cond
	mode    inputMode
	isAhead bool // readAhead runs
	buffer  bytes.Buffer
	err     error               // returned by Read after buffer, nil while more may come
	watch   func([]byte, error) // called with each piece in the mode watched

	heldUp    atomic.Int64 // nanoseconds that the session has waited to pay since the client's last pause
	sent      atomic.Int64 // bytes sent to the client since the last call of priceOf
	burst     atomic.Int64 // bytes that came without a pause of a second
	lastInput atomic.Int64 // when bytes last came or were paid for, in Unix nanoseconds
	discards  atomic.Bool  // the full screen discards input as part of a paste
}

type inputMode uint8

const (
	direct  inputMode = iota // Read takes input from the channel
	ahead                    // readAhead keeps input for Read, and holds the connection while the buffer is full
	watched                  // watch sees input before it is discarded, for free
)

func newInput(session *channel, from io.Reader) *input {
	i := &input{session: session, from: from, share: limit.NewInputShare()}
	i.changed.L = &i.mu
	if i.pay = i.payAddress; session.identity.role == cli.Administrator { // an import of matches is large
		i.pay = func(context.Context, int) {}
	}
	return i
}

func (i *input) Read(p []byte) (int, error) {
	i.mu.Lock()
	for i.isAhead && i.buffer.Len() == 0 && i.err == nil {
		i.changed.Wait()
	}
	if i.buffer.Len() == 0 && i.err == nil {
		i.mu.Unlock()
		n, err := i.receive(p)
		i.payFor(p[:n])
		return n, err
	}
	defer i.mu.Unlock()
	if i.buffer.Len() == 0 {
		return 0, i.err
	}
	n, _ := i.buffer.Read(p)
	if i.buffer.Len() == 0 && i.buffer.Cap() > smallInputBuffer {
		i.buffer = bytes.Buffer{}
	}
	i.changed.Broadcast()
	return n, nil
}

// setMode changes the mode. After a change to direct, Read first returns the buffer and the last piece of readAhead.
func (i *input) setMode(mode inputMode) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.mode = mode; mode != direct && !i.isAhead {
		i.isAhead = true
		go i.readAhead()
	}
	i.changed.Broadcast()
}

// fail ends the input. Read returns err, also to a goroutine that waits in Read.
func (i *input) fail(err error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.err, i.buffer = err, bytes.Buffer{}
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
		if !i.handle(piece[:n], err) {
			return
		}
	}
}

// handle passes on a piece according to the mode, waits while the buffer is full, and reports whether to read on.
func (i *input) handle(piece []byte, err error) (goesOn bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	defer func() { i.isAhead = goesOn }() // before i.mu is unlocked, since setMode reads isAhead
	if i.mode == watched {
		if i.watch(piece, err); err == nil {
			return true
		}
	}
	if err == nil {
		func() {
			i.mu.Unlock()
			defer i.mu.Lock() // also after a panic
			i.payFor(piece)
		}()
	}
	if i.err != nil {
		return false
	}
	i.buffer.Write(piece)
	i.err = err
	i.changed.Broadcast()
	isFull := func() bool { return i.mode == ahead && i.err == nil && i.buffer.Len() >= maxInputBuffer }
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
	i.lastInput.Store(time.Now().UnixNano())
	return n, err
}

func (i *input) sinceInput() time.Duration { return time.Since(time.Unix(0, i.lastInput.Load())) }

func (i *input) hasPaused() bool { return i.sinceInput() > time.Second }

// Prices of a session's input and of the work that the input causes, in bytes. The sessions of an address pay from one
// budget of bytes a second. Without that budget, many sessions of one address could take the processor from others.
//
// A read costs the number of its bytes, and linePrice for each line. The full screen also pays keyPrice for each byte
// of a key. The output since the last payment is part of the price, as one byte for outputShare bytes. Input that is
// discarded costs only one byte for discardShare bytes.
const (
	linePrice    = 160      // since a line may be a move to record
	keyPrice     = 32       // since a frame is drawn after a key
	outputShare  = 16       // bytes of output that cost as much as one byte of input
	maxOutput    = 64 << 10 // limits the output that a price counts, since a player's input causes little output
	discardShare = 32       // bytes of discarded input that cost as much as one byte of other input
)

// A session ends when its waits to pay, since the last pause of its client, would exceed maxPayWait in sum. Without
// that limit, the server would wait for minutes to charge the input of a client that has left.
const (
	maxPayWait  = 8 * time.Second
	clientPause = 10 * time.Millisecond // a read that waits longer is a pause of the client
)

// payFor counts input that the session has read, and waits until the session has paid for the input. Until then the
// session reads no more.
func (i *input) payFor(typed []byte) {
	if len(typed) == 0 {
		return
	}
	ch := i.session
	if ch.stats != nil {
		ch.stats.In.Add(uint64(len(typed)))
	}
	if ch.slot != nil {
		ch.slot.NoteTyped()
		if ch.identity.key != "" {
			ch.conn.server.onTyped(ch.identity.ID)
		}
	}
	ch.conn.budget.give(len(typed))
	ch.conn.budget.hold()
	defer ch.conn.budget.release()
	ctx := ch.life.ctx
	if i.isDiscardingRest() { // after the end of the session, input has a price too
		ctx = ch.conn.sessionsCtx
	}
	i.pay(ctx, i.priceOf(typed))
	i.lastInput.Store(time.Now().UnixNano())
}

// priceOf returns the price of typed, and of the output since the last call.
func (i *input) priceOf(typed []byte) int {
	price := int(min(i.sent.Swap(0), maxOutput) / outputShare)
	if i.discards.Load() || i.isDiscardingRest() {
		return price + (len(typed)+discardShare-1)/discardShare
	}
	lines := bytes.Count(typed, []byte("\n")) + bytes.Count(typed, []byte("\r"))
	return price + len(typed) + lines*linePrice
}

// payAddress waits until the budget of the address has paid price. If the session would have to wait for longer than
// maxPayWait, payAddress ends the session. For a session with a terminal, payAddress keeps the connection, because
// discardRest then reads the rest of the input to keep it from the client's shell. If the session has no terminal, or
// the wait is one of discardRest, payAddress disconnects the client.
func (i *input) payAddress(ctx context.Context, price int) {
	ch, began := i.session, time.Now()
	ok := ch.conn.server.addressLimits.Pay(
		ctx, ch.conn.Source, &i.share, price, maxPayWait-time.Duration(i.heldUp.Load()))
	switch i.heldUp.Add(int64(time.Since(began))); {
	case ok:
	case ch.asked.terminal == nil || i.isDiscardingRest():
		ch.conn.disconnect(limit.UnreadInput, errUnreadInput)
	default:
		i.heldUp.Store(0)
		ch.countRejection(limit.UnreadInput)
		ch.life.end(errUnreadInput)
	}
}

// A paste may end its session, by a key in the paste or by its size. The client's shell would run every line of the
// rest that the server does not read. Input is a paste if more than keyboardBurst bytes came without a pause of a
// second.
const (
	keyboardBurst  = 64                     // below inputPiece, since the first piece may end the session
	exitSilence    = 250 * time.Millisecond // or two round trips, if they take longer
	maxExitInput   = 8 << 20
	maxExitDiscard = 10 * time.Second
	forcedDiscard  = time.Second // for a session that is kicked, banned or has to make room
)

func (i *input) isDiscardingRest() bool {
	return i.session.asked.terminal != nil && i.session.life.ctx.Err() != nil
}

// discardRest reads and discards the rest of a paste at the end of a session with a terminal. The rest ends when no
// input comes for exitSilence. discardRest gives up after maxExitInput bytes, maxExitDiscard or forcedDiscard.
func (i *input) discardRest() {
	ch := i.session
	if ch.asked.terminal == nil || i.burst.Load() <= keyboardBurst || i.hasPaused() {
		return
	}
	discardTime := maxExitDiscard
	if cause := context.Cause(ch.life.ctx); isKicked(cause) || isBan(cause) || isGivingWay(cause) {
		discardTime = forcedDiscard
	}
	ch.life.end(nil)
	ended := make(chan struct{})
	go func() { // the front end's reader may still take a last piece
		defer close(ended)
		piece := make([]byte, inputPiece)
		for {
			n, err := i.receive(piece)
			if err != nil {
				return
			}
			i.payFor(piece[:n])
		}
	}()
	silence, most := max(exitSilence, 2*ch.conn.roundTrip.shortest()), i.burst.Load()+maxExitInput
	overdue := time.NewTimer(discardTime)
	defer overdue.Stop()
	for i.burst.Load() < most {
		wait := silence - i.sinceInput()
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
