package sshapp

import (
	"context"
	"errors"
	"io"
	"net"
	"sync"
	"time"

	"charm.land/ssh"
	"github.com/anmitsu/go-shlex"
	gossh "golang.org/x/crypto/ssh"
	"golang.org/x/time/rate"
)

// errExited says that a session's exit status has been sent.
var errExited = errors.New("the session has ended")

// channel is a session channel as a session: an implementation of ssh.Session. The library's own is not used because its request loop
// can be made to wait for the program, to keep what it is sent without bound, and to race with the reader of the window's size.
//
// Its fields are set by the request loop before the handler runs and not changed after.
type channel struct {
	gossh.Channel
	conn     *gossh.ServerConn
	ctx      ssh.Context
	link     *connection
	visit    *visit
	input    io.Reader // the channel's, or what is left of it after a wait
	terminal *ssh.Pty
	env      environ
	command  string
	files    bool            // a file transfer is asked for, which no door gives
	started  bool            // the session's door has been chosen
	life     context.Context // ends when the client has closed the channel; ctx is the connection's
	pace     *rate.Limiter   // of what the session reads
	windows  chan ssh.Window // holds the newest size only; closed when the channel is

	mu      sync.Mutex
	exited  bool
	resized func() // what to do when windows has a new size; it must not wait
}

var _ ssh.Session = (*channel)(nil)

func (c *channel) User() string                 { return c.conn.User() }
func (c *channel) RemoteAddr() net.Addr         { return c.conn.RemoteAddr() }
func (c *channel) LocalAddr() net.Addr          { return c.conn.LocalAddr() }
func (c *channel) Environ() []string            { return append([]string(nil), c.env...) }
func (c *channel) RawCommand() string           { return c.command }
func (c *channel) Subsystem() string            { return "" }
func (c *channel) Context() ssh.Context         { return c.ctx }
func (c *channel) Permissions() ssh.Permissions { return *c.ctx.Permissions() }
func (c *channel) EmulatedPty() bool            { return c.terminal != nil }

// Signals does nothing: no signal of a client means anything here.
func (c *channel) Signals(chan<- ssh.Signal) {}

// Break does nothing, like Signals.
func (c *channel) Break(chan<- bool) {}

// Command is the command split as a shell would; nil if its quotes do not match.
func (c *channel) Command() []string {
	words, err := shlex.Split(c.command, true)
	if err != nil {
		return nil
	}
	return words
}

// PublicKey is the key that was proven at login, or nil for a guest.
func (c *channel) PublicKey() ssh.PublicKey {
	key, _ := c.ctx.Value(ssh.ContextKeyPublicKey).(ssh.PublicKey)
	return key
}

// Pty is the terminal as the client described it, and the sizes it takes later: the newest only, however slowly they are read.
func (c *channel) Pty() (ssh.Pty, <-chan ssh.Window, bool) {
	if c.terminal == nil {
		return ssh.Pty{}, c.windows, false
	}
	return *c.terminal, c.windows, true
}

// Read reads what the client types or sends, no faster than any session needs it.
func (c *channel) Read(p []byte) (int, error) {
	n, err := c.input.Read(p)
	if n > 0 {
		c.link.input.give(n)
		c.slow(n)
	}
	return n, err
}

// slow holds up a session that is sent much, until the session ends.
func (c *channel) slow(n int) {
	pause := c.pace.ReserveN(time.Now(), min(n, readBurst)).Delay()
	if pause <= 0 {
		return
	}
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-c.life.Done():
	}
}

// Write sends p; on a terminal a line ends with a carriage return too.
func (c *channel) Write(p []byte) (int, error) {
	if c.terminal != nil {
		return ssh.NewPtyWriter(c.Channel).Write(p)
	}
	return c.Channel.Write(p)
}

// Stderr is the client's standard error.
func (c *channel) Stderr() io.ReadWriter {
	if c.terminal != nil {
		return ssh.NewPtyReadWriter(c.Channel.Stderr())
	}
	return c.Channel.Stderr()
}

// Exit sends the exit status and closes the channel.
func (c *channel) Exit(code int) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.exited {
		return errExited
	}
	c.exited = true
	status := struct{ Status uint32 }{uint32(code)}
	_, err := c.SendRequest("exit-status", false, gossh.Marshal(&status))
	return errors.Join(err, c.Close())
}

// serveRequests answers the channel's requests until the client closes it, without ever waiting for the session, then waits for the
// session's end. It hangs up on a client that asks so often that only a fault or malice explains it.
func (c *channel) serveRequests(requests <-chan *gossh.Request, session func()) {
	var running sync.WaitGroup
	defer running.Wait()
	defer close(c.windows)
	life, end := context.WithCancel(context.Background())
	defer end()
	c.life = life
	pace := rate.NewLimiter(requestRate, requestBurst)
	flooded := false
	for request := range requests {
		if flooded = flooded || !pace.Allow(); flooded {
			c.link.hangUp(tooManyRequests)
			continue // until nothing more is on its way
		}
		began := c.started
		_ = request.Reply(c.answer(request), nil)
		if c.started && !began {
			running.Go(session) // not before the reply: a short session might close the channel first
		}
	}
}

// answer does what a request asks for, or refuses it.
func (c *channel) answer(request *gossh.Request) (ok bool) {
	switch {
	case request.Type == "window-change":
		return c.resize(request.Payload)
	case c.started: // the session relies on the rest to stay as it is
		return false
	}
	switch request.Type {
	case "shell", "exec":
		c.started = c.readCommand(request)
		return c.started
	case "subsystem": // taken, so that a word of refusal can be sent
		c.started, c.files = true, true
		return true
	case "pty-req":
		return c.readTerminal(request)
	case "env":
		c.env, ok = c.env.with(request.Payload)
	}
	return ok
}

func (c *channel) readTerminal(request *gossh.Request) bool {
	terminal, ok := readPTY(request.Payload)
	if !ok || c.terminal != nil {
		return false
	}
	c.terminal = &terminal
	return true
}

// requestRate is how many requests a second a channel may make, window changes above all; requestBurst may come at once.
const (
	requestRate  rate.Limit = 100
	requestBurst int        = 200
)

// readRate is how many bytes a second a session reads, far more than any game needs; readBurst may come at once.
const (
	readRate  rate.Limit = 64 << 10
	readBurst int        = 64 << 10
)

// maxCommand is the longest command line that is read.
const maxCommand = 4096

func (c *channel) readCommand(request *gossh.Request) bool {
	if request.Type == "shell" {
		return true
	}
	var payload struct{ Command string }
	if gossh.Unmarshal(request.Payload, &payload) != nil || len(payload.Command) > maxCommand {
		return false
	}
	c.command = payload.Command
	return true
}

// resize puts a new size in the place of one that was not read yet. The request loop is the only one that puts sizes there.
func (c *channel) resize(payload []byte) bool {
	window, ok := readWindow(payload)
	if !ok || c.terminal == nil {
		return false
	}
	select {
	case <-c.windows:
	default:
	}
	c.windows <- window
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.resized != nil {
		c.resized()
	}
	return true
}

// onResize has tell called, from the request loop, whenever there is a new size. It must not wait.
func (c *channel) onResize(tell func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.resized = tell
}
