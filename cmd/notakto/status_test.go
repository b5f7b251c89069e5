package main

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"notakto/internal/testkit"
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
	answers := func(all ...string) { // each is a method, a path, the status and the text
		t.Helper()
		for _, want := range all {
			method, rest, _ := strings.Cut(want, " ")
			path, _, _ := strings.Cut(rest, " ")
			code, text := asks(t, method, front.URL+path)
			testkit.Equal(t, fmt.Sprintf("%s %s %d %s", method, path, code, text), want)
		}
	}
	stuck := error(nil)
	sources := func(checks ...admin.Check) {
		asked := 0
		s.setSources(statusSources{
			checks: func() []admin.Check { return checks }, version: version(), alive: func() error {
				if asked++; asked > 1 {
					return nil // the store may recover while /livez answers
				}
				return stuck
			},
		})
	}
	const starting = "503 [-]start: the server is starting\n"
	answers("GET /readyz "+starting, "GET /readyz?verbose "+starting, "GET /livez 200 ok\n")
	sources(admin.Check{Name: "journal", OK: true, Text: "ok"}, admin.Check{Name: "history", OK: true, Text: "reads"})
	answers("GET /readyz 200 ok\n", "GET /readyz?verbose 200 [+]journal ok\n[+]history reads\n", "GET /livez 200 ok\n")
	sources(admin.Check{Name: "journal", OK: true, Text: "ok"}, admin.Check{Name: "disk", Text: "it is full"})
	answers("GET /readyz 503 [-]disk: it is full\n",
		"GET /readyz?verbose 503 [+]journal ok\n[-]disk: it is full\n")
	stuck = errors.New("the store stands still")
	sources(admin.Check{Name: "a", Text: "b"}, admin.Check{Name: "draining", Text: "c"})
	answers("GET /livez 503 the store stands still\n", "GET /readyz 503 [-]a: b\n[-]draining: c\n",
		"HEAD /readyz 503 ", "HEAD /version 200 ", "POST /readyz 405 Method Not Allowed\n",
		"GET / 404 404 page not found\n", "GET /debug/pprof/heap 404 404 page not found\n")
	refused(t, cli.ExitFailure, nil, []string{"health", "--status", front.Listener.Addr().String()},
		"503", "[-]a: b; [-]draining: c")
}
