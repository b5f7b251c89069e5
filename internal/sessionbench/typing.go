package main

import (
	"context"
	"errors"
	"time"

	"notakto/internal/wire"
)

var errSilent = errors.New("nothing came from the server")

const answerTimeout = 10 * time.Second

// listen reads until the connection ends, and answers the server's keep-alive requests.
func (c *client) listen() {
	for {
		packet, err := c.conn.Next()
		if err != nil {
			return
		}
		switch packet[0] {
		case wire.MsgData:
			c.receive(len(packet) - dataHead)
		case wire.MsgGlobal:
			if c.conn.Send([]byte{wire.MsgGlobalFailed}) != nil {
				return
			}
		}
	}
}

// dataHead is the length of the header of a data packet: its type, the channel's number and the length.
const dataHead = 9

func (c *client) receive(n int) {
	if pressed := c.pressed.Swap(0); pressed != 0 {
		c.times.answer(pressed)
	}
	c.received.Add(int64(n))
	select {
	case c.news <- struct{}{}:
	default:
	}
}

// forget makes [client.settle] wait for output from now on.
func (c *client) forget() {
	select {
	case <-c.news:
	default:
	}
}

// settle waits for output that ends in a silence of the given length; [errSilent] if there is none.
func (c *client) settle(ctx context.Context, silence time.Duration) error {
	timeout := time.NewTimer(answerTimeout)
	defer timeout.Stop()
	select {
	case <-c.news:
	case <-timeout.C:
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
		case <-timeout.C: // a screen that never stops changing counts as settled
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// press types a key and measures its answer. A key pressed before an earlier one is answered is measured with that one.
func (c *client) press(key string) error {
	if c.pressed.CompareAndSwap(0, c.times.now()) {
		c.times.ask()
	}
	return c.send(key)
}
