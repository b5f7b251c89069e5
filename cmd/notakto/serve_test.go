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
	process       *rig.Server
	unread        chan string // lines of the log; closed after the end of the process
	address       string
	statusAddress string
	web           string
	fingerprint   string
	joined        int // the number of players that join has logged in
}

// start waits for the ready line and takes the address from it.
func start(t *testing.T, env []string, args ...string) *server {
	t.Helper()
	s := launch(t, env, args...)
	ready := s.line(t, "ready")
	s.address, s.statusAddress, s.web = ready["address"], ready["status"], ready["web"]
	s.fingerprint = ready["fingerprint"]
	return s
}

func launch(t *testing.T, env []string, args ...string) *server {
	t.Helper()
	return begin(t, program(t, env, append(args, "--log-format=json")...))
}

// begin starts a command that logs as JSON.
func begin(t *testing.T, cmd *exec.Cmd) *server {
	t.Helper()
	const most = 10_000 // more lines than a test logs, so that the log is always read on
	s := &server{unread: make(chan string, most)}
	var err error
	s.process, err = rig.Start(cmd, func(line string) {
		select {
		case s.unread <- line:
		case <-t.Context().Done():
		}
	})
	testkit.OK(t, err)
	go func() {
		<-s.process.Gone()
		close(s.unread)
	}()
	t.Cleanup(func() { <-s.process.Gone() })
	return s
}

// line takes lines from the log until one has the message, checks the form of each, and returns the fields of that one.
func (s *server) line(t *testing.T, message string) map[string]string {
	t.Helper()
	for line := range s.unread {
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
func (s *server) said() string { return strings.Join(s.process.Log(), "\n") }

func (s *server) signal(t *testing.T, sig syscall.Signal) {
	t.Helper()
	testkit.OK(t, s.process.Signal(sig))
}

// stopped waits for the last line of the log and the end of the program. It must be a success, and take no longer than
// within.
func (s *server) stopped(t *testing.T, within time.Duration) {
	t.Helper()
	began := time.Now()
	s.line(t, "stopped")
	if line, isMore := <-s.unread; isMore {
		t.Fatalf("after the last line the log says %q", line)
	}
	testkit.Equal(t, s.process.Status(), 0, "exit status after the log", s.said())
	if took := time.Since(began); took > within {
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

// Clients that do not read must not delay a restart. Once, each program of Bubble Tea caught SIGTERM, and the first one
// dropped all players without restoring their terminals.
func TestNoPlayerKeepsAServerWithManyMatchesFromStopping(t *testing.T) {
	t.Parallel()
	s := start(t, nil, "--listen=127.0.0.1:0", "--max-sessions-per-address=300", "--drain=40s")
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

// A server that waits for its database at the start must still obey signals.
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
	began := time.Now()
	s.line(t, "stopped before it was ready")
	<-s.process.Gone()
	testkit.Equal(t, s.process.Status(), 0, "exit status after the log", s.said())
	if took := time.Since(began); took > 10*time.Second { // the database may take ten minutes
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
	code, text := asks(t, http.MethodGet, "http://"+s.statusAddress+"/readyz")
	if code != 503 || !strings.Contains(text, "draining") {
		t.Errorf("ready: %d %s", code, text)
	}
	_ = p.Close()
	s.line(t, "the server stops now")
	s.stopped(t, 5*time.Second)
}
