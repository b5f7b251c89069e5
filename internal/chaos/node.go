package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"notakto/internal/chaos/history"
	"notakto/internal/interrupt"
	"notakto/internal/rig"
)

var (
	errPorts     = errors.New("no port of this run is left")
	errUnsettled = errors.New("players still have something to do")
	errAlone     = errors.New("no player came back")
	errStuck     = errors.New("a table tries again and again what cannot be recorded")
)

// node is one server of a stage. A call of start begins a new process. The data directory, the port and the log file
// stay.
type node struct {
	*rig.Server // the present process, nil before the first start

	number  int
	name    string
	address string
	data    string // directory
	binary  string
	args    []string
	env     []string // added to the environment of this process
	log     *os.File
	book    *history.Book

	took []time.Duration // the startups of earlier processes

	mu    sync.Mutex
	stuck time.Time            // last time that a table failed twice within stuckTime
	fails map[string]time.Time // by match, last time that its table failed to record a scheduled event
}

// newNode creates server i, with its data and its log in the working directory, and does not start it.
func (s *stage) newNode(i int) (*node, error) {
	port, err := s.freePort()
	if err != nil {
		return nil, err
	}
	name := fmt.Sprintf("server%d", i)
	n := &node{
		number: i, name: name, address: fmt.Sprintf("127.0.0.1:%d", port), data: filepath.Join(s.dir, name),
		binary: s.binary, book: s.book, fails: map[string]time.Time{},
	}
	n.args = append([]string{
		"serve", "--listen", n.address, "--log-format", "logfmt",
		"--computer-pause", "0s", "--grace", s.grace.String(), "--drain", "2s",
		"--max-sessions-per-address", "5000", "--max-sessions-per-key", "100",
		"--max-match-rate", "1000000", "--max-input-rate", "1000000",
	}, s.store(n)...)
	if s.scenario.name == "clocks" {
		n.env = []string{fmt.Sprintf("%s=%d", clockVariable, i*3600)}
	}
	n.log, err = os.Create(filepath.Join(s.dir, name+".log"))
	return n, err
}

// store returns the flags that name the store of a server.
func (s *stage) store(n *node) []string {
	flags := []string{"--data", n.data}
	if s.cluster != nil {
		flags = append(flags, "--database", s.cluster.url(n.number))
	}
	return flags
}

// command runs a command of the program, such as check, on the store of a server that does not run.
func (s *stage) command(ctx context.Context, name string, n *node) error {
	return tool(ctx, n.binary, append([]string{name}, s.store(n)...)...)
}

// freePort returns an unused port of this run, a new one at each call. The process ID selects the range of 20 ports, to
// keep concurrent runs apart. The ports lie below the range for outgoing connections, because another program could
// otherwise take the port of a server that is down.
func (s *stage) freePort() (int, error) {
	const portsOfRun = 20
	var all []error
	for ; s.ports < portsOfRun; s.ports++ {
		port := 10_000 + os.Getpid()%1000*portsOfRun + s.ports
		l, err := net.Listen("tcp4", fmt.Sprintf("127.0.0.1:%d", port))
		if err == nil {
			s.ports++
			return port, l.Close()
		}
		all = append(all, err)
	}
	return 0, errors.Join(append(all, errPorts)...)
}

// start starts the program. To wait until players can connect, call reachable.
func (n *node) start() (err error) {
	cmd := exec.Command(n.binary, n.args...)
	cmd.Env = append(os.Environ(), n.env...)
	n.took = n.startups()
	fmt.Fprintf(n.log, "--- %s starts at %s\n", n.name, time.Now().Format(time.StampMicro))
	n.book.Add(history.Entry{What: history.Done, Note: history.Started + " " + n.name})
	n.Server, err = rig.Start(cmd, n.note)
	return err
}

// reachable waits until players can connect.
func (n *node) reachable(ctx context.Context) error {
	return n.named(n.Ready(ctx))
}

func (n *node) named(err error) error {
	if err != nil {
		return fmt.Errorf("%s: %w", n.name, err)
	}
	return nil
}

// end sends a signal and waits for the end of the process.
func (n *node) end(sig syscall.Signal) error {
	n.book.Add(history.Entry{What: history.Done, Note: fmt.Sprintf("%v %s", sig, n.name)})
	if err := n.named(n.Stop(sig)); err != nil {
		return err
	}
	n.book.Add(history.Entry{What: history.Done, Note: "ended " + n.name})
	return nil
}

// startups returns the time from each start to its ready line.
func (n *node) startups() []time.Duration {
	if n.Server == nil || !n.IsReady() {
		return n.took
	}
	return append(n.took, n.Startup())
}

// note copies a line of the log to the file, and updates fails and stuck if it says that a table could not record a
// scheduled event.
func (n *node) note(line string) {
	fmt.Fprintln(n.log, line)
	if !strings.Contains(line, "could not record the next event") {
		return
	}
	_, match, _ := strings.Cut(line, " match=")
	match, _, _ = strings.Cut(match, " ")
	n.mu.Lock()
	defer n.mu.Unlock()
	now := time.Now()
	if now.Sub(n.fails[match]) < stuckTime {
		n.stuck = now
	}
	n.fails[match] = now
}

// stuckTime limits how long a server may fail to record scheduled events after the last fault.
const stuckTime = 5 * time.Second

// calm waits until stuckTime after quiet, and returns errStuck if a server still fails to record scheduled events.
func (s *stage) calm(ctx context.Context, quiet time.Time) error {
	if err := interrupt.Pause(ctx, time.Until(quiet.Add(stuckTime))); err != nil {
		return err
	}
	for _, n := range s.nodes {
		n.mu.Lock()
		stuck := n.stuck
		n.mu.Unlock()
		if time.Since(stuck) < stuckTime/2 {
			return fmt.Errorf("%w at %s:\n%s", errStuck, n.name, n.Tail())
		}
	}
	return nil
}

// settled waits until all matches have ended.
func (s *stage) settled(ctx context.Context) error {
	select {
	case <-s.load.Settled():
		return nil
	case <-time.After(s.settle):
		return fmt.Errorf("%d %w after %v in which nothing was broken", s.load.Busy(), errUnsettled, s.settle)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// back waits until any server has welcomed a player. back fails if the process of one ends or a minute passes before.
func (s *stage) back(ctx context.Context, one *node) error {
	const within = time.Minute
	select {
	case <-s.load.Back():
		return nil
	case <-one.Gone():
		return fmt.Errorf("%w %s has ended by itself:\n%s", rig.ErrServer, one.name, one.Tail())
	case <-time.After(within):
		return fmt.Errorf("%w within %v:\n%s", errAlone, within, one.Tail())
	case <-ctx.Done():
		return ctx.Err()
	}
}
