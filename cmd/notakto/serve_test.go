package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"notakto/internal/rig"
	"notakto/internal/testkit"
)

// server is the built program while it serves.
type server struct {
	*rig.Server
	lines       chan string // of the log; closed after the end of the process
	address     string
	status      string
	web         string
	fingerprint string
	joined      int // players of join
}

// start waits for the ready line and takes the address from it.
func start(t *testing.T, env []string, args ...string) *server {
	t.Helper()
	s := launch(t, env, args...)
	ready := s.line(t, "ready")
	s.address, s.status, s.web, s.fingerprint = ready["address"], ready["status"], ready["web"], ready["fingerprint"]
	return s
}

func launch(t *testing.T, env []string, args ...string) *server {
	t.Helper()
	return begin(t, program(t, env, append(args, "--log-format=json")...))
}

// begin starts a command that logs as JSON.
func begin(t *testing.T, cmd *exec.Cmd) *server {
	t.Helper()
	s := &server{lines: make(chan string, 10_000)}
	var err error
	s.Server, err = rig.Start(cmd, func(line string) { s.lines <- line })
	testkit.OK(t, err)
	go func() {
		<-s.Gone()
		close(s.lines)
	}()
	return s
}

// line reads the log up to a message, and returns the fields of that line.
func (s *server) line(t *testing.T, message string) map[string]string {
	t.Helper()
	for line := range s.lines {
		var all map[string]any
		if err := json.Unmarshal([]byte(line), &all); err != nil {
			t.Fatalf("the log has a line that is no JSON: %q", line)
		}
		if at, err := time.Parse(timeFormat, fmt.Sprint(all["time"])); err != nil || all["event"] == nil ||
			all["level"] == nil || at.Format(timeFormat) != all["time"] {
			t.Errorf("the line %s lacks an event, or has another time: %v", line, err)
		}
		if text := fmt.Sprint(all["msg"]); text == message || strings.HasPrefix(text, message+";") {
			fields := map[string]string{}
			for name, value := range all {
				fields[name] = fmt.Sprint(value)
			}
			return fields
		}
	}
	t.Fatalf("the log ends without %q:\n%s", message, s.said())
	return nil
}

// said returns the log so far.
func (s *server) said() string { return strings.Join(s.Log(), "\n") }

func (s *server) signal(t *testing.T, sig syscall.Signal) {
	t.Helper()
	testkit.OK(t, s.Signal(sig))
}

// stopped expects the program to end with success within a time.
func (s *server) stopped(t *testing.T, within time.Duration) {
	t.Helper()
	begun := time.Now()
	s.line(t, "stopped")
	if line, isMore := <-s.lines; isMore {
		t.Fatalf("after the last line the log says %q", line)
	}
	testkit.Equal(t, s.Status(), 0, "exit status")
	if took := time.Since(begun); took > within {
		t.Errorf("it took %v to stop", took)
	}
}

// The end of the program that reads the log must not stop the server and its matches.
func TestAServerOutlivesTheReaderOfItsLog(t *testing.T) {
	cmd := program(t, nil, "--listen=127.0.0.1:0", "--log-level=debug")
	r, w, err := os.Pipe()
	testkit.OK(t, err)
	cmd.Stderr = w
	testkit.OK(t, cmd.Start())
	testkit.OK(t, w.Close())
	if _, err := io.ReadFull(r, make([]byte, 1)); err != nil { // the server is serving, or about to
		t.Fatal(err)
	}
	testkit.OK(t, r.Close())
	testkit.OK(t, cmd.Process.Signal(syscall.SIGTERM))
	if err := cmd.Wait(); err != nil {
		t.Errorf("the program ends with %v", err)
	}
}

// Clients that do not read must not delay a restart. Each program of Bubble Tea used to catch SIGTERM. The first one to
// do so dropped all players without restoring their terminals.
func TestNoPlayerKeepsAServerWithManyMatchesFromStopping(t *testing.T) {
	t.Parallel()
	s := start(t, nil, "--listen=127.0.0.1:0", "--max-sessions-per-address=300")
	const matches, asleep = 60, 6
	var readers []*session
	for i := range matches {
		p := join(t, s, "play --computer random --boards 9")
		if i%(matches/asleep) == 0 {
			p.link.reading.Lock()
			t.Cleanup(p.link.reading.Unlock)
		} else {
			readers = append(readers, p)
		}
	}
	s.signal(t, syscall.SIGTERM)
	began := time.Now()
	s.line(t, "some sessions did not end in time and were cut off")
	s.stopped(t, 5*time.Second)
	t.Log("it took", time.Since(began))
	for _, p := range readers {
		p.screen(t, 'l')
	}
}

// With --finish-matches the first signal waits for the matches, the second for the sessions, and the third for nothing.
func TestAnotherSignalSkipsTheWait(t *testing.T) {
	s := start(t, nil, "--listen=127.0.0.1:0", "--finish-matches=1h", "--drain=1h", "--stall=1h")
	player, sleeper := join(t, s, "play --computer random --boards 9"), join(t, s, "")
	sleeper.link.reading.Lock()
	defer sleeper.link.reading.Unlock()
	s.signal(t, syscall.SIGTERM)
	s.line(t, "no new match begins; the server stops when the last session has ended")
	s.signal(t, syscall.SIGTERM)
	player.screen(t, 'l')
	s.signal(t, syscall.SIGINT)
	s.line(t, "some sessions did not end in time and were cut off")
	s.stopped(t, 5*time.Second)
}

// A start that waits for its port must still listen to signals.
func TestAStartThatWaitsEndsSoonAfterASignal(t *testing.T) {
	t.Parallel()
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	testkit.OK(t, err)
	defer silent.Close()
	s := launch(t, nil, "--listen=127.0.0.1:0", "--database", "postgres://ann@"+silent.Addr().String()+"/n")
	conn, err := silent.Accept()
	testkit.OK(t, err)
	defer conn.Close()
	s.signal(t, syscall.SIGINT)
	begun := time.Now()
	s.line(t, "stopped before it was ready")
	<-s.Gone()
	testkit.Equal(t, s.Status(), 0, "exit status")
	limit := 2 * time.Second
	if len(buildFlags()) > 0 {
		limit += time.Second // a program built with -race sleeps for a second at its end
	}
	if took := time.Since(begun); took > limit {
		t.Errorf("it took %v to stop", took)
	}
}

// A restart need not interrupt the matches.
func TestADrainStopsWhenTheMatchesAreOver(t *testing.T) {
	t.Parallel()
	s := start(t, nil, "--listen=127.0.0.1:0", "--status-listen=127.0.0.1:0")
	p := join(t, s, "play --computer random --boards 9")
	s.line(t, "session began")
	s.signal(t, syscall.SIGUSR2)
	if got := s.line(t, "no new match begins; the server stops when the last session has ended"); got["within_ms"] !=
		"1.8e+06" {
		t.Errorf("it says %v", got)
	}
	code, text := asks(t, http.MethodGet, "http://"+s.status+"/readyz")
	if code != 503 || !strings.Contains(text, "draining") {
		t.Errorf("ready: %d %s", code, text)
	}
	_ = p.Close()
	s.line(t, "the server stops now")
	s.stopped(t, 5*time.Second)
}
