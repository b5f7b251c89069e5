package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
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
)

const (
	startTime = 60 * time.Second // until players can connect
	endTime   = 20 * time.Second // from a signal to the end
)

var (
	errServer = errors.New("the server")
	errPorts  = errors.New("no port of this run is left")
)

// server is the program, restarted with the same data.
type server struct {
	number int
	name   string
	port   int
	data   string // directory
	binary string
	args   []string
	env    []string // in addition to this process's
	log    string   // file
	book   *history.Book

	cmd   *exec.Cmd
	ready chan struct{} // closed when this run reports that players can connect
	gone  chan struct{} // closed when this run has ended

	mu    sync.Mutex
	took  []time.Duration      // from each start to its ready line
	stuck time.Time            // when a table last could not record a scheduled event, again within stuckTime
	fails map[string]time.Time // when a table last could not, by match
}

func (s *server) address() string { return fmt.Sprintf("127.0.0.1:%d", s.port) }

// start runs the program; it does not wait until it is ready.
func (s *server) start() error {
	log, err := os.OpenFile(s.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("open the log: %w", err)
	}
	s.cmd = exec.Command(s.binary, s.args...)
	s.cmd.Env = append(os.Environ(), s.env...)
	lines, err := s.cmd.StderrPipe()
	if err != nil {
		return err
	}
	s.ready, s.gone = make(chan struct{}), make(chan struct{})
	s.book.Add(history.Entry{What: history.Done, Note: history.Started + " " + s.name})
	if err := s.cmd.Start(); err != nil {
		return fmt.Errorf("start %s: %w", s.binary, err)
	}
	go s.follow(s.cmd, log, lines, time.Now(), s.ready, s.gone)
	return nil
}

// follow reads the log of one run until it has ended.
func (s *server) follow(cmd *exec.Cmd, log io.WriteCloser, lines io.Reader, begun time.Time, ready,
	gone chan struct{}) {
	defer close(gone)
	defer func() { _ = log.Close() }()
	fmt.Fprintf(log, "--- %s starts at %s\n", s.name, begun.Format(time.StampMicro))
	for text := bufio.NewScanner(lines); text.Scan(); {
		fmt.Fprintln(log, text.Text())
		s.note(text.Text())
		if ready != nil && strings.Contains(text.Text(), "msg=ready") {
			s.mu.Lock()
			s.took = append(s.took, time.Since(begun))
			s.mu.Unlock()
			close(ready)
			ready = nil
		}
	}
	fmt.Fprintf(log, "--- %s ends: %v\n", s.name, cmd.Wait())
}

// note records that a table could not record a scheduled event.
func (s *server) note(line string) {
	if !strings.Contains(line, "could not record what is due") {
		return
	}
	_, match, _ := strings.Cut(line, " match=")
	match, _, _ = strings.Cut(match, " ")
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	if now.Sub(s.fails[match]) < stuckTime {
		s.stuck = now
	}
	s.fails[match] = now
}

// reachable waits until players can connect.
func (s *server) reachable(ctx context.Context) error {
	late := time.NewTimer(startTime)
	defer late.Stop()
	select {
	case <-s.ready:
		return nil
	case <-s.gone:
		return fmt.Errorf("%w %s has ended by itself:\n%s", errServer, s.name, s.tail())
	case <-late.C:
		return fmt.Errorf("%w %s is not ready after %v:\n%s", errServer, s.name, startTime, s.tail())
	case <-ctx.Done():
		return ctx.Err()
	}
}

// hasFailedToStart reports whether the process has ended before players could connect.
func (s *server) hasFailedToStart() bool {
	select {
	case <-s.ready:
		return false
	default:
	}
	select {
	case <-s.gone:
		return true
	default:
		return false
	}
}

// end sends a signal and waits for the end of the process. If it had ended before, that is an error.
func (s *server) end(sig syscall.Signal) error {
	select {
	case <-s.gone:
		return fmt.Errorf("%w %s has ended by itself:\n%s", errServer, s.name, s.tail())
	default:
	}
	s.book.Add(history.Entry{What: history.Done, Note: fmt.Sprintf("%v %s", sig, s.name)})
	if err := s.cmd.Process.Signal(sig); err != nil {
		return fmt.Errorf("signal %s: %w", s.name, err)
	}
	late := time.NewTimer(endTime)
	defer late.Stop()
	select {
	case <-s.gone:
	case <-late.C:
		_ = s.cmd.Process.Kill()
		<-s.gone
		return fmt.Errorf("%w %s did not stop within %v of %v:\n%s", errServer, s.name, endTime, sig, s.tail())
	}
	s.book.Add(history.Entry{What: history.Done, Note: "ended " + s.name})
	return nil
}

// tail returns the end of the log.
func (s *server) tail() string {
	text, _ := os.ReadFile(s.log)
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return strings.Join(lines[max(0, len(lines)-15):], "\n")
}

// newServer creates a server without starting it. Its data and its log are in the working directory.
func (s *stage) newServer(i int) (*server, error) {
	name := fmt.Sprintf("server%d", i)
	port, err := s.freePort()
	if err != nil {
		return nil, err
	}
	v := &server{
		number: i, name: name, port: port, data: filepath.Join(s.dir, name), log: filepath.Join(s.dir, name+".log"),
		binary: s.binary, book: s.book, fails: map[string]time.Time{},
	}
	v.args = append([]string{
		"serve", "--listen", v.address(), "--log-format", "logfmt",
		"--computer-pause", "0s", "--grace", s.grace.String(), "--drain", "2s",
		"--max-sessions-per-address", "5000", "--max-sessions-per-key", "100",
		"--max-match-rate", "1000000", "--max-input-rate", "1000000",
	}, s.store(v)...)
	v.args = append(v.args, strings.Fields(s.extra)...)
	if s.scenario.name == "clocks" {
		v.env = []string{fmt.Sprintf("%s=%d", clockVariable, i*3600)}
	}
	return v, nil
}

// store returns the flags that name a server's store.
func (s *stage) store(v *server) []string {
	flags := []string{"--data", v.data}
	if s.cluster != nil {
		flags = append(flags, "--database", s.cluster.url(v.number))
	}
	return flags
}

// command has the program do something with the store of a server that does not run, such as to check it.
func (s *stage) command(ctx context.Context, name string, v *server) error {
	cmd := exec.CommandContext(ctx, v.binary, append([]string{name}, s.store(v)...)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("notakto %s: %w\n%s", name, err, out)
	}
	return nil
}

// portsOfRun is how many ports a run may use. Runs beside each other use others, by the numbers of their processes.
const portsOfRun = 20

// freePort returns a port of this run that no other program uses and that it has not returned before. It is outside the
// range for outgoing connections, so that it stays free while a server is down.
func (s *stage) freePort() (int, error) {
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

var (
	errUnsettled = errors.New("players still have something to do")
	errAlone     = errors.New("no player came back")
	errStuck     = errors.New("a table tries again and again what cannot be recorded")
)

// backTime is the time limit for the first player to be back.
const backTime = 60 * time.Second

func (s *stage) settled(ctx context.Context) error {
	late := time.NewTimer(s.settle)
	defer late.Stop()
	select {
	case <-s.load.Settled():
		return nil
	case <-late.C:
		return fmt.Errorf("%d %w after %v in which nothing was broken", s.load.Busy(), errUnsettled, s.settle)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// stuckTime is how long a server may still fail to record scheduled events, once nothing is broken any more.
const stuckTime = 5 * time.Second

// calm waits until the servers had time to recover, and reports one that has not.
func (s *stage) calm(ctx context.Context, quiet time.Time) error {
	if err := interrupt.Pause(ctx, time.Until(quiet.Add(stuckTime))); err != nil {
		return err
	}
	for _, server := range s.servers {
		server.mu.Lock()
		stuck := server.stuck
		server.mu.Unlock()
		if time.Since(stuck) < stuckTime/2 {
			return fmt.Errorf("%w at %s:\n%s", errStuck, server.name, server.tail())
		}
	}
	return nil
}

// back waits until some player has been welcomed.
func (s *stage) back(ctx context.Context, one *server) error {
	late := time.NewTimer(backTime)
	defer late.Stop()
	select {
	case <-s.load.Back():
		return nil
	case <-one.gone:
		return fmt.Errorf("%w has ended by itself:\n%s", errServer, one.tail())
	case <-late.C:
		return fmt.Errorf("%w within %v:\n%s", errAlone, backTime, one.tail())
	case <-ctx.Done():
		return ctx.Err()
	}
}
