package main

import (
	"crypto/rand"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Every program of Bubble Tea's caught SIGTERM for itself: the first one dropped all players with their terminals as
// they were, and left the server running.
func TestPlayersAreSeenOut(t *testing.T) {
	for _, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		s := start(t, nil, "--listen=127.0.0.1:0", "--drain=1h")
		players := []*player{join(t, s), join(t, s)}
		s.signal(t, sig)
		for _, p := range players {
			p.until(t, "l")
			if _, err := io.Copy(io.Discard, p.shown); err != nil {
				t.Errorf("the session ends with %v", err)
			}
		}
		s.stopped(t, 5*time.Second)
	}
}

// A hangup, as of a terminal that was closed, used to end the server at once and left every player's terminal as it
// was.
func TestAHangupEndsNothing(t *testing.T) {
	s := start(t, nil, "--listen=127.0.0.1:0", "--drain=1h")
	p := join(t, s)
	s.signal(t, syscall.SIGHUP)
	s.line(t, "reloaded")
	s.signal(t, syscall.SIGHUP)
	players := []*player{p, join(t, s)}
	s.signal(t, syscall.SIGTERM)
	for _, p := range players {
		p.until(t, "l")
	}
	s.stopped(t, 5*time.Second)
}

// A few clients that did not read delayed the restart for all others by ten seconds.
func TestNoPlayerKeepsAServerWithManyMatchesFromStopping(t *testing.T) {
	t.Parallel()
	s := start(t, nil, "--listen=127.0.0.1:0", "--max-sessions-per-address=300")
	const matches, asleep = 200, 10
	var readers []*player
	for i := range matches {
		p := joinAt(t, s, "play --computer random --boards 9")
		s.line(t, "session began") // the log is read, or the server would wait for that
		if i%(matches/asleep) == 0 {
			p.link.reading.Lock()
			t.Cleanup(p.link.reading.Unlock)
		} else {
			readers = append(readers, p)
		}
	}
	s.signal(t, syscall.SIGTERM)
	began := time.Now()
	s.line(t, "not every player could be seen out")
	s.stopped(t, 5*time.Second)
	t.Log("it took", time.Since(began))
	for _, p := range readers {
		p.until(t, "l")
	}
}

// A client whose machine is asleep never closes its connection.
func TestTheDrainHasADeadline(t *testing.T) {
	s := start(t, nil, "--listen=127.0.0.1:0", "--drain=100ms", "--stall=1h")
	sleeper(t, s)
	s.signal(t, syscall.SIGTERM)
	s.line(t, "not every player could be seen out")
	s.stopped(t, 5*time.Second)
}

func TestASecondSignalSkipsTheWait(t *testing.T) {
	s := start(t, nil, "--listen=127.0.0.1:0", "--drain=1h", "--stall=1h")
	sleeper(t, s)
	s.signal(t, syscall.SIGTERM)
	s.line(t, "stopping")
	s.signal(t, os.Interrupt)
	s.line(t, "not every player could be seen out")
	s.stopped(t, 5*time.Second)
}

func sleeper(t *testing.T, s *server) {
	t.Helper()
	p := join(t, s)
	p.link.reading.Lock()
	t.Cleanup(p.link.reading.Unlock)
}

// A start that waited for its port, or for another server, did not listen to signals for up to two minutes.
func TestAStartThatWaitsEndsSoonAfterASignal(t *testing.T) {
	t.Parallel()
	t.Run("for the other servers of a cluster", func(t *testing.T) {
		free, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		address := free.Addr().String()
		if err := free.Close(); err != nil {
			t.Fatal(err)
		}
		secret := filepath.Join(t.TempDir(), "secret")
		if err := os.WriteFile(secret, []byte(rand.Text()), 0o600); err != nil {
			t.Fatal(err)
		}
		s := launch(t, nil, "--listen=127.0.0.1:0", "--cluster-listen", address, "--cluster-peer=127.0.0.1:1",
			"--cluster-secret-file", secret)
		s.line(t, "this server has no data of the cluster yet, and waits before it joins")
		s.interrupted(t, syscall.SIGTERM)
	})
	t.Run("for a NATS that does not answer", func(t *testing.T) {
		silent, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer silent.Close()
		url := "nats://" + silent.Addr().String()
		s := launch(t, nil, "--listen=127.0.0.1:0", "--nats-url", url+strings.Repeat(","+url, 9)) // each takes two seconds
		conn, err := silent.Accept()
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		s.interrupted(t, os.Interrupt)
	})
}

// interrupted expects a start to end within two seconds of a signal.
func (s *server) interrupted(t *testing.T, sig os.Signal) {
	t.Helper()
	s.signal(t, sig)
	begun := time.Now()
	s.line(t, "stopped before it was ready")
	if err := s.cmd.Wait(); err != nil {
		t.Errorf("the program ends with %v", err)
	}
	limit := 2 * time.Second
	if len(buildFlags()) > 0 {
		limit += time.Second // a program built with -race sleeps for a second at its end
	}
	if took := time.Since(begun); took > limit {
		t.Errorf("it took %v to stop", took)
	}
}

// A restart ended every match for its players, at least for a while.
func TestALameDuckStopsWhenTheMatchesAreOver(t *testing.T) {
	t.Parallel()
	s := start(t, nil, "--listen=127.0.0.1:0", "--status-listen=127.0.0.1:0")
	p := joinAt(t, s, "play --computer random --boards 9")
	s.line(t, "session began")
	s.signal(t, syscall.SIGUSR2)
	if got := s.line(t, "no new match begins, and the server stops when the last one is over"); got["within_ms"] !=
		"1.8e+06" {
		t.Errorf("it says %v", got)
	}
	code, text := asks(t, http.MethodGet, "http://"+s.status+"/readyz")
	if code != 503 || !strings.Contains(text, "draining") {
		t.Errorf("ready: %d %s", code, text)
	}
	_ = p.client.Close()
	s.line(t, "the server stops now")
	s.stopped(t, 5*time.Second)
}

func TestALameDuckHasADeadline(t *testing.T) {
	t.Parallel()
	s := start(t, nil, "--listen=127.0.0.1:0", "--lame-duck=1s")
	p := joinAt(t, s, "play --computer random --boards 9")
	s.line(t, "session began")
	s.signal(t, syscall.SIGTERM)
	s.line(t, "the server stops now")
	p.until(t, "l")
	s.stopped(t, 5*time.Second)

	// a second signal does not wait for the matches
	s = start(t, nil, "--listen=127.0.0.1:0", "--lame-duck=1h")
	p = joinAt(t, s, "play --computer random --boards 9")
	s.line(t, "session began")
	s.signal(t, syscall.SIGTERM)
	s.line(t, "no new match begins, and the server stops when the last one is over")
	s.signal(t, syscall.SIGTERM)
	p.until(t, "l")
	s.stopped(t, 5*time.Second)
}
