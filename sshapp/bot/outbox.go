package bot

import (
	"context"
	"io"
	"time"
)

const (
	maxUnsent = 64      // lines
	batchSize = 4 << 10 // bytes that are written at once, give or take a line
)

// outbox is what was said and not written yet. Its one writer takes as many lines at once as there are, so that a busy
// session costs few packets.
type outbox struct {
	ctx   context.Context
	stall time.Duration
	lines chan []byte
	done  chan struct{} // closed when the writer has ended
	err   error         // why, if it was not finish; to be read once done is closed
	slow  bool
}

func newOutbox(ctx context.Context, stall time.Duration) *outbox {
	return &outbox{ctx: ctx, stall: stall, lines: make(chan []byte, maxUnsent), done: make(chan struct{})}
}

// run writes until finish was called and everything is written, or a write fails.
func (o *outbox) run(out io.Writer) {
	o.err = ErrInternal // if Write panics
	defer close(o.done)
	batch := make([]byte, 0, batchSize)
	for first := range o.lines {
		batch = o.gather(append(batch[:0], first...))
		if _, o.err = out.Write(batch); o.err != nil {
			return
		}
	}
	o.err = nil
}

// gather adds the lines that are there already.
func (o *outbox) gather(batch []byte) []byte {
	for len(batch) < batchSize {
		select {
		case text, open := <-o.lines:
			if !open {
				return batch
			}
			batch = append(batch, text...)
		default:
			return batch
		}
	}
	return batch
}

// put queues a line. If the queue stays full for too long the bot is too slow: [ErrSlow].
func (o *outbox) put(text []byte) error {
	select {
	case o.lines <- text:
		return nil
	default:
	}
	timer := time.NewTimer(o.stall)
	defer timer.Stop()
	select {
	case o.lines <- text:
		return nil
	case <-o.done:
		return o.err
	case <-o.ctx.Done():
		return errStopped
	case <-timer.C:
		o.slow = true
		return ErrSlow
	}
}

// finish waits until everything is written, though not for ever. Nothing may be put after it.
func (o *outbox) finish() error {
	close(o.lines)
	if o.slow {
		return ErrSlow
	}
	timer := time.NewTimer(o.stall)
	defer timer.Stop()
	select {
	case <-o.done:
		return o.err
	case <-timer.C:
		return ErrSlow
	}
}
