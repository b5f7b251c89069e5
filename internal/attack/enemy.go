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

	"notakto/internal/botclient"
	"notakto/internal/rig"
	"notakto/internal/wire"
	"notakto/match"
	"notakto/rules"
	"notakto/sshapp/bot/botproto"
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
	if i < 0 {
		return fmt.Errorf("%w: no attack %.20q", errUsage, o.attack)
	}
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

// spread returns one of 62,500 addresses of the attacker.
func spread(n int) net.IP { return net.IPv4(127, 16, byte(n/250), byte(1+n%250)) }

// honest returns one of 250 addresses without an attacker.
func honest(n int) net.IP { return net.IPv4(127, 0, 6, byte(1+n%250)) }

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

// untilOver makes each of n attackers do something again and again until attacked ends. An error is counted and
// followed by a pause. untilOver returns how often do succeeded.
func (e *enemy) untilOver(attacked context.Context, n int, do func(i int) error) int64 {
	var done, failed atomic.Int64
	var first atomic.Value
	e.many(n, n, func(i int) {
		for attacked.Err() == nil {
			done.Add(1)
			if err := do(i); err != nil {
				failed.Add(1)
				first.CompareAndSwap(nil, err.Error())
				<-time.After(pollEvery)
			}
		}
	})
	e.figure("%d times, %d refused or cut, the first by: %v", done.Load(), failed.Load(), first.Load())
	return done.Load() - failed.Load()
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

// connect logs in, as a client that obeys the SSH protocol.
func (e *enemy) connect(address, player int) (*ssh.Client, error) {
	return rig.Login(e, source(address), e.address, "mallory", key(player))
}

// start logs in and starts a session with a command.
func (e *enemy) start(address, player int, term, command string) (*ssh.Client, ssh.Channel, error) {
	return rig.Begin(e, source(address), e.address, "mallory", key(player), term, command)
}

// atTable returns a client at a table with the computer, on the full screen. A goroutine drops the output.
func (e *enemy) atTable(n int) (*ssh.Client, ssh.Channel, error) {
	client, shell, err := e.start(n, n, "xterm-256color", "play --computer random")
	if err == nil {
		go discard(shell)
	}
	return client, shell, err
}

func (e *enemy) bot(address, player int) (*botclient.Client, error) {
	return rig.NewBot(e, source(address), e.address, "mallory", key(player))
}

func (e *enemy) guest(from net.IP) (*botclient.Client, error) {
	return rig.NewBot(e, from, e.address, "mallory", nil)
}

func discard(shell ssh.Channel) { _, _ = io.Copy(io.Discard, shell) }

// closesWithin drops the output of conn and reports whether the server closes conn within a time.
func closesWithin(conn net.Conn, within time.Duration) bool {
	_ = conn.SetReadDeadline(time.Now().Add(within))
	_, err := io.Copy(io.Discard, conn)
	var late net.Error
	return !errors.As(err, &late) || !late.Timeout()
}

const tableGame = "notakto/3"

// table opens a private table.
func table(host *botclient.Client) (botproto.Table, error) {
	if err := host.Send(botproto.Request{Do: botproto.DoCreate, Variant: tableGame}); err != nil {
		return botproto.Table{}, err
	}
	return botclient.Expect[botproto.Table](host)
}

// expect waits for an event of a type.
func expect[E botproto.Event](bot *botclient.Client) error {
	_, err := botclient.Expect[E](bot)
	return err
}

func beginAndResign(bot *botclient.Client) error {
	err := bot.Send(botproto.Request{Do: botproto.DoComputer, Variant: "notakto/1", Level: "random", Seat: rules.First})
	if err != nil {
		return err
	}
	received, err := botclient.Expect[botproto.Match](bot)
	if err != nil {
		return err
	}
	resign := botproto.Request{Do: botproto.DoResign, Match: received.Match}
	return errors.Join(bot.Send(resign), expect[botproto.End](bot))
}

// codeNumber returns a code of its own for each n.
func codeNumber(n int) match.Code {
	const letters = "CFHJKMPQRTVWXY3479"
	code := make([]byte, 6)
	for i := range code {
		code[i] = letters[n%len(letters)]
		n /= len(letters)
	}
	return match.Code(code)
}
