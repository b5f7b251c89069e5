//go:build attack

package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unicode/utf8"

	"notakto/match"
	"notakto/match/store"
	"notakto/rules"
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
	errors  bool // its log may contain errors, since its lines are counted
	cmd     *exec.Cmd
	gone    chan struct{} // closed when it has ended

	ended atomic.Int64 // matches

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
		errors: a.lines > 0, cmd: exec.CommandContext(ctx, args[0], args[1:]...), gone: make(chan struct{}),
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
		if strings.Contains(line, ` msg="match ended" `) {
			s.ended.Add(1)
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

// process is a running process, as Linux shows it in /proc.
type process int

// tick is the unit of processor times in /proc.
const tick = 10 * time.Millisecond

func (p process) file(name string) string { return fmt.Sprintf("/proc/%d/%s", p, name) }

// cpu returns the processor time used so far.
func (p process) cpu() time.Duration {
	text, err := os.ReadFile(p.file("stat"))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * tick
}

// cores returns how many processors it uses, measured over a time.
func (p process) cores(lasting time.Duration) float64 {
	begun, before := time.Now(), p.cpu()
	<-time.After(lasting)
	return (p.cpu() - before).Seconds() / time.Since(begun).Seconds()
}

// status returns a number of /proc/PID/status; -1 if there is none.
func (p process) status(name string) int {
	text, _ := os.ReadFile(p.file("status"))
	for line := range strings.Lines(string(text)) {
		if value, found := strings.CutPrefix(line, name+":"); found {
			n, _ := strconv.Atoi(strings.Fields(value)[0])
			return n
		}
	}
	return -1
}

// memory returns the resident memory of the process, in KB.
func (p process) memory() int { return p.status("VmRSS") }

// peak returns the peak of its memory since the last forget, in KB.
func (p process) peak() int { return p.status("VmHWM") }

// forget resets the peak.
func (p process) forget() { _ = os.WriteFile(p.file("clear_refs"), []byte("5"), 0) }

// files returns the number of open descriptors.
func (p process) files() int {
	all, _ := os.ReadDir(p.file("fd"))
	return len(all)
}

func (p process) threads() int { return p.status("Threads") }

// setting returns the value of a flag of the process.
func (p process) setting(flag string) (value string, err error) {
	text, err := os.ReadFile(p.file("cmdline"))
	args := bytes.Split(text, []byte{0})
	i := slices.IndexFunc(args, func(arg []byte) bool { return string(arg) == flag })
	if err != nil || i < 0 {
		return "", errors.Join(errors.New("the server was started without "+flag), err)
	}
	return string(args[i+1]), nil
}

// fillArchive creates a data directory with finished matches.
func fillArchive(ctx context.Context, dir string, matches int) error {
	s, err := store.Open(ctx, store.Config{Dir: dir})
	if err != nil {
		return err
	}
	const atOnce = 200 // what the store commits together
	var filling sync.WaitGroup
	failed := make([]error, atOnce)
	for writer := range failed {
		filling.Go(func() {
			for i := writer; i < matches && failed[writer] == nil; i += atOnce {
				failed[writer] = archiveMatch(ctx, s, match.ID(fmt.Sprintf("full%06d", i)))
			}
		})
	}
	filling.Wait()
	return errors.Join(append(failed, s.Close())...)
}

// archiveMatch records a match that the first player resigns after a move, and archives it.
func archiveMatch(ctx context.Context, s *store.Store, id match.ID) error {
	events := []match.Event{
		{Kind: match.Opened, Terms: match.Terms{Variant: rules.DefaultVariant()}, Origin: match.QueueOrigin},
		{Kind: match.Seated, Seat: rules.First, Player: match.Player{ID: "SHA256:ann", Name: "ann"}},
		{Kind: match.Seated, Seat: rules.Second, Player: match.Player{ID: "SHA256:ben", Name: "ben"}},
		{Kind: match.Moved, Seat: rules.First, Move: rules.Move{Cell: 5}},
		{Kind: match.Resigned, Seat: rules.First},
	}
	for i := range events {
		events[i].Match, events[i].Seq = id, uint64(i+1)
	}
	if _, err := s.Append(ctx, events...); err != nil {
		return err
	}
	return s.Archive(ctx, id)
}

// maxLogged is the longest line of the log.
const maxLogged = 1024

// logFaults returns the log lines that no client may cause: panics, errors, and lines that are not the server's own.
func (s *server) logFaults() (faults []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, line := range s.log {
		switch {
		case strings.HasPrefix(line, "SIGQUIT"):
			return faults
		case !strings.HasPrefix(line, "time="):
			faults = append(faults, fmt.Sprintf("a line that is none of the log's: %.80q", line))
		case strings.HasPrefix(afterTime(line), "level=error") && !s.errors:
			faults = append(faults, fmt.Sprintf("the log: %.200s", line))
		case len(line) > maxLogged:
			faults = append(faults, fmt.Sprintf("a line of %d bytes in the log", len(line)))
		case !utf8.ValidString(line) || strings.ContainsFunc(line, forbidden):
			faults = append(faults, fmt.Sprintf("the log has %.200q", line))
		}
	}
	return faults
}

func afterTime(line string) string {
	_, rest, _ := strings.Cut(line, " ")
	return rest
}

// forbidden reports whether a character can control a terminal or hide on it.
func forbidden(r rune) bool {
	switch {
	case r < ' ', r == 0x7f, r >= 0x80 && r < 0xa0:
		return true
	case r >= 0x200b && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2060 && r <= 0x206f, r == 0xfeff:
		return true
	}
	return false
}

// bindNoPort is Linux's IP_BIND_ADDRESS_NO_PORT: the port is chosen at connect, so that there are 28,000 for each
// destination address, not for each source address.
const bindNoPort = 24

func anyPort(_, _ string, raw syscall.RawConn) error {
	return raw.Control(func(fd uintptr) { _ = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_IP, bindNoPort, 1) })
}
