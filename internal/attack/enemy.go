//go:build attack

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"

	"notakto/internal/attack/players"
	"notakto/internal/botclient"
	"notakto/internal/overlay"
	"notakto/internal/wire"
)

// report is the result of the attacking process.
type report struct {
	Figures []string
	Faults  []string
}

// enemy is the attacker: a separate process with a lower priority than the server and the honest players, as if it ran
// on another machine.
type enemy struct {
	options
	context.Context
	server process

	mu sync.Mutex
	report
}

var errUnknownAttack = errors.New("no such attack")

// attackFrom runs the attacking process and returns its error.
func attackFrom(ctx context.Context, o options, out io.Writer) error {
	all := attacks()
	i := slices.IndexFunc(all, func(a attack) bool { return a.name == o.attack })
	if i < 0 {
		return errUnknownAttack
	}
	e := &enemy{options: o, Context: ctx, server: process(o.pid)}
	if err := all[i].run(e); err != nil {
		e.fault("the attack went wrong: %v", err)
	}
	return json.NewEncoder(out).Encode(e.report)
}

func (e *enemy) figure(format string, args ...any) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.Figures = append(e.Figures, fmt.Sprintf(format, args...))
}

func (e *enemy) fault(format string, args ...any) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.Faults = append(e.Faults, fmt.Sprintf(format, args...))
}

// source returns one of the attacker's addresses.
func source(n int) net.IP { return net.IPv4(127, 0, 1, byte(1+n%250)) }

// spread returns one of 62,500 addresses.
func spread(n int) net.IP { return net.IPv4(127, 16, byte(n/250), byte(1+n%250)) }

// attackFor returns how long an attack lasts: short seconds in the short run, 20 in the long one.
func (e *enemy) attackFor(short int) time.Duration {
	return time.Duration(e.pick(short, 20)) * time.Second
}

// key returns one of the attacker's keys.
func key(n int) ssh.Signer { return players.Key(1_000_000 + n) }

// many calls do n times, atOnce of them concurrently.
func (e *enemy) many(n, atOnce int, do func(i int)) {
	var running sync.WaitGroup
	places := make(chan struct{}, atOnce)
	for i := range n {
		places <- struct{}{}
		running.Go(func() {
			defer func() { <-places }()
			if e.Err() == nil {
				do(i)
			}
		})
	}
	running.Wait()
}

// spent returns the processor time of the server during do, beyond the usual.
func (e *enemy) spent(do func()) time.Duration {
	begun, before := time.Now(), e.server.cpu()
	do()
	usual := time.Duration(e.usual * float64(time.Since(begun)))
	return max(0, e.server.cpu()-before-usual)
}

// raw returns a connection on which nothing was sent.
func (e *enemy) raw(n int) (*wire.Conn, error) { return wire.Dial(e, source(n), e.address, 0) }

// keyed returns a connection with keys, before the login.
func (e *enemy) keyed(n int) (*wire.Conn, error) { return wire.Keyed(e, source(n), e.address, 0) }

// inside returns a connection that is logged in.
func (e *enemy) inside(n int) (*wire.Conn, error) {
	c, err := e.keyed(n)
	if err != nil {
		return nil, err
	}
	if err := c.Login("mallory", key(n)); err != nil {
		_ = c.Close()
		return nil, err
	}
	return c, nil
}

// polite returns a correct client, for attacks that need no other.
func (e *enemy) polite(n int) (*ssh.Client, error) { return e.politeFrom(n, n) }

func (e *enemy) politeFrom(address, player int) (*ssh.Client, error) {
	return players.Login(e, source(address), e.address, "mallory", key(player))
}

// unasked returns a correct client with a session channel without a request.
func (e *enemy) unasked(n int) (*ssh.Client, ssh.Channel, error) {
	client, err := e.polite(n)
	if err != nil {
		return nil, nil, err
	}
	shell, err := botclient.OpenChannel(client)
	if err != nil {
		_ = client.Close()
	}
	return client, shell, err
}

// discard drops all output.
func discard(shell ssh.Channel) { _, _ = io.Copy(io.Discard, shell) }

// closed drops output until the server closes a connection; false if that takes longer than within.
func closed(conn net.Conn, within time.Duration) bool {
	_ = conn.SetReadDeadline(time.Now().Add(within))
	_, err := io.Copy(io.Discard, conn)
	var late net.Error
	return !errors.As(err, &late) || !late.Timeout()
}

// slowest holds the longest times of several kinds of actions.
type slowest struct {
	sync.Mutex
	times map[string]time.Duration
}

func (s *slowest) took(kind string, d time.Duration) {
	s.Lock()
	defer s.Unlock()
	if s.times == nil {
		s.times = map[string]time.Duration{}
	}
	s.times[kind] = max(s.times[kind], d)
}

func (s *slowest) String() string {
	s.Lock()
	defer s.Unlock()
	var all []string
	for _, kind := range slices.Sorted(maps.Keys(s.times)) {
		all = append(all, fmt.Sprintf("%s %.1f s", kind, s.times[kind].Seconds()))
	}
	return strings.Join(all, ", ")
}

// amendments simulate an unsteady machine: every twenty minutes its clock jumps an hour ahead, and in one minute of
// twenty each commit takes 20 ms more, as on a slow disk. Measured durations do not change, as when a clock is set.
var amendments = [...]overlay.Change{
	{File: "time/time.go", From: "\tsec, nsec, mono := runtimeNow()\n\tif mono == 0 {",
		To: "\tsec, nsec, mono := runtimeNow()\n\tsec += mono / 1200e9 * 3600\n\tif mono == 0 {"},
	{File: "database/sql/sql.go", From: "func (s *Stmt) ExecContext(ctx context.Context, args ...any) (Result, error) {\n",
		To: "func (s *Stmt) ExecContext(ctx context.Context, args ...any) (Result, error) {\n" +
			"\tif s.query == \"COMMIT\" && time.Now().Unix()/60%20 == 19 {\n\t\ttime.Sleep(20 * time.Millisecond)\n\t}\n"},
}
