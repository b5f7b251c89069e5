//go:build attack

package main

import (
	"io"
	"time"

	"golang.org/x/crypto/ssh"

	"notakto/internal/wire"
)

// storms sends window sizes without a pause in three states of a session.
func (e *enemy) storms() {
	states := map[string]func(ssh.Channel){
		"no terminal": func(ssh.Channel) {},
		"no shell":    func(c ssh.Channel) { _, _ = c.SendRequest("pty-req", true, wire.Terminal("xterm", 80, 24)) },
		"in the game": func(c ssh.Channel) { enterGame(c, 80, 24) },
		"at the end": func(c ssh.Channel) {
			enterGame(c, 80, 24)
			_, _ = io.WriteString(c, "\x03\x03qq")
		},
	}
	for name, reach := range states {
		e.many(10, 10, func(i int) { e.storm(i, name, reach) })
	}
}

// enterGame requests a terminal of a size, and the game on it.
func enterGame(shell ssh.Channel, columns, rows uint32) {
	_, _ = shell.SendRequest("pty-req", true, wire.Terminal("xterm-256color", columns, rows))
	_, _ = shell.SendRequest("shell", true, nil)
}

func (e *enemy) storm(n int, name string, reach func(ssh.Channel)) {
	client, shell, err := e.unasked(n)
	if err != nil {
		e.fault("open: %v", err)
		return
	}
	defer func() { _ = client.Close() }()
	go discard(shell)
	reach(shell)
	for range 3000 {
		if _, err := shell.SendRequest("window-change", false, wire.Size(100, 30)); err != nil {
			return
		}
	}
	if name != "at the end" && !ended(client, 2*time.Second) {
		e.fault("%s: 3,000 sizes without a pause and still open", name)
	}
}

// ended reports whether the server closes a connection within a time.
func ended(client *ssh.Client, within time.Duration) bool {
	gone := make(chan struct{})
	go func() {
		_ = client.Wait()
		close(gone)
	}()
	select {
	case <-gone:
		return true
	case <-time.After(within):
		return false
	}
}
