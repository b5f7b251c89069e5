package load

import (
	"context"
	"errors"
	"time"
)

var errSilent = errors.New("the server does not answer")

// stay sends and receives until the connection ends, or the bot tries another server.
func (b *bot) stay(ctx context.Context) error {
	quiet := b.load.quiet
	for {
		if err := b.act(); err != nil {
			return err
		}
		select {
		case event, open := <-b.client.Events():
			if !open {
				return nil
			}
			b.handle(event)
		case <-b.rest.C:
			b.resting = false
		case <-b.late.C:
			return errSilent
		case <-quiet:
			quiet = nil
		case <-ctx.Done():
			return ctx.Err()
		}
		if b.tired {
			return nil
		}
	}
}

// act sends the next request, if it is time for one.
func (b *bot) act() error {
	if b.request != nil || b.resting {
		return nil
	}
	line, more := b.next()
	b.load.note(b, more || !b.idle())
	if !more {
		return nil
	}
	b.request = &line
	b.late.Reset(answerTimeout)
	return b.client.Send(line)
}

// idle reports whether a player has nothing left to do when it is quiet. A match that has not started and has no code
// to offer would wait for ever.
func (b *bot) idle() bool {
	for _, g := range b.games {
		if g.begun || !g.shown || !g.private {
			return b.spectates
		}
	}
	return b.calm && b.pairs.between == "" && b.pairs.seedOf == "" || b.spectates
}

// pause makes the bot send nothing for a while.
func (b *bot) pause(d time.Duration) {
	b.resting = d > 0
	b.rest.Reset(max(d, 1))
}
