package main

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"time"

	"notakto/match"
	"notakto/sshapp/command"
)

// asks returns the status and the text of an answer.
func asks(t *testing.T, method, url string) (int, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(text)
}

func TestStatusSaysWhyTheServerIsNotReady(t *testing.T) {
	s := &status{}
	front := httptest.NewServer(s.handler())
	defer front.Close()
	for _, test := range []struct {
		ready func() error
		code  int
		text  string
	}{
		{nil, 503, "the server is starting\n"},
		{func() error { return nil }, 200, "ok\n"},
		{func() error { return match.ErrUnavailable }, 503, match.ErrUnavailable.Error() + "\n"},
		{func() error { return match.ErrDraining }, 503, match.ErrDraining.Error() + "\n"},
	} {
		if test.ready != nil {
			s.opened(test.ready)
		}
		if code, text := asks(t, http.MethodGet, front.URL+"/readyz"); code != test.code || text != test.text {
			t.Errorf("ready is answered by %d %q, want %d %q", code, text, test.code, test.text)
		}
		if code, text := asks(t, http.MethodGet, front.URL+"/livez"); code != 200 || text != "ok\n" {
			t.Errorf("live is answered by %d %q", code, text)
		}
	}
	for _, test := range []struct {
		method, path string
		code         int
	}{{http.MethodHead, "/readyz", 503}, {http.MethodPost, "/readyz", 405}, {http.MethodGet, "/", 404}} {
		if code, _ := asks(t, test.method, front.URL+test.path); code != test.code {
			t.Errorf("%s %s is answered by %d, want %d", test.method, test.path, code, test.code)
		}
	}
}

// Without a status address nothing listens; with one it answers until the end.
func TestServeHasAStatus(t *testing.T) {
	t.Parallel()
	s := start(t, []string{"NOTAKTO_STATUS_LISTEN=127.0.0.1:0"}, "--listen=127.0.0.1:0", "--data", t.TempDir())
	for range 2 * statusConnections { // silent clients: they made the load balancer wait for ten seconds
		silent, err := net.Dial("tcp", s.status)
		if err != nil {
			t.Fatal(err)
		}
		defer silent.Close()
	}
	asked := time.Now()
	if code, text := asks(t, http.MethodGet, "http://"+s.status+"/readyz"); code != 200 || text != "ok\n" {
		t.Errorf("it answers %d %q", code, text)
	}
	if took := time.Since(asked); took > statusTimeout/2 {
		t.Errorf("it answers after %v", took)
	}
	refused(t, command.ExitFailure, nil, []string{"--listen=127.0.0.1:0", "--data", t.TempDir(), "--status-listen",
		s.status}, "--status-listen")
	s.signal(t, syscall.SIGTERM)
	s.stopped(t, 5*time.Second)
}

// Silent clients use up a few connections, not all of the server's.
func TestStatusTakesFewConnections(t *testing.T) {
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := &limited{inner, make(chan struct{}, 2)}
	accepted := make(chan net.Conn)
	ended := make(chan error, 1)
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				ended <- err
				return
			}
			accepted <- conn
		}
	}()
	for range 3 {
		conn, err := net.Dial("tcp", inner.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = conn.Close() }()
	}
	first, second := <-accepted, <-accepted
	select {
	case <-accepted:
		t.Error("a third is accepted")
	case <-time.After(50 * time.Millisecond):
	}
	if err := errors.Join(first.Close(), second.Close()); err != nil && !strings.Contains(err.Error(), "closed") {
		t.Error(err)
	}
	third := <-accepted
	if err := errors.Join(third.Close(), inner.Close()); err != nil {
		t.Error(err)
	}
	<-ended
}
