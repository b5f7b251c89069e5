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
	*place
	name   string
	port   int
	binary string
	args   []string
	env    []string // in addition to this process's
	log    string   // file
	book   *history.Book

	cmd   *exec.Cmd
	ready chan struct{} // closed when this run reports that players can connect
	gone  chan struct{} // closed when this run has ended

	mu    sync.Mutex
	took  []time.Duration  // from each start to its ready line
	last  [words]time.Time // when it last logged each word
	fails failures
}

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
	if err := s.place.start(s.cmd); err != nil {
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

// word is a kind of log line that a scenario checks for.
type word uint8

const (
	cannotRecord word = iota // a table could not record a scheduled event, again within stuckTime
	leadsMatches             // this node leads the stream of matches; at the debug level
	clocksDiffer             // an error about clocks
	words
)

// failures are the times at which tables could not record a scheduled event, by match.
type failures map[string]time.Time

// note records the time of a log line that a scenario checks for.
func (s *server) note(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fails == nil {
		s.fails = failures{}
	}
	for w, found := range [words]bool{
		cannotRecord: strings.Contains(line, "could not record what is due") && s.fails.again(line),
		leadsMatches: strings.Contains(line, "new stream leader for") && strings.Contains(line, "MATCHES"),
		clocksDiffer: strings.Contains(line, "level=error") && strings.Contains(line, "clock"),
	} {
		if found {
			s.last[w] = time.Now()
		}
	}
}

// again records that a table could not record a scheduled event, and reports whether that also happened a moment ago.
func (f failures) again(line string) bool {
	_, match, _ := strings.Cut(line, " match=")
	match, _, _ = strings.Cut(match, " ")
	before := f[match]
	f[match] = time.Now()
	return time.Since(before) < stuckTime
}

// when returns when the server last logged a word; the zero time if never.
func (s *server) when(w word) time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last[w]
}

// said reports whether the server has logged a word.
func (s *server) said(w word) bool { return !s.when(w).IsZero() }

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

// linger is the --linger of servers whose ratings are compared: it has all matches archived soon after their end, also
// those whose table was lost with a server.
const linger = 5 * time.Second

// newServer creates a server without starting it. Its data and its log are in the working directory.
func (s *stage) newServer(p *place, name string, port int, more ...string) *server {
	args := []string{
		"serve", "--listen", fmt.Sprintf("127.0.0.1:%d", port), "--data", s.data(name), "--log-format", "logfmt",
		"--computer-pause", "0s", "--grace", s.grace.String(), "--max-sessions-per-address", "5000",
		"--max-sessions-per-key", "100",
		"--max-match-rate", "1000000", "--max-input-rate", "1000000",
	}
	if s.rated {
		args = append(args, "--linger", linger.String())
	}
	if s.sync != "" {
		args = append(args, "--sync", s.sync)
	}
	args = append(append(args, more...), strings.Fields(s.extra)...)
	return &server{
		place: p, name: name, port: port, binary: s.binary, args: args, log: filepath.Join(s.dir, name+".log"), book: s.book,
	}
}

// data returns the directory of a server's data.
func (s *stage) data(name string) string { return filepath.Join(s.dir, name) }

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
func (s *stage) calm(ctx context.Context, quiet time.Time, servers []*server) error {
	if err := interrupt.Pause(ctx, time.Until(quiet.Add(stuckTime))); err != nil {
		return err
	}
	for _, server := range servers {
		if time.Since(server.when(cannotRecord)) < stuckTime/2 {
			return fmt.Errorf("%w at %s:\n%s", errStuck, server.name, server.tail())
		}
	}
	return nil
}

// back waits until some player has been welcomed.
func (s *stage) back(ctx context.Context, servers ...*server) error {
	late := time.NewTimer(backTime)
	defer late.Stop()
	select {
	case <-s.load.Back():
		return nil
	case <-servers[0].gone:
		return fmt.Errorf("%w has ended by itself:\n%s", errServer, servers[0].tail())
	case <-late.C:
		return fmt.Errorf("%w within %v:\n%s", errAlone, backTime, servers[0].tail())
	case <-ctx.Done():
		return ctx.Err()
	}
}
