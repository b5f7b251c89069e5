// Package rig runs the program in a process of its own and plays on it, for tools and tests that judge the program from
// outside.
//
// [Main] is the main function of such a tool. [Build] compiles the program, and [Start] starts a [Server] from a
// command. One goroutine of a Server reads its log. A [Process] reads how much of the machine the program uses. The
// methods of [Client] log players in, and [Play] starts the usual honest players, a [Party]. A [Record] has the times
// of their moves and keys, and the faults.
package rig

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

const (
	startTime = 60 * time.Second // until players can connect
	stopTime  = 20 * time.Second // from a signal to the end of the process
)

// Server is a running process of the program.
type Server struct {
	Process
	Reading sync.Mutex // while a caller holds Reading, the log is not read

	cmd     *exec.Cmd
	began   time.Time
	ready   chan struct{} // closed when players can connect
	gone    chan struct{} // closed after the end of the process
	line    string        // of the log, set before ready is closed
	startup time.Duration // set before ready is closed

	mu  sync.Mutex
	log []string
}

var readyLine = regexp.MustCompile(`\bevent"?[=:]"?ready\b`)

// Start starts cmd, a "serve" of the program or a command that becomes one. Function line, if not nil, gets each line
// of the log, from one goroutine.
func Start(cmd *exec.Cmd, line func(string)) (*Server, error) {
	log, err := cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	s := &Server{cmd: cmd, began: time.Now(), ready: make(chan struct{}), gone: make(chan struct{})}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", cmd.Path, err)
	}
	s.Process = Process(cmd.Process.Pid)
	go s.follow(log, line)
	return s, nil
}

// follow reads the log until the process has ended.
func (s *Server) follow(log io.Reader, line func(string)) {
	defer close(s.gone)
	lines := bufio.NewReader(log)
	for isReady := false; ; {
		s.Reading.Lock()
		s.Reading.Unlock() //nolint:staticcheck // waits while Reading is held
		text, err := lines.ReadString('\n')
		if err != nil && text == "" { // the last line may lack its end
			break
		}
		text = strings.TrimSuffix(text, "\n")
		s.mu.Lock()
		s.log = append(s.log, text)
		s.mu.Unlock()
		if line != nil {
			line(text)
		}
		if !isReady && readyLine.MatchString(text) {
			s.line, s.startup, isReady = text, time.Since(s.began), true
			close(s.ready)
		}
	}
	_ = s.cmd.Wait()
}

// Ready waits until players can connect. It returns an error if the process ends or a minute passes before.
func (s *Server) Ready(ctx context.Context) error {
	select {
	case <-s.ready:
	case <-s.gone:
		if !s.IsReady() {
			return s.fail("has ended by itself")
		}
	case <-time.After(startTime):
		return s.fail(fmt.Sprintf("is not ready after %v", startTime))
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}

// IsReady reports whether players could connect at some time since the start.
func (s *Server) IsReady() bool { return isClosed(s.ready) }

// Startup returns the time from the start until players could connect, 0 before that.
func (s *Server) Startup() time.Duration {
	if !s.IsReady() {
		return 0
	}
	return s.startup
}

// Address returns the host and port of a listener, "address" for players or "status", of a server that is ready. The
// result is "" if the server has no such listener.
func (s *Server) Address(listener string) string {
	found := regexp.MustCompile(`\b` + listener + `"?[=:]"?([^" ]+)`).FindStringSubmatch(s.line)
	if found == nil {
		return ""
	}
	return found[1]
}

// Gone returns a channel that is closed after the end of the process.
func (s *Server) Gone() <-chan struct{} { return s.gone }

// HasEnded reports whether the process has ended.
func (s *Server) HasEnded() bool { return isClosed(s.gone) }

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// Status returns the exit status of a process that has ended.
func (s *Server) Status() int { return s.cmd.ProcessState.ExitCode() }

// Signal sends a signal to the process.
func (s *Server) Signal(sig syscall.Signal) error { return s.cmd.Process.Signal(sig) }

// Stop sends a signal and waits for the end of the process. A process that has ended before, or that takes longer than
// 20 s and is killed, is an error.
func (s *Server) Stop(sig syscall.Signal) error {
	if s.HasEnded() {
		return s.fail("has ended by itself")
	}
	if err := s.Signal(sig); err != nil {
		return err
	}
	select {
	case <-s.gone:
		return nil
	case <-time.After(stopTime):
		_ = s.Signal(syscall.SIGKILL)
		<-s.gone
		return s.fail(fmt.Sprintf("did not stop within %v of %v", stopTime, sig))
	}
}

// Log returns the lines of the log so far.
func (s *Server) Log() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.log)
}

// fail returns an error with the last lines of the log.
func (s *Server) fail(what string) error {
	all := s.Log()
	return fmt.Errorf("the server %s:\n%s", what, strings.Join(all[max(0, len(all)-15):], "\n"))
}

// Process is the ID of a running process.
type Process int

// Figures say how much of the machine a process uses. All are zero for a process that has ended.
type Figures struct {
	CPU          time.Duration // processor time so far
	Memory, Peak int           // resident memory in KB, and its maximum since ResetPeak
	Files        int           // open descriptors
	Threads      int
}
