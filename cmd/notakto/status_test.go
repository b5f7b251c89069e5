package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"syscall"
	"testing"
	"time"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/store"
	"notakto/sshapp/cli"
	"notakto/sshapp/cli/admin"
)

func asks(t *testing.T, method, url string) (int, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	testkit.OK(t, err)
	answer, err := http.DefaultClient.Do(request)
	testkit.OK(t, err)
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	testkit.OK(t, err)
	return answer.StatusCode, string(text)
}

// The store may recover while /livez answers.
func TestLivezAsksOnce(t *testing.T) {
	s, asked := &status{}, 0
	s.setSources(statusSources{alive: func() error {
		if asked++; asked > 1 {
			return nil
		}
		return errors.New("the store stands still")
	}})
	front := httptest.NewServer(s.handler())
	defer front.Close()
	if code, text := asks(t, http.MethodGet, front.URL+"/livez"); code != 503 || text != "the store stands still\n" {
		t.Errorf("/livez is answered by %d %q", code, text)
	}
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
		{[]admin.Check{{Name: "journal", OK: true, Text: "ok"}, {Name: "history", OK: true, Text: "still reads"}},
			nil, 200,
			"ok\n",
			"[+]journal ok\n[+]history still reads\n"},
		{[]admin.Check{{Name: "journal", OK: true, Text: "ok"}, {Name: "disk", Text: match.ErrUnavailable.Error()}},
			nil, 503,
			"[-]disk: " + match.ErrUnavailable.Error() + "\n",
			"[+]journal ok\n[-]disk: " + match.ErrUnavailable.Error() + "\n"},
		{[]admin.Check{{Name: "draining", Text: match.ErrDraining.Error()}}, dead, 503,
			"[-]draining: " + match.ErrDraining.Error() + "\n", "[-]draining: " + match.ErrDraining.Error() + "\n"},
	} {
		if test.checks != nil {
			s.setSources(statusSources{
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

func TestHealthFailsWhereTheServerIsNotReady(t *testing.T) {
	s := &status{}
	front := httptest.NewServer(s.handler())
	defer front.Close()
	s.setSources(statusSources{
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

func TestDialAddress(t *testing.T) {
	for listen, want := range map[string]string{
		":9464": "localhost:9464", "0.0.0.0:1": "localhost:1", "[::]:1": "localhost:1", "10.0.0.1:1": "10.0.0.1:1",
	} {
		testkit.Equal(t, dialAddress(listen), want, listen)
	}
}

func TestIsLocal(t *testing.T) {
	for address, want := range map[string]bool{"127.0.0.1": true, "::1": true, "0.0.0.0": false, "10.0.0.1": false} {
		testkit.Equal(t, isLocal(&net.TCPAddr{IP: net.ParseIP(address)}), want, address)
	}
}

// Without a status address the server opens no port for it. With one it answers until the end.
func TestServeHasAStatus(t *testing.T) {
	t.Parallel()
	s := start(t, []string{"NOTAKTO_STATUS_LISTEN=127.0.0.1:0"}, "--listen=127.0.0.1:0", "--data", t.TempDir())
	for range 10 { // 400 silent clients used to make a health check wait for 25 seconds
		for range 40 {
			silent, err := net.Dial("tcp", s.status)
			testkit.OK(t, err)
			defer silent.Close()
		}
		asked := time.Now()
		if code, text := asks(t, http.MethodGet, "http://"+s.status+"/readyz"); code != 200 || text != "ok\n" {
			t.Errorf("it answers %d %q", code, text)
		}
		if took := time.Since(asked); took > statusHeaderRead/2 {
			t.Errorf("it answers after %v", took)
		}
	}
	_, verbose := asks(t, http.MethodGet, "http://"+s.status+"/readyz?verbose")
	testkit.Equal(t, verbose, "[+]store ok\n[+]draining no\n")
	_, version := asks(t, http.MethodGet, "http://"+s.status+"/version")
	testkit.Contains(t, version, `{"version":"9.8.7",`, fmt.Sprintf(`"data":%d`, store.Schema))
	refused(t, cli.ExitFailure, nil, []string{"--listen=127.0.0.1:0", "--data", t.TempDir(), "--status-listen",
		s.status}, "--status-listen")
	s.signal(t, syscall.SIGTERM)
	s.stopped(t, 5*time.Second)
}
