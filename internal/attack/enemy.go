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
	"sync/atomic"
	"time"

	"golang.org/x/crypto/ssh"
	"golang.org/x/sync/errgroup"

	"notakto/internal/rig"
	"notakto/internal/wire"
)

// report is the result of an attack, as the attacking process sees it.
type report struct {
	Figures []string
	Faults  []string
	Slowest map[string]time.Duration // the longest time of each kind of action
}

// String returns the figures and the longest times.
func (r report) String() string {
	all := slices.Clone(r.Figures)
	for _, kind := range slices.Sorted(maps.Keys(r.Slowest)) {
		all = append(all, fmt.Sprintf("%s %.1f s", kind, r.Slowest[kind].Seconds()))
	}
	return strings.Join(all, ", ")
}

// enemy is the attacker. The methods of enemy are the attacks and their tools, and run in the attacking process.
type enemy struct {
	options
	context.Context
	server rig.Process

	mu sync.Mutex // guards report
	report
}

func attackFrom(ctx context.Context, o options, out io.Writer) error {
	all := attacks()
	i := slices.IndexFunc(all, func(a attack) bool { return a.name == o.attack })
	e := &enemy{options: o, Context: ctx, server: rig.Process(o.pid)}
	e.Slowest = map[string]time.Duration{}
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

func (e *enemy) took(kind string, d time.Duration) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.Slowest[kind] = max(e.Slowest[kind], d)
}

// source returns one of 250 addresses of the attacker.
func source(n int) net.IP { return net.IPv4(127, 0, 1, byte(1+n%250)) }

func key(n int) ssh.Signer { return rig.Key(1_000_000 + n) }

// lasting returns a context that ends with the attack, after short seconds in the short run and 20 seconds in the long
// one.
func (e *enemy) lasting(short int) (context.Context, context.CancelFunc) {
	return context.WithTimeout(e, e.seconds(short, 20))
}

// many calls do n times, with at most atOnce calls at a time, and waits for all calls.
func (e *enemy) many(n, atOnce int, do func(i int)) {
	var running errgroup.Group
	running.SetLimit(atOnce)
	for i := range n {
		running.Go(func() error {
			if e.Err() == nil {
				do(i)
			}
			return nil
		})
	}
	_ = running.Wait()
}

var errNothing = errors.New("the attacker could do nothing")

// comeAgain makes each of n clients call do again and again while the attack lasts, for short seconds in the short run.
// It counts an error and pauses after it. The result is errNothing if no call succeeded.
func (e *enemy) comeAgain(short, n int, do func(attacked context.Context, i int) error) error {
	attacked, over := e.lasting(short)
	defer over()
	var done, failed atomic.Int64
	var first atomic.Value
	e.many(n, n, func(i int) {
		for attacked.Err() == nil {
			done.Add(1)
			if err := do(attacked, i); err != nil {
				failed.Add(1)
				first.CompareAndSwap(nil, err.Error())
				<-time.After(pollEvery)
			}
		}
	})
	e.figure("%d times, %d refused or cut, the first by: %v", done.Load(), failed.Load(), first.Load())
	if done.Load() == failed.Load() {
		return errNothing
	}
	return nil
}

// spent returns the processor time of the server during do, without the usual time of honest players.
func (e *enemy) spent(do func()) time.Duration {
	begun, before := time.Now(), e.server.Figures().CPU
	do()
	usual := time.Duration(e.usual * float64(time.Since(begun)))
	return max(0, e.server.Figures().CPU-before-usual)
}

// dial returns a connection from source n, before the first byte.
func (e *enemy) dial(n int) (*wire.Conn, error) { return wire.Dial(e, source(n), e.address, 0) }

// dialLoggedIn returns a connection from source n that is logged in with key n. receive is the size of its kernel
// buffer, 0 for the usual one.
func (e *enemy) dialLoggedIn(n, receive int) (*wire.Conn, error) {
	c, err := wire.Keyed(e, source(n), e.address, receive)
	if err != nil {
		return nil, err
	}
	if err := c.Login("mallory", key(n)); err != nil {
		_ = c.Close()
		return nil, err
	}
	return c, nil
}

// client is one of the attacker that obeys the SSH protocol.
func (e *enemy) client(address, player int) rig.Client {
	return rig.Client{Source: source(address), Address: e.address, User: "mallory", Key: key(player)}
}

// atTable returns a client at a table with the computer, on the full screen. A goroutine drops the output.
func (e *enemy) atTable(n int) (*ssh.Client, ssh.Channel, error) {
	client, shell, err := e.client(n, n).Begin(e, "xterm-256color", "play --computer random")
	if err == nil {
		go discard(shell)
	}
	return client, shell, err
}

func discard(shell ssh.Channel) { _, _ = io.Copy(io.Discard, shell) }
