package main

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"notakto/internal/testkit"
	"notakto/match"
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

func TestStatusSaysWhyTheServerIsNotReady(t *testing.T) {
	s := &status{}
	front := httptest.NewServer(s.handler())
	defer front.Close()
	errStuck := errors.New("the store stands still")
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
		{[]admin.Check{{Name: "a", Text: "b"}, {Name: "draining", Text: "c"}}, errStuck, 503,
			"[-]a: b\n[-]draining: c\n", "[-]a: b\n[-]draining: c\n"},
	} {
		if test.checks != nil {
			asked := 0
			s.setSources(statusSources{checks: func() []admin.Check { return test.checks }, version: version(),
				alive: func() error {
					if asked++; asked > 1 {
						return nil // the store may recover while /livez answers
					}
					return test.alive
				},
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
	at := front.Listener.Addr().String()
	refused(t, cli.ExitFailure, nil, []string{"health", "--status", at}, "503", "[-]a: b; [-]draining: c")
}
