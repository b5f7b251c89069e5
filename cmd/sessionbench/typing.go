package main

import (
	"context"
	"errors"
	"io"
	"time"
)

var errSilent = errors.New("nothing came from the server")

const answerTimeout = 10 * time.Second

// listen reads until the session ends.
func (c *client) listen() {
	var screen [512]byte
	for {
		n, err := c.channel.Read(screen[:])
		if n > 0 {
			c.hear(n)
		}
		if err != nil {
			return
		}
	}
}

func (c *client) hear(n int) {
	if pressed := c.pressed.Swap(0); pressed != 0 {
		c.times.answer(pressed)
	}
	c.received.Add(int64(n))
	select {
	case c.news <- struct{}{}:
	default:
	}
}

// forget lets [client.settle] wait for output that comes from now on.
func (c *client) forget() {
	select {
	case <-c.news:
	default:
	}
}

// settle waits for output that ends in a silence of the length given; [errSilent] if none comes.
func (c *client) settle(ctx context.Context, silence time.Duration) error {
	patience := time.NewTimer(answerTimeout)
	defer patience.Stop()
	select {
	case <-c.news:
	case <-patience.C:
		return errSilent
	case <-ctx.Done():
		return ctx.Err()
	}
	quiet := time.NewTimer(silence)
	defer quiet.Stop()
	for {
		select {
		case <-c.news:
			quiet.Reset(silence)
		case <-quiet.C:
			return nil
		case <-patience.C: // a screen that never rests is as good as one that does
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// press types a key and times its answer. A key pressed while an earlier one is unanswered is timed with that one.
func (c *client) press(key string) error {
	if c.pressed.CompareAndSwap(0, c.times.now()) {
		c.times.ask()
	}
	_, err := io.WriteString(c.channel, key)
	return err
}
