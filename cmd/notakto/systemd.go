package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-systemd/v22/activation"
	"github.com/coreos/go-systemd/v22/daemon"
)

// passedListener returns the listener that systemd opened for this process, or nil if there is none.
func passedListener() (net.Listener, error) {
	files := activation.Files(true)
	if len(files) == 0 {
		return nil, nil
	}
	defer func() {
		for _, f := range files {
			_ = f.Close() // the listener has a descriptor of its own
		}
	}()
	if len(files) > 1 {
		return nil, fmt.Errorf("systemd passed %d sockets: want one ListenStream= in notakto.socket", len(files))
	}
	listener, err := net.FileListener(files[0])
	if err != nil {
		return nil, fmt.Errorf("systemd passed a socket that cannot be used: %w", err)
	}
	if _, ok := listener.(*net.TCPListener); !ok {
		_ = listener.Close()
		return nil, fmt.Errorf("systemd passed a socket of the kind %s: want a TCP port in ListenStream=",
			listener.Addr().Network())
	}
	return listener, nil
}

// service is the running server as a service of systemd. Without systemd its methods do nothing.
type service struct {
	log      *slog.Logger
	alive    func() error  // an error if only a restart helps; never blocks
	standing func() string // what systemctl status shows
}

// supervise tells systemd that the server is ready. Until end is called, supervise also tells systemd's watchdog that
// the process works, twice in each of the watchdog's intervals. While alive returns an error, as for /livez, supervise
// tells the watchdog nothing, so systemd restarts the process.
func (s *service) supervise() (end func()) {
	s.tell(daemon.SdNotifyReady, "STATUS="+s.standing())
	within, err := daemon.SdWatchdogEnabled(false)
	if err != nil {
		s.log.Warn("the watchdog's time cannot be read", "event", "systemd-failed", "error", err)
	}
	if within <= 0 {
		return func() {}
	}
	ctx, cancel := context.WithCancel(context.Background())
	var watchdog sync.WaitGroup
	watchdog.Go(func() {
		ticks := time.NewTicker(max(within/2, time.Millisecond))
		defer ticks.Stop()
		for {
			select {
			case <-ticks.C:
				if s.alive() == nil {
					s.tell(daemon.SdNotifyWatchdog, "STATUS="+s.standing())
				}
			case <-ctx.Done():
				return
			}
		}
	})
	return func() {
		cancel()
		watchdog.Wait()
	}
}

// tell sends systemd a state of the service. It does nothing unless systemd started the process as a service that
// reports its state.
func (s *service) tell(state ...string) {
	if _, err := daemon.SdNotify(false, strings.Join(state, "\n")); err != nil {
		s.log.Warn("systemd was not told the state", "event", "systemd-failed", "state", state[0], "error", err)
	}
}
