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
	"syscall"
	"time"

	"notakto/internal/interrupt"
	"notakto/internal/rig"
)

var errServer = errors.New("server process")

// server is a server under test in its own process. After the first error its methods do nothing.
type server struct {
	*rig.Server
	*options
	ctx context.Context
	err error // the first one
}

// startEcho runs this program again as the echo.
func (o *options) startEcho(ctx context.Context) *server {
	self, err := os.Executable()
	if err != nil {
		return &server{ctx: ctx, err: err}
	}
	cmd := exec.CommandContext(ctx, self)
	cmd.Env = append(os.Environ(), echoVariable+"=1")
	return o.start(ctx, cmd)
}

// startNotakto runs notakto on a data directory, without the limits that would reject thousands of players from one
// address.
func (o *options) startNotakto(ctx context.Context, data string) *server {
	return o.start(ctx, exec.CommandContext(ctx, o.binary, "serve", "--data", data, "--listen", "127.0.0.1:0",
		"--log-format", "json", "--status-listen", "127.0.0.1:0", "--status-pprof=true",
		"--max-sessions", "15000", "--max-logins", "1000",
		"--max-sessions-per-address", "15000", "--max-login-rate", "100000", "--max-input-rate", "1000000",
		"--max-match-rate", "1000000"))
}

// start starts a server and waits until it is ready. The end of ctx kills the process.
func (o *options) start(ctx context.Context, cmd *exec.Cmd) *server {
	s := &server{options: o, ctx: ctx}
	if s.Server, s.err = rig.Start(cmd, nil); s.err == nil {
		s.err = s.Ready(ctx)
	}
	return s
}

// do runs a step unless there is an error.
func (s *server) do(step func() error) {
	if s.err == nil {
		s.err = step()
	}
}

func (s *server) pause(d time.Duration) { s.do(func() error { return interrupt.Pause(s.ctx, d) }) }

// stop stops the process with a signal, after an error too.
func (s *server) stop(sig syscall.Signal) {
	if s.Server != nil {
		s.err = errors.Join(s.err, s.Stop(sig))
	}
}

// get reads a page under /debug/pprof/ of the server.
func (s *server) get(page string) (text string) {
	s.do(func() error {
		address := "http://" + s.Address("status") + "/debug/pprof/" + page
		request, err := http.NewRequestWithContext(s.ctx, http.MethodGet, address, nil)
		if err != nil {
			return err
		}
		request.Close = true
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			return err
		}
		defer func() { _ = response.Body.Close() }()
		body, err := io.ReadAll(response.Body)
		if err == nil && response.StatusCode != http.StatusOK {
			err = fmt.Errorf("%w answered %s to %s", errServer, response.Status, page)
		}
		text = string(body)
		return err
	})
	return text
}

// weigh collects the server's garbage and returns its resident KB and the number of its goroutines. First it waits
// until the resident memory stays the same for a while, because the runtime returns freed memory to the system later.
func (s *server) weigh() (resident, goroutines float64) {
	if s.err != nil {
		return 0, 0
	}
	for range 5 { // a collection shrinks a stack by half at most
		s.get("heap?gc=1")
	}
	const patience = 20
	for range patience {
		before := resident
		if resident = float64(s.Figures().Memory); before > 0 && before-resident < before/500 {
			break
		}
		s.pause(s.window() / 5)
	}
	text := s.get("goroutine?debug=1")
	s.do(func() error {
		_, err := fmt.Sscanf(text, "goroutine profile: total %g", &goroutines)
		return err
	})
	return resident, goroutines
}

// keep writes a page under /debug/pprof/ of the server to the directory of -profile, if there is one.
func (s *server) keep(page, name string) {
	if s.profile == "" {
		return
	}
	text := s.get(page)
	file := filepath.Join(s.profile, strings.ReplaceAll(name, " ", "-")+".pprof")
	s.do(func() error { return os.WriteFile(file, []byte(text), 0o600) })
}

// used returns the CPU time that the server uses while do runs. With -profile, a CPU profile of that time is kept
// under name.
func (s *server) used(name string, do func()) time.Duration {
	if s.err != nil {
		return 0
	}
	profiler, profiled := *s, make(chan struct{})
	go func() {
		defer close(profiled)
		profiler.keep(fmt.Sprintf("profile?seconds=%d", min(s.seconds, 8)), name)
	}()
	before := s.Figures().CPU
	do()
	used := s.Figures().CPU - before
	<-profiled
	s.do(func() error { return profiler.err })
	return used
}
