package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/ssh"
	"golang.org/x/sync/errgroup"

	"notakto/internal/rig"
	"notakto/internal/wire"
)

const (
	loginsAtOnce  = 32    // few, because a handshake keeps the CPU busy
	sourceClients = 10000 // connections from one loopback address, well below the number of ports
	answerTimeout = 30 * time.Second
	rest          = time.Second // pause between phases, for pending work
	unlimited     = 1 << 30     // bytes that the server may send in a session, more than any run needs
)

var errEnded = errors.New("the session ended before its first output")

// fleet holds the clients of one server, with sessions of one kind.
type fleet struct {
	*server
	kind
	number    int // of the first player; a player who returns costs more than a new one
	clients   []*client
	listening sync.WaitGroup

	mu    sync.Mutex
	taken rig.Times // from keys to their answers
}

// client is one player's connection and session. Its only goroutine reads packets.
type client struct {
	*wire.Conn
	channel uint32        // the server's number of the session channel
	shown   chan struct{} // closed after the first output
	gone    chan struct{} // closed when the connection has ended
	pressed atomic.Int64  // the time of the unanswered key in Unix nanoseconds, 0 without one
	typed   int           // keys pressed
}

func (c *client) send(text string) error { return c.Send(wire.Data(c.channel, []byte(text))) }

// grow logs clients in until there are count, and waits for the first output of each.
func (f *fleet) grow(count int) {
	group, ctx := errgroup.WithContext(f.ctx)
	group.SetLimit(loginsAtOnce)
	for i := len(f.clients); i < count && f.err == nil; i++ {
		c := &client{shown: make(chan struct{}), gone: make(chan struct{})}
		f.clients = append(f.clients, c)
		group.Go(func() error {
			if err := f.open(ctx, c, f.number+i); err != nil {
				return fmt.Errorf("session %d: %w", i, err)
			}
			return nil
		})
	}
	err := group.Wait()
	f.do(func() error { return err })
}

// open logs in as player number, and waits for the first output of a session with the command, or of the lobby.
func (f *fleet) open(ctx context.Context, c *client, number int) (err error) {
	ctx, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	c.Conn, err = wire.Keyed(ctx, net.IPv4(127, 0, 0, byte(1+number/sourceClients)), f.Address("address"), 0)
	if err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { _ = c.Close() })()
	if err = c.Login(fmt.Sprintf("player%d", number), rig.Key(number)); err != nil {
		return err
	}
	if c.channel, err = c.Session(0, unlimited); err != nil {
		return err
	}
	name, command := "exec", ssh.Marshal(struct{ Command string }{f.command})
	if f.command == "" {
		name, command = "shell", nil
	}
	locale := ssh.Marshal(struct{ Name, Value string }{"LANG", "en_GB.UTF-8"})
	err = c.Send(wire.Request(c.channel, "env", false, locale))
	if err == nil && !f.noTerminal {
		err = c.Send(wire.Request(c.channel, "pty-req", false, wire.Terminal("xterm-256color", 80, 24)))
	}
	if err == nil {
		err = c.Send(wire.Request(c.channel, name, false, command))
	}
	if err != nil {
		return err
	}
	f.listening.Go(func() { f.listen(c) })
	select {
	case <-c.shown:
		return nil
	case <-c.gone:
		return errEnded
	case <-ctx.Done():
		return ctx.Err()
	}
}

// listen reads until the connection ends, times the answers to keys, and answers the server's keep-alive requests.
func (f *fleet) listen(c *client) {
	defer close(c.gone)
	for isShown := false; ; {
		packet, err := c.Next()
		if err != nil {
			return
		}
		switch packet[0] {
		case wire.MsgData:
			if !isShown {
				close(c.shown)
			}
			isShown = true
			if pressed := c.pressed.Swap(0); pressed != 0 {
				f.mu.Lock()
				f.taken = append(f.taken, time.Duration(time.Now().UnixNano()-pressed))
				f.mu.Unlock()
			}
		case wire.MsgGlobal:
			if c.Send([]byte{wire.MsgGlobalFailed}) != nil {
				return
			}
		}
	}
}

// leaveVisit leads the sessions from the index first on to the lobby, because a new player comes to the first visit.
// They go one after the other, because a crowd that draws at once leaves the server with more memory.
func (f *fleet) leaveVisit(first int) {
	if !f.isVisit {
		return
	}
	for i := first; i < len(f.clients); i++ {
		f.do(func() error { return f.clients[i].send("q") })
		f.pause(time.Millisecond)
	}
	f.pause(rest)
}

// press presses rate keys a second for a window, however slow the server is. Sessions take turns, and each presses the
// two keys of its kind in turn. A session times one key at a time. taken has the sorted times from a key to the next
// output, and answerTimeout for each key without an answer. total is the number of keys pressed.
func (f *fleet) press(rate int) (taken rig.Times, total int) {
	order := rand.Perm(len(f.clients))
	interval := time.Second / time.Duration(rate)
	asked := 0 // keys to time
	total = int(f.window() / interval)
	begin := time.Now()
	for sent := 0; sent < total && f.err == nil; {
		for due := min(total, 1+int(time.Since(begin)/interval)); sent < due; sent++ {
			c := f.clients[order[sent%len(order)]]
			if c.pressed.CompareAndSwap(0, time.Now().UnixNano()) {
				asked++
			}
			key := [...]string{f.down, f.up}[c.typed%2]
			c.typed++
			f.do(func() error { return c.send(key) })
		}
		f.pause(time.Until(begin.Add(time.Duration(sent) * interval)))
	}
	for late := time.Now().Add(answerTimeout); f.err == nil; f.pause(time.Millisecond) {
		f.mu.Lock()
		taken = f.taken
		f.mu.Unlock()
		if len(taken) >= asked || time.Now().After(late) {
			break
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	taken, f.taken = f.taken, nil
	for len(taken) < asked {
		taken = append(taken, answerTimeout)
	}
	slices.Sort(taken)
	return taken, total
}

func (f *fleet) close() {
	for _, c := range f.clients {
		if c.Conn != nil {
			_ = c.Close()
		}
	}
	f.listening.Wait()
}
