package main

import (
	"context"
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
	if err := c.ask("pty-req", wire.Terminal("xterm-256color", uint32(o.Width), uint32(o.Height))); err != nil {
		return err
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
