package sshapp

import (
	"strings"
	"sync"

	"notakto/sshapp/limit"
	"notakto/sshapp/terminal"

	gossh "golang.org/x/crypto/ssh"
)

// serveRequests answers the channel's requests until the client closes it, without ever waiting for the session, then
// waits for the session's end. A client that asks for too much is hung up on, once its session has had time to say so.
func (c *channel) serveRequests(requests <-chan *gossh.Request, session func()) {
	var running sync.WaitGroup
	defer running.Wait()
	defer close(c.windows)
	defer c.life.end(nil)
	flooded := false
	for request := range requests {
		if !flooded && !c.cost.requests.Allow() {
			flooded = true
			c.conn.disconnect(limit.TooManyRequests, errTooManyRequests)
		}
		if flooded {
			continue // until nothing more is on its way
		}
		began := c.asked.started
		_ = request.Reply(c.answerRequest(request), nil)
		if c.asked.started && !began {
			running.Go(session) // not before the reply: a short session might close the channel first
		}
	}
}

// answerRequest does what a request asks for, or refuses it.
func (c *channel) answerRequest(request *gossh.Request) (ok bool) {
	switch {
	case request.Type == "window-change":
		return c.resizeTo(request.Payload)
	case forwards(request.Type):
		c.conn.reject(limit.ChannelRefused, "request", shortened(request.Type))
		return false
	case c.asked.started: // the session relies on the rest to stay as it is
		return false
	}
	switch request.Type {
	case "shell", "exec":
		c.asked.started = c.readCommand(request)
		return c.asked.started
	case "subsystem": // taken, so that a word of refusal can be sent
		c.asked.started, c.asked.isSubsystem = true, true
		return true
	case "pty-req":
		return c.readTerminal(request)
	case "env":
		c.asked.env, ok = c.asked.env.With(request.Payload)
	}
	return ok
}

// forwards reports whether a request asks for something to be forwarded. Others that mean nothing here are left to
// SSH's own refusal, without a word in the log: many clients have some of their own.
func forwards(request string) bool {
	return request == "auth-agent-req@openssh.com" || request == "x11-req" || strings.Contains(request, "forward")
}

func (c *channel) readTerminal(request *gossh.Request) bool {
	pty, ok := terminal.ReadPTY(request.Payload)
	if !ok || c.asked.terminal != nil {
		return false
	}
	c.asked.terminal = &pty
	return true
}

// maxCommand is the longest command line that is read.
const maxCommand = 4096

func (c *channel) readCommand(request *gossh.Request) bool {
	if request.Type == "shell" {
		return true
	}
	var payload struct{ Command string }
	if gossh.Unmarshal(request.Payload, &payload) != nil {
		return false
	}
	c.asked.command = payload.Command
	// taken, so that a word of refusal can be sent
	if c.asked.isTooLong = len(c.asked.command) > maxCommand; c.asked.isTooLong {
		c.asked.command = strings.Clone(c.asked.command[:maxCommand])
	}
	return true
}

// resizeTo puts a new size in the place of one that was not read yet. The request loop is the only one that puts sizes
// there.
func (c *channel) resizeTo(payload []byte) bool {
	window, ok := terminal.ReadWindow(payload)
	if !ok || c.asked.terminal == nil {
		return false
	}
	select {
	case <-c.windows:
	default:
	}
	c.windows <- window
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.inbox.resized != nil {
		c.inbox.resized()
	}
	return true
}

// onResize has tell called, from the request loop, whenever there is a new size. It must not wait.
func (c *channel) onResize(tell func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.inbox.resized = tell
}
