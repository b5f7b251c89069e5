//go:build attack

package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/ssh"

	"notakto/internal/attack/players"
	"notakto/internal/botclient"
	"notakto/internal/wire"
	"notakto/match"
	"notakto/rules"
	"notakto/sshapp/bot/botproto"
)

func crowdAttacks() []attack {
	cases := []struct {
		name, what string
		runs       runs
		crowd
	}{
		{"bot-pings", "100 bots that ping 1,000 times a second each", always, crowd{
			command: "bot", text: line(`{"do":"ping","n":1}`, 10),
		}},
		{"bot-state", "100 bots that ask for a match of nine boards 1,000 times a second each", onDemand, crowd{
			command: "bot", begin: askState,
		}},
		{"bot-seeks", "100 bots that seek 1,000 times a second each, with all seats of their address taken", onDemand, crowd{
			command: "bot", begin: seekInVain,
		}},
		{"classic-flood", "100 sessions of classic that read lines without end", longOnly, crowd{
			command: "classic two", text: line("", 16<<10), unpaced: true,
		}},
		{"plain-help", "100 sessions that ask for all help without end, and come back when they are cut", longOnly, crowd{
			command: "plain", text: line("help all", 1), unpaced: true,
		}},
		{"tui-keys", "100 full screens with 250 Tabs a second each", longOnly, crowd{
			term: "xterm-256color", text: "\t\t\t\t\t", every: 20 * time.Millisecond,
		}},
		{"tui-keys-many", "300 full screens from three addresses with 250 Tabs a second each", always, crowd{
			sessions: 300, term: "xterm-256color", text: "\t\t\t\t\t", every: 20 * time.Millisecond,
		}},
		{"wide-keys", "300 full screens from 30 addresses with 250 Tabs a second each", always, crowd{
			sessions: 300, each: 10, term: "xterm-256color", text: "\t\t\t\t\t", every: 20 * time.Millisecond,
		}},
		{"wide-pings", "300 bots from 30 addresses that ping 1,000 times a second each", longOnly, crowd{
			sessions: 300, each: 10, command: "bot", text: line(`{"do":"ping","n":1}`, 10),
		}},
		{"wide-classic", "300 sessions of classic from 30 addresses that read lines without end", longOnly, crowd{
			sessions: 300, each: 10, command: "classic two", text: line("", 16<<10), unpaced: true,
		}},
		{"wide-help", "300 sessions from 30 addresses that ask for all help without end", longOnly, crowd{
			sessions: 300, each: 10, command: "plain", text: line("help all", 1), unpaced: true,
		}},
	}
	var all []attack
	for _, c := range cases {
		all = append(all, attack{
			name: c.name, memory: 120, visitors: elsewhere, fair: true, runs: c.runs, run: c.run,
			holds: c.what + ", within all limits, take no time from others",
		})
	}
	return append(all, attack{
		name: "wide-logins", memory: 120, visitors: elsewhere, fair: true, runs: longOnly, run: (*enemy).logInWidely,
		holds: "30 addresses that log in as often as they may take no time from others",
	}, attack{
		name: "wide-cards", memory: 120, visitors: elsewhere, fair: true, runs: longOnly, run: (*enemy).askCards,
		holds: "30 addresses that have as many matches drawn as they may begin sessions take no time from others",
	}, attack{
		name: "wide-reviews", memory: 120, visitors: elsewhere, fair: true, runs: longOnly, run: (*enemy).askReviews,
		holds: "300 sessions from 30 addresses that ask for reviews of a long match without end, within all limits, " +
			"take no time from others",
	})
}

// logInWidely logs in repeatedly from 30 addresses, each as often as the server allows.
func (e *enemy) logInWidely() error {
	const addresses, each = 30, 4
	attacked, over := context.WithTimeout(e, e.attackFor(6))
	defer over()
	var came, refused atomic.Int64
	e.many(addresses*each, addresses*each, func(i int) {
		for attacked.Err() == nil {
			client, err := e.politeFrom(i/each, i)
			if err != nil {
				refused.Add(1)
				<-time.After(pollEvery)
				continue
			}
			came.Add(1)
			_ = client.Close()
		}
	})
	e.figure("%d logins, %d refused", came.Load(), refused.Load())
	return nil
}

func line(text string, times int) string { return strings.Repeat(text+"\n", times) }

// crowd is many sessions that repeatedly send the same text.
type crowd struct {
	sessions      int // 100 if it is 0
	each          int // per address; 100 if it is 0
	term, command string
	text          string
	every         time.Duration // interval between a session's texts; 10 ms if it is 0
	unpaced       bool          // as often as the server reads
	lasting       time.Duration // duration of the attack; the usual one if it is 0

	// begin returns the text, if it depends on what the session receives.
	begin func(n int, shell ssh.Channel) (text string, err error)
}

// run makes all sessions send their text until the attack is over. A session that the server ends is replaced.
func (c crowd) run(e *enemy) error {
	const usual = 100
	if c.sessions == 0 {
		c.sessions = usual
	}
	if c.each == 0 {
		c.each = usual
	}
	if c.every == 0 {
		c.every = 10 * time.Millisecond
	}
	if c.lasting == 0 {
		c.lasting = e.attackFor(6)
	}
	over := time.Now().Add(c.lasting)
	var sent, came, refused atomic.Int64
	var why atomic.Value
	e.many(c.sessions, c.sessions, func(i int) {
		for first := true; time.Now().Before(over) && e.Err() == nil; first = false {
			if !first {
				<-time.After(pollEvery)
			}
			n, err := c.session(e, i, i/c.each, over)
			sent.Add(n)
			if came.Add(1); err != nil {
				refused.Add(1)
				why.CompareAndSwap(nil, err.Error())
			}
		}
	})
	e.figure("%d sessions, %d refused or cut, %d KB sent", came.Load(), refused.Load(), sent.Load()>>10)
	if first := why.Load(); first != nil {
		e.figure("the first by: %v", first)
	}
	if sent.Load() == 0 {
		e.fault("no session sent anything")
	}
	return nil
}

// session runs one session of a crowd, from its login until the server closes it or the attack is over. It returns how
// many bytes it sent.
func (c crowd) session(e *enemy, n, address int, over time.Time) (sent int64, err error) {
	client, err := e.politeFrom(address, n)
	if err != nil {
		return 0, err
	}
	defer func() { _ = client.Close() }()
	defer time.AfterFunc(time.Until(over), func() { _ = client.Close() }).Stop() // a write may block
	shell, err := botclient.Start(client, c.term, c.command)
	if err != nil {
		return 0, err
	}
	text := c.text
	if c.begin != nil {
		if text, err = c.begin(n, shell); err != nil {
			return 0, err
		}
	}
	go discard(shell)
	ticker := time.NewTicker(c.every)
	defer ticker.Stop()
	for time.Now().Before(over) {
		written, err := io.WriteString(shell, text)
		if sent += int64(written); err != nil {
			return sent, err
		}
		if !c.unpaced {
			<-ticker.C
		}
	}
	return sent, nil
}

// computerMatch opens a match against the computer, and returns its ID.
func computerMatch(shell ssh.Channel) (match.ID, error) {
	request := botproto.Request{Do: botproto.DoComputer, Variant: "notakto/9", Level: "random", Seat: rules.First}
	line, err := request.Encode()
	if err != nil {
		return "", err
	}
	if _, err := shell.Write(line); err != nil {
		return "", err
	}
	lines := bufio.NewScanner(shell)
	for lines.Scan() {
		event, err := botproto.ParseEvent(lines.Bytes())
		if err != nil {
			return "", err
		}
		switch event := event.(type) {
		case botproto.Match:
			return event.Match, nil
		case botproto.Error:
			return "", &botclient.RefusedError{Event: event}
		}
	}
	return "", cmp.Or(lines.Err(), io.EOF)
}

func askState(_ int, shell ssh.Channel) (text string, err error) {
	id, err := computerMatch(shell)
	return line(fmt.Sprintf(`{"do":"state","match":%q}`, id), 10), err
}

// seekInVain takes two seats. A hundred sessions use up all seats of an address.
func seekInVain(_ int, shell ssh.Channel) (text string, err error) {
	for range 2 {
		_, err := computerMatch(shell)
		var full *botclient.RefusedError
		if err != nil && !errors.As(err, &full) {
			return "", err
		}
	}
	return line(`{"do":"seek","variant":"notakto/9"}`, 10), nil
}

const (
	visitPause = 100 * time.Millisecond
	comeBack   = time.Second      // delay after a rejection
	waitsFor   = 15 * time.Second // limit after the attack
)

// visitors log in during an attack, one after the other whether the previous one has succeeded or not. A rejected one
// tries again.
type visitors struct {
	from    from
	address string

	running sync.WaitGroup
	mu      sync.Mutex
	took    players.Times // of those who logged in
	at      int           // how many logged in at the first try
	faults  []string
}

// come starts visitors until open ends, to one server after the other. Those not logged in when ctx ends have failed.
func come(ctx, open context.Context, to ...*visitors) {
	for n := 0; open.Err() == nil; n++ {
		v := to[n%len(to)]
		v.running.Go(func() { v.visit(ctx, n) })
		select {
		case <-open.Done():
		case <-time.After(visitPause):
		}
	}
}

func (v *visitors) visit(ctx context.Context, n int) {
	at := net.IPv4(127, 0, 2, byte(1+n%250))
	if v.from == beside {
		at = source(0)
	}
	begun := time.Now()
	for try := 1; ; try++ {
		err := players.Visit(ctx, at, v.address, players.Key(2_000_000+n))
		v.mu.Lock()
		switch {
		case err == nil:
			v.took = append(v.took, time.Since(begun))
			if try == 1 {
				v.at++
			}
		case ctx.Err() != nil || v.from != beside:
			v.faults = append(v.faults, fmt.Sprintf("a login failed after %.1f s: %v", time.Since(begun).Seconds(), err))
		default:
			v.mu.Unlock()
			<-time.After(comeBack)
			continue
		}
		v.mu.Unlock()
		return
	}
}

// wait waits for the last of them, and returns the durations of all successful logins.
func (v *visitors) wait() players.Times {
	v.running.Wait()
	slices.Sort(v.took)
	return v.took
}

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
