package main

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"notakto/match"
	"notakto/sshapp/cli"
	"notakto/sshapp/cli/admin"
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
	dead := errors.New("the follower stands still")
	for _, test := range []struct {
		checks        []admin.Check
		alive         error
		code          int
		text, verbose string
	}{
		{nil, nil, 503, "[-]start: the server is starting\n", "[-]start: the server is starting\n"},
		{[]admin.Check{{Name: "journal", OK: true, Text: "ok"}, {Name: "history", OK: true, Text: "still reads"}}, nil, 200,
			"ok\n",
			"[+]journal ok\n[+]history still reads\n"},
		{[]admin.Check{{Name: "journal", OK: true, Text: "ok"}, {Name: "disk", Text: match.ErrUnavailable.Error()}}, nil, 503,
			"[-]disk: " + match.ErrUnavailable.Error() + "\n",
			"[+]journal ok\n[-]disk: " + match.ErrUnavailable.Error() + "\n"},
		{[]admin.Check{{Name: "draining", Text: match.ErrDraining.Error()}}, dead, 503,
			"[-]draining: " + match.ErrDraining.Error() + "\n", "[-]draining: " + match.ErrDraining.Error() + "\n"},
	} {
		if test.checks != nil {
			s.opened(facts{
				checks: func() []admin.Check { return test.checks }, alive: func() error { return test.alive },
				version: version(),
			})
		}
		live, liveText := 200, "ok\n"
		if test.alive != nil {
			live, liveText = 503, test.alive.Error()+"\n"
		}
		for _, ask := range []struct {
			path string
			code int
			text string
		}{{"/readyz", test.code, test.text}, {"/readyz?verbose", test.code, test.verbose}, {"/livez", live, liveText}} {
			if code, text := asks(t, http.MethodGet, front.URL+ask.path); code != ask.code || text != ask.text {
				t.Errorf("%s is answered by %d %q, want %d %q", ask.path, code, text, ask.code, ask.text)
			}
		}
	}
	for _, test := range []struct {
		method, path string
		code         int
	}{
		{http.MethodHead, "/readyz", 503}, {http.MethodHead, "/version", 200}, {http.MethodPost, "/readyz", 405},
		{http.MethodGet, "/", 404}, {http.MethodGet, "/debug/pprof/heap", 404},
	} {
		if code, _ := asks(t, test.method, front.URL+test.path); code != test.code {
			t.Errorf("%s %s is answered by %d, want %d", test.method, test.path, code, test.code)
		}
	}
}

func TestProfilesAreServedIfAskedFor(t *testing.T) {
	front := httptest.NewServer((&status{profiles: true}).handler())
	defer front.Close()
	if code, _ := asks(t, http.MethodGet, front.URL+"/debug/pprof/heap?debug=1"); code != 200 {
		t.Errorf("a profile is answered by %d", code)
	}
}

// The status of a server: its version, every check, and the health command at a port and at a Unix socket.
func TestHealthAsksTheServer(t *testing.T) {
	t.Parallel()
	socket := filepath.Join(t.TempDir(), "status.sock")
	dead, err := net.Listen("unix", socket) // the socket of a server that was killed is in the way
	if err != nil {
		t.Fatal(err)
	}
	dead.(*net.UnixListener).SetUnlinkOnClose(false)
	if err := dead.Close(); err != nil {
		t.Fatal(err)
	}
	for _, listen := range []string{"127.0.0.1:0", "unix:" + socket} {
		s := start(t, nil, "--listen=127.0.0.1:0", "--data", t.TempDir(), "--status-listen", listen)
		at := listen
		if !strings.HasPrefix(listen, unixPrefix) {
			at = s.status
			if code, text := asks(t, http.MethodGet, "http://"+at+"/readyz?verbose"); code != 200 ||
				text != "[+]store ok\n[+]draining no\n" {
				t.Errorf("it answers %d %q", code, text)
			}
			if _, text := asks(t, http.MethodGet, "http://"+at+"/version"); !strings.HasPrefix(text, `{"version":"9.8.7",`) ||
				!strings.Contains(text, `"data":1`) {
				t.Errorf("its version is %q", text)
			}
		}
		for _, args := range [][]string{{"--status", at}, {"--status", at, "--live"}} {
			if out, complaint, status := run(t, nil, append([]string{"health"}, args...)...); out != "ok\n" ||
				complaint != "" || status != cli.ExitOK {
				t.Errorf("health %q prints %q and %q and exits with %d", args, out, complaint, status)
			}
		}
		if out, _, status := run(t, []string{"NOTAKTO_STATUS_LISTEN=" + at}, "health"); out != "ok\n" || status != 0 {
			t.Errorf("by the settings it prints %q and exits with %d", out, status)
		}
		s.signal(t, syscall.SIGTERM)
		s.stopped(t, 5*time.Second)
		refused(t, cli.ExitFailure, nil, []string{"health", "--status", at}, "no answer from "+at)
	}
	refused(t, cli.ExitUsage, nil, []string{"health"}, "--status-listen")
	refused(t, cli.ExitUsage, nil, []string{"health", "--status", "9464"}, "--status", "HOST:PORT")
}

func TestHealthFailsWhereTheServerIsNotReady(t *testing.T) {
	s := &status{}
	front := httptest.NewServer(s.handler())
	defer front.Close()
	s.opened(facts{
		checks: func() []admin.Check {
			return []admin.Check{{Name: "a", Text: "b"}, {Name: "draining", Text: match.ErrDraining.Error()}}
		},
		alive: func() error { return nil },
	})
	at := front.Listener.Addr().String()
	refused(t, cli.ExitFailure, nil, []string{"health", "--status", at}, "503", "[-]a: b; [-]draining: ")
	if _, _, status := run(t, nil, "health", "--live", "--status", at); status != cli.ExitOK {
		t.Errorf("a live server is answered with %d", status)
	}
}

func TestReachable(t *testing.T) {
	for listen, want := range map[string]string{
		":9464": "localhost:9464", "0.0.0.0:1": "localhost:1", "[::]:1": "localhost:1", "10.0.0.1:1": "10.0.0.1:1",
	} {
		if got := reachable(listen); got != want {
			t.Errorf("%s is reached at %s, want %s", listen, got, want)
		}
	}
}

func TestIsLocal(t *testing.T) {
	for address, want := range map[string]bool{"127.0.0.1": true, "::1": true, "0.0.0.0": false, "10.0.0.1": false} {
		if got := isLocal(&net.TCPAddr{IP: net.ParseIP(address)}); got != want {
			t.Errorf("%s is local: %v", address, got)
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
	refused(t, cli.ExitFailure, nil, []string{"--listen=127.0.0.1:0", "--data", t.TempDir(), "--status-listen",
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
