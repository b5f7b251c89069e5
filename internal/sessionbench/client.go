package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/ssh"

	"notakto/internal/wire"
)

const (
	loginTimeout  = 60 * time.Second
	sourceClients = 10000   // connections from one loopback address, well below the number of ports
	window        = 1 << 30 // bytes that the server may send, more than it ever does
)

// client is one player's connection, session and terminal. It does not interpret what it receives: it counts bytes and
// records when they arrived. It shares the machine with the measured server, so it does as little as possible: one
// goroutine reads, with none in between.
type client struct {
	conn     *wire.Conn
	channel  uint32 // the server's number for it
	times    *times
	received atomic.Int64
	pressed  atomic.Int64  // when the key that has no answer yet was written, see [times.now]; 0 if there is none
	news     chan struct{} // one slot; has a value after output that was not waited for yet
	step     int           // in the cursor's walk
}

// dial logs in the player with that number and requests a terminal and a shell.
func dial(ctx context.Context, address string, number int, o Options, t *times) (*client, error) {
	ctx, cancel := context.WithTimeout(ctx, loginTimeout)
	defer cancel()
	conn, err := wire.Keyed(ctx, net.IPv4(127, 0, 0, byte(1+number/sourceClients)), address, 0)
	if err != nil {
		return nil, err
	}
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	c := &client{conn: conn, times: t, news: make(chan struct{}, 1)}
	if err := c.open(number, o); err != nil {
		_ = conn.Close()
		return nil, err
	}
	return c, nil
}

func (c *client) open(number int, o Options) error {
	key, err := newSigner()
	if err != nil {
		return err
	}
	if err := c.conn.Login(fmt.Sprintf("player%d", number), key); err != nil {
		return err
	}
	if c.channel, err = c.conn.Session(0, window); err != nil {
		return err
	}
	locale := ssh.Marshal(struct{ Name, Value string }{"LANG", "en_GB.UTF-8"})
	if err := c.conn.Send(wire.Request(c.channel, "env", false, locale)); err != nil {
		return err
	}
	if !o.Pipe {
		if err := c.ask("pty-req", wire.Terminal("xterm-256color", uint32(o.Width), uint32(o.Height))); err != nil {
			return err
		}
	}
	if o.Command != "" {
		return c.ask("exec", ssh.Marshal(struct{ Command string }{o.Command}))
	}
	return c.ask("shell", nil)
}

// ask sends a request on the session's channel and waits for the answer.
func (c *client) ask(name string, payload []byte) error {
	if err := c.conn.Send(wire.Request(c.channel, name, true, payload)); err != nil {
		return err
	}
	answer, err := c.conn.Await(wire.MsgDone, wire.MsgFailed)
	if err == nil && answer[0] == wire.MsgFailed {
		err = fmt.Errorf("%w refused %s", errServer, name)
	}
	return err
}

// send types keys.
func (c *client) send(keys string) error { return c.conn.Send(wire.Data(c.channel, []byte(keys))) }

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
