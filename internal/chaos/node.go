package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"notakto/internal/chaos/history"
	"notakto/internal/rig"
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
	panics  atomic.Int64 // in the log, over all starts
	book    *history.Book
	longest time.Duration // longest start of the processes that have ended
}

// newNode creates the next server, with its data and its log in the working directory, and does not start it.
func (s *stage) newNode() (*node, error) {
	port, err := s.freePort()
	if err != nil {
		return nil, err
	}
	number := len(s.nodes)
	name := fmt.Sprintf("server%d", number)
	n := &node{
		number: number, name: name, address: fmt.Sprintf("127.0.0.1:%d", port), data: filepath.Join(s.dir, name),
		binary: s.binary, book: s.book,
	}
	n.args = append([]string{
		"serve", "--listen", n.address, "--log-format", "logfmt",
		"--computer-pause", "0s", "--grace", grace.String(), "--drain", "2s",
		"--max-sessions-per-address", "5000", "--max-sessions-per-key", "100",
		"--max-match-rate", "1000000", "--max-input-rate", "1000000",
	}, s.storeFlags(n)...)
	if s.name == "clocks" {
		n.env = []string{fmt.Sprintf("%s=%d", clockVariable, number*3600)}
	}
	n.log, err = os.Create(filepath.Join(s.dir, name+".log"))
	s.nodes = append(s.nodes, n)
	return n, err
}

// storeFlags returns the flags that name the store of a server.
func (s *stage) storeFlags(n *node) []string {
	flags := []string{"--data", n.data}
	if s.cluster != nil {
		flags = append(flags, "--database", s.cluster.url(n.number))
	}
	return flags
}

// command runs a command of the program, such as check, on the store of a server that does not run.
func (s *stage) command(ctx context.Context, name string, n *node) error {
	return tool(ctx, n.binary, append([]string{name}, s.storeFlags(n)...)...)
}

// freePort returns an unused port of this run, a new one at each call. The process ID selects the range of 20 ports, to
// keep concurrent runs apart. The ports lie below the range for outgoing connections, because another program could
// otherwise take the port of a server that is down.
func (s *stage) freePort() (port int, err error) {
	const portsOfRun = 20
	for range portsOfRun {
		port = 10_000 + os.Getpid()%1000*portsOfRun + s.ports%portsOfRun
		s.ports++
		var l net.Listener
		if l, err = net.Listen("tcp4", fmt.Sprintf("127.0.0.1:%d", port)); err == nil {
			return port, l.Close()
		}
	}
	return 0, err
}

// start starts the program and does not wait until it is ready.
func (n *node) start() (err error) {
	cmd := exec.Command(n.binary, n.args...)
	cmd.Env = append(os.Environ(), n.env...)
	if n.Server != nil {
		n.longest = max(n.longest, n.Startup())
	}
	fmt.Fprintf(n.log, "--- %s starts at %s\n", n.name, time.Now().Format(time.StampMicro))
	n.book.Note(n.name + " starts")
	n.Server, err = rig.Start(cmd, func(line string) {
		if strings.Contains(line, " event=panic") {
			n.panics.Add(1)
		}
		fmt.Fprintln(n.log, line)
	})
	return err
}

// stop sends a signal and waits for the end of the process. After SIGTERM the process must have ended well.
func (n *node) stop(sig syscall.Signal) error {
	n.book.Note(fmt.Sprintf("%v %s", sig, n.name))
	if err := n.Stop(sig); err != nil {
		return fmt.Errorf("%s: %w", n.name, err)
	}
	n.book.Note(n.name + " has ended")
	if sig == syscall.SIGTERM {
		return n.endedWell()
	}
	return nil
}

// endedWell returns an error if the process has ended with another status than 0.
func (n *node) endedWell() error {
	if status := n.Status(); status != 0 {
		return fmt.Errorf("%s has ended with status %d", n.name, status)
	}
	return nil
}
