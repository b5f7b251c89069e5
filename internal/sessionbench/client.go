package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/ssh"

	"notakto/internal/rig"
	"notakto/internal/wire"
)

const (
	loginTimeout  = 60 * time.Second
	sourceClients = 10000   // connections from one loopback address, well below the number of ports
	unlimited     = 1 << 30 // bytes that the server may send in a session, more than any run needs
)

var errSilent = errors.New("nothing came from the server")

// client is one player's connection and session. Its only goroutine reads packets and calls onData for output.
type client struct {
	conn    *wire.Conn
	channel uint32       // the server's number of the session channel
	pressed atomic.Int64 // the time of the unanswered key in Unix nanoseconds, 0 without one
	typed   int          // keys pressed
	onData  func()
}

// dial logs in as player number and opens a session with a command, or the lobby without one.
func dial(ctx context.Context, address string, number int, command string) (*client, error) {
	ctx, cancel := context.WithTimeout(ctx, loginTimeout)
	defer cancel()
	conn, err := wire.Keyed(ctx, net.IPv4(127, 0, 0, byte(1+number/sourceClients)), address, 0)
	if err != nil {
		return nil, err
	}
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	c := &client{conn: conn}
	if err := c.open(number, command); err != nil {
		_ = conn.Close()
		return nil, err
	}
	return c, nil
}

func (c *client) open(number int, command string) error {
	err := c.conn.Login(fmt.Sprintf("player%d", number), rig.Key(number))
	if err != nil {
		return err
	}
	if c.channel, err = c.conn.Session(0, unlimited); err != nil {
		return err
	}
	locale := ssh.Marshal(struct{ Name, Value string }{"LANG", "en_GB.UTF-8"})
	if err := c.conn.Send(wire.Request(c.channel, "env", false, locale)); err != nil {
		return err
	}
	if command != "bot" && command != "plain" {
		if err := c.ask("pty-req", wire.Terminal("xterm-256color", 80, 24)); err != nil {
			return err
		}
	}
	if command == "" {
		return c.ask("shell", nil)
	}
	return c.ask("exec", ssh.Marshal(struct{ Command string }{command}))
}

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

// listen reads until the connection ends, and answers the server's keep-alive requests.
func (c *client) listen() {
	for {
		packet, err := c.conn.Next()
		if err != nil {
			return
		}
		switch packet[0] {
		case wire.MsgData:
			c.onData()
		case wire.MsgGlobal:
			if c.conn.Send([]byte{wire.MsgGlobalFailed}) != nil {
				return
			}
		}
	}
}

func (c *client) send(text string) error { return c.conn.Send(wire.Data(c.channel, []byte(text))) }
