package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"syscall"
	"time"

	"notakto/internal/rig"
	"notakto/match"
)

// server is a server under test in its own process. After the first error its methods do nothing.
type server struct {
	*rig.Server
	*options
	ctx context.Context
	err error // the first one
}

// startEcho runs this program again as the echo.
func (o *options) startEcho(ctx context.Context) (*server, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), echoVariable+"=1")
	return o.start(ctx, cmd)
}

// startNotakto runs notakto on a data directory, without the limits that would reject thousands of players from one
// address.
func (o *options) startNotakto(ctx context.Context, data string) (*server, error) {
	return o.start(ctx, exec.Command(o.binary, "serve", "--data", data, "--listen", "127.0.0.1:0",
		"--log-format", "json", "--status-listen", "127.0.0.1:0", "--status-pprof=true",
		"--max-sessions", "15000", "--max-logins", "1000",
		"--max-sessions-per-address", "15000", "--max-login-rate", "100000", "--max-input-rate", "1000000",
		"--max-match-rate", "1000000"))
}

// start starts a server and waits until it is ready. The caller calls kill.
func (o *options) start(ctx context.Context, cmd *exec.Cmd) (*server, error) {
	s := &server{options: o, ctx: ctx}
	if s.Server, s.err = rig.Start(cmd, nil); s.err != nil {
		return nil, s.err
	}
	if err := s.Ready(ctx); err != nil {
		s.kill()
		return nil, err
	}
	return s, nil
}

// kill ends the process, if it still runs, and waits for its end.
func (s *server) kill() {
	_ = s.Signal(syscall.SIGKILL)
	<-s.Gone()
}

// do runs a step unless there is an error.
func (s *server) do(step func() error) {
	if s.err == nil {
		s.err = step()
	}
}

func (s *server) pause(d time.Duration) { s.do(func() error { return match.Sleep(s.ctx, d) }) }

// get reads a page under /debug/pprof/ of the server.
func (s *server) get(page string) (text []byte) {
	s.do(func() error {
		response, err := http.Get("http://" + s.Address("status") + "/debug/pprof/" + page)
		if err != nil {
			return err
		}
		defer func() { _ = response.Body.Close() }()
		if response.StatusCode != http.StatusOK {
			return fmt.Errorf("the server answers to %s: %s", page, response.Status)
		}
		text, err = io.ReadAll(response.Body)
		return err
	})
	return text
}

// collect makes the server collect its garbage.
func (s *server) collect() { s.get("heap?gc=1") }

// weigh collects the server's garbage, waits until the resident memory no longer shrinks, and returns that memory in KB
// and the number of goroutines. The wait is needed because the runtime returns freed memory to the system later.
func (s *server) weigh() (resident, goroutines float64) {
	for range 5 { // a collection shrinks a stack by half at most
		s.collect()
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
		_, err := fmt.Sscanf(string(text), "goroutine profile: total %g", &goroutines)
		return err
	})
	return resident, goroutines
}

// used returns the CPU time that the server uses while do runs.
func (s *server) used(do func()) time.Duration {
	before := s.Figures().CPU
	do()
	return s.Figures().CPU - before
}

// idle returns the CPU that the server uses at rest during a window, in percent of a core.
func (s *server) idle(window time.Duration) float64 {
	return 100 * s.used(func() { s.pause(window) }).Seconds() / window.Seconds()
}
