//go:build attack

package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"
	"golang.org/x/time/rate"

	"notakto/sshapp/bot/botproto"
)

func leavingAttacks() []attack {
	return []attack{
		{name: "kept", memory: 10, run: (*enemy).keepConnection,
			holds: "a closed channel ends its game, costs nothing and is told within 3 s"},
		{name: "ahead", memory: 18, run: (*enemy).typeAhead, holds: "keys typed ahead of the end leave nothing behind"},
		{name: "cuts", memory: 12, run: (*enemy).cuts, holds: "a connection cut at any moment leaves nothing behind"},
	}
}

// keepConnection ends a channel in two ways and keeps the connection without a session; the server's idle use is
// measured for a second.
func (e *enemy) keepConnection() error {
	const clients = 10
	ways := []struct {
		name string
		end  func(*ssh.Client, ssh.Channel)
	}{
		{"close", func(_ *ssh.Client, shell ssh.Channel) { _ = shell.Close() }},
		{"end of input", func(_ *ssh.Client, shell ssh.Channel) { _ = shell.CloseWrite() }},
		{"cut", func(client *ssh.Client, _ ssh.Channel) { _ = client.Close() }},
	}
	var slow slowest
	e.many(len(ways)*clients, 1, func(i int) {
		way := ways[i%len(ways)]
		took, err := e.missed(i, way.end)
		if err != nil {
			e.fault("%s: %v", way.name, err)
		} else if took > 3*time.Second {
			e.fault("%s: the opponent was told after %v", way.name, took)
		}
		slow.took(way.name, took)
	})
	spent := e.spent(func() { <-time.After(time.Second) })
	e.figure("told after: %v; %.0f %% of a core afterwards", &slow, 100*spent.Seconds())
	if spent > 300*time.Millisecond {
		e.fault("%v of processor time in a second without a session", spent)
	}
	return nil
}

// missed joins a bot's table on the full screen, ends the screen's channel and waits until the bot is notified.
func (e *enemy) missed(n int, end func(*ssh.Client, ssh.Channel)) (time.Duration, error) {
	o, err := e.sitOpposite(n)
	if err != nil {
		return 0, err
	}
	defer o.Close()
	time.AfterFunc(e.limit()+3*time.Second, func() { _ = o.client.Close() }) // keeps the connection for a while
	go discard(o.shell)
	begun := time.Now()
	end(o.client, o.shell)
	for {
		received, err := o.ExpectAny(botproto.Presence{}.Name(), botproto.End{}.Name())
		if err != nil {
			return 0, fmt.Errorf("await the absence: %w", err)
		}
		presence, is := received.(botproto.Presence)
		if !is {
			return 0, fmt.Errorf("no absence before the end, %.1f s later", time.Since(begun).Seconds())
		}
		if !presence.Present {
			return time.Since(begun), nil
		}
	}
}

// gamesASecond is how many games start while keys are typed ahead. Each is recorded and synced to the disk several
// times; the attack tests what they leave behind, not how many matches a second a disk can store.
const gamesASecond = 16

// leakage is how many MB more may be used when the same is repeated.
const leakage = 5

// typeAhead types a thousand keys and quits, or disconnects, before they are read. When these games are over it repeats
// that: by then all resources of the first ones must be free again.
func (e *enemy) typeAhead() error {
	n := e.pick(100, 500)
	e.leaveAhead(n)
	first := e.server.peak()
	<-time.After(goneAfter)
	e.leaveAhead(n)
	more := float64(e.server.peak()-first) / 1024
	e.figure("%d times, and again for %.1f MB more", n, more)
	if more > leakage {
		e.fault("doing it again takes %.1f MB more", more)
	}
	return nil
}

func (e *enemy) leaveAhead(n int) {
	pace := rate.NewLimiter(gamesASecond, 1)
	e.many(n, 1, func(i int) {
		if pace.Wait(e) != nil {
			return
		}
		client, shell, err := e.atTable(i)
		if err != nil {
			e.fault("sit down: %v", err)
			return
		}
		defer func() { _ = client.Close() }()
		ahead := strings.Repeat("hjkl", 250)
		switch i % 4 {
		case 0:
			ahead = "\x03" + ahead
		case 1:
			ahead = "q" + "y" + ahead
		case 2:
			ahead += "\x03"
		}
		_, _ = io.WriteString(shell, ahead)
		if i%2 == 0 {
			_ = shell.CloseWrite()
		}
	})
}
