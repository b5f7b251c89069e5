package main

import (
	"context"
	"fmt"
	"net"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/ssh"
)

const (
	loginTimeout  = 60 * time.Second
	sourceClients = 10000 // connections from one loopback address, well below the ports there are
)

// client is one player's connection, session and terminal. It never looks at what it is sent: it counts bytes and notes when they came.
type client struct {
	conn     ssh.Conn
	channel  ssh.Channel
	times    *times
	received atomic.Int64
	pressed  atomic.Int64  // when the key that is not answered yet was written, see [times.now]; 0 if none is open
	news     chan struct{} // one slot; has a value after output that nobody has asked about yet
	step     int           // in the cursor's walk
}

// dial logs the player with that number in and asks for a terminal and a shell.
func dial(ctx context.Context, address string, number int, o Options, t *times) (*client, error) {
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, byte(1+number/sourceClients))}}
	conn, err := dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	c := &client{times: t, news: make(chan struct{}, 1)}
	if err := c.open(conn, number, o); err != nil {
		_ = conn.Close()
		return nil, err
	}
	return c, nil
}

func (c *client) open(conn net.Conn, number int, o Options) error {
	key, err := newSigner()
	if err != nil {
		return err
	}
	if err := conn.SetDeadline(time.Now().Add(loginTimeout)); err != nil {
		return err
	}
	// A server opens no channels to its players, so nobody waits for any: a goroutine less for each of thousands.
	var requests <-chan *ssh.Request
	c.conn, _, requests, err = ssh.NewClientConn(conn, conn.RemoteAddr().String(), &ssh.ClientConfig{
		User:            fmt.Sprintf("player%d", number),
		Auth:            []ssh.AuthMethod{ssh.PublicKeys(key)},
		HostKeyCallback: ssh.InsecureIgnoreHostKey(),
	})
	if err != nil {
		return err
	}
	go ssh.DiscardRequests(requests)
	if err := c.shell(o); err != nil {
		return err
	}
	return conn.SetDeadline(time.Time{})
}

func (c *client) shell(o Options) error {
	channel, requests, err := c.conn.OpenChannel("session", nil)
	if err != nil {
		return err
	}
	c.channel = channel
	go ssh.DiscardRequests(requests)
	terminal := ssh.Marshal(struct {
		Term                                 string
		Columns, Rows, PixelWidth, PixelRows uint32
		Modes                                string
	}{Term: "xterm-256color", Columns: uint32(o.Width), Rows: uint32(o.Height), Modes: "\x00"})
	locale := ssh.Marshal(struct{ Name, Value string }{"LANG", "en_GB.UTF-8"})
	if _, err := channel.SendRequest("env", false, locale); err != nil {
		return err
	}
	for _, request := range []struct {
		name    string
		payload []byte
	}{{"pty-req", terminal}, {"shell", nil}} {
		accepted, err := channel.SendRequest(request.name, true, request.payload)
		if err != nil {
			return err
		}
		if !accepted {
			return fmt.Errorf("%w refused %s", errServer, request.name)
		}
	}
	return nil
}
