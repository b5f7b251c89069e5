//go:build attack

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"time"
)

const (
	startTime = 30 * time.Second
	endTime   = 20 * time.Second
	dataName  = "data" // of the data directory, in the server's directory
)

var errServer = errors.New("the server")

// server is the program as it runs.
type server struct {
	process
	address string
	data    string // the directory
	errors  bool   // its log may contain errors, since its lines are counted
	cmd     *exec.Cmd
	gone    chan struct{} // closed when it has ended

	mu  sync.Mutex
	log []string

	reading sync.Mutex // held while the log must not be read
}

// startServer runs the program on a free port of this machine with new data, configured for the attack, and waits until
// players can connect. It is killed when ctx ends. Matches without players close soon, so that goroutines can be
// counted.
func startServer(ctx context.Context, o options, dir string, a attack) (*server, error) {
	limit, data := o.limit().String(), filepath.Join(dir, dataName)
	args := append([]string{
		o.binary, "serve", "--listen", "127.0.0.1:0", "--data", data, "--log-format", "logfmt",
		"--login", limit, "--start", limit, "--stall", limit, "--grace", "4s", "--linger", "100ms",
		"--computer-pause", "50ms", "--max-match-rate", "1000000",
	}, append(a.flags, strings.Fields(o.extra)...)...)
	if a.disk > 0 {
		mount := fmt.Sprintf(`mkdir -m 700 %q && mount -t tmpfs -o size=%dm,mode=700 tmpfs %q && exec "$@"`, data,
			a.disk, data)
		args = append([]string{"unshare", "--map-root-user", "--mount", "sh", "-c", mount, "sh"}, args...)
	}
	if a.descriptors > 0 {
		args = append([]string{"sh", "-c", fmt.Sprintf(`ulimit -n %d && exec "$@"`, a.descriptors), "sh"}, args...)
	}
	s := &server{
		data: data, errors: a.lines > 0, cmd: exec.CommandContext(ctx, args[0], args[1:]...), gone: make(chan struct{}),
	}
	s.cmd.Env = append(os.Environ(), "GOTRACEBACK=all")
	if o.lasting > 0 {
		s.cmd.Env = append(s.cmd.Env, "GOGC=20") // so that its memory is close to what it needs
	}
	lines, err := s.cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", o.binary, err)
	}
	s.process = process(s.cmd.Process.Pid)
	ready := make(chan string, 1)
	go s.follow(bufio.NewReader(lines), ready)
	late := time.NewTimer(startTime)
	defer late.Stop()
	select {
	case s.address = <-ready:
		return s, nil
	case <-s.gone:
	case <-late.C:
	}
	_ = s.cmd.Process.Kill()
	return nil, fmt.Errorf("%w did not start:\n%s", errServer, s.tail())
}

// follow reads the log until the process has ended.
func (s *server) follow(lines *bufio.Reader, ready chan<- string) {
	defer close(s.gone)
	address := regexp.MustCompile(`msg=ready address=(\S+)`)
	for {
		s.reading.Lock()
		s.reading.Unlock() //nolint:staticcheck // it waits
		line, err := lines.ReadString('\n')
		if err != nil {
			break
		}
		if found := address.FindStringSubmatch(line); found != nil {
			ready <- found[1]
		}
		s.mu.Lock()
		s.log = append(s.log, strings.TrimSuffix(line, "\n"))
		s.mu.Unlock()
	}
	_ = s.cmd.Wait()
}

func (s *server) alive() bool {
	select {
	case <-s.gone:
		return false
	default:
		return true
	}
}

// quit ends the server by the signal that prints all goroutines, and counts them.
func (s *server) quit() (goroutines int, err error) {
	_ = s.cmd.Process.Signal(syscall.SIGQUIT)
	late := time.NewTimer(endTime)
	defer late.Stop()
	select {
	case <-s.gone:
	case <-late.C:
		_ = s.cmd.Process.Kill()
		return 0, fmt.Errorf("%w does not react to SIGQUIT", errServer)
	}
	head := regexp.MustCompile(`^goroutine \d+ .*:$`)
	for _, line := range s.log {
		if head.MatchString(line) {
			goroutines++
		}
	}
	return goroutines, nil
}

// lines returns the number of lines of the log, without the usual ones about sessions and matches.
func (s *server) lines() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, line := range s.log {
		usual := strings.Contains(line, `msg="session `) || strings.Contains(line, `msg="match `)
		if !usual || !strings.Contains(line, "level=info") {
			n++
		}
	}
	return n
}

// tail returns the end of the log.
func (s *server) tail() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.log[max(0, len(s.log)-10):], "\n")
}

// keep stores the log and the goroutines in a directory.
func (s *server) keep(dir, name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return os.WriteFile(filepath.Join(dir, name+".log"), []byte(strings.Join(s.log, "\n")), 0o600)
}
