package bots

import (
	"context"
	"errors"
	"time"
)

var errSilent = errors.New("the server says nothing")

// stay says and hears until the connection ends, or the bot has had enough of it.
func (b *bot) stay(ctx context.Context) error {
	quiet := b.crowd.quiet
	for {
		if err := b.act(); err != nil {
			return err
		}
		select {
		case line, open := <-b.link.ended:
			if !open {
				return nil
			}
			b.handle(line)
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

// act says the next line, if there is one to be said now.
func (b *bot) act() error {
	if b.request != nil || b.resting {
		return nil
	}
	line, more := b.next()
	b.crowd.note(b, more || !b.idle())
	if !more {
		return nil
	}
	b.request = &line
	b.late.Reset(answerTimeout)
	return b.link.say(line)
}

// idle reports whether nothing is left to be done for a player when it is quiet. A match that has not begun and has no
// code to give away would wait for ever.
func (b *bot) idle() bool {
	for _, g := range b.games {
		if g.begun || !g.shown || !g.private {
			return b.looksOn
		}
	}
	return b.calm || b.looksOn
}

// pause has the bot say nothing for a while.
func (b *bot) pause(d time.Duration) {
	b.resting = d > 0
	b.rest.Reset(max(d, 1))
}
