package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"notakto/internal/interrupt"
	"notakto/internal/rig"
)

var errServer = errors.New("server process")

// server is a server under test in its own process.
type server struct{ *rig.Server }

// startEcho runs this program again as the echo.
func startEcho(ctx context.Context) (server, error) {
	self, err := os.Executable()
	if err != nil {
		return server{}, err
	}
	cmd := exec.CommandContext(ctx, self)
	cmd.Env = append(os.Environ(), echoVariable+"=1")
	return start(ctx, cmd)
}

// startNotakto runs notakto on a data directory, without the limits that would reject thousands of players from one
// address.
func (o *options) startNotakto(ctx context.Context, data string) (server, error) {
	return start(ctx, exec.CommandContext(ctx, o.binary, "serve", "--data", data, "--listen", "127.0.0.1:0",
		"--log-format", "json", "--status-listen", "127.0.0.1:0", "--status-pprof=true",
		"--max-sessions", "15000", "--max-logins", "1000",
		"--max-sessions-per-address", "15000", "--max-login-rate", "100000", "--max-input-rate", "1000000",
		"--max-match-rate", "1000000"))
}

// start starts a server and waits until it is ready. The end of ctx kills the process.
func start(ctx context.Context, cmd *exec.Cmd) (server, error) {
	s, err := rig.Start(cmd, nil)
	if err == nil {
		err = s.Ready(ctx)
	}
	return server{s}, err
}

// get reads a page under /debug/pprof/ of the server.
func (s server) get(ctx context.Context, page string) (string, error) {
	address := "http://" + s.Address("status") + "/debug/pprof/" + page
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return "", err
	}
	request.Close = true
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("%w answered %s to %s", errServer, response.Status, page)
	}
	return string(text), err
}

// weigh collects the server's garbage and returns its resident KB and the number of its goroutines. First it waits
// until the resident memory stays the same for calm, because the runtime returns freed memory to the system later.
func (s server) weigh(ctx context.Context, calm time.Duration) (resident, goroutines int, err error) {
	for range 5 { // a collection shrinks a stack by half at most
		if _, err := s.get(ctx, "heap?gc=1"); err != nil {
			return 0, 0, err
		}
	}
	const patience = 20
	for range patience {
		before := resident
		if resident = s.Figures().Memory; before > 0 && before-resident < before/500 {
			break
		}
		if err := interrupt.Pause(ctx, calm); err != nil {
			return 0, 0, err
		}
	}
	text, err := s.get(ctx, "goroutine?debug=1")
	if err == nil {
		_, err = fmt.Sscanf(text, "goroutine profile: total %d", &goroutines)
	}
	return resident, goroutines, err
}

// keep writes a page under /debug/pprof/ of the server to the directory of -profile, if there is one.
func (o *options) keep(ctx context.Context, s server, page, name string) error {
	if o.profile == "" {
		return nil
	}
	text, err := s.get(ctx, page)
	if err != nil {
		return err
	}
	file := filepath.Join(o.profile, strings.ReplaceAll(name, " ", "-")+".pprof")
	return os.WriteFile(file, []byte(text), 0o600)
}

// used returns the CPU time that the server uses while do runs. With -profile, a CPU profile of that time is kept
// under name.
func (o *options) used(ctx context.Context, s server, name string, do func() error) (time.Duration, error) {
	profiled := make(chan error, 1)
	go func() { profiled <- o.keep(ctx, s, fmt.Sprintf("profile?seconds=%d", min(o.seconds, 8)), name) }()
	before := s.Figures().CPU
	if err := do(); err != nil {
		return 0, err
	}
	used := s.Figures().CPU - before
	return used, <-profiled
}
