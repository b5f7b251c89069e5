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

func passedListener() (net.Listener, error) {
	files := activation.Files(true)
	if len(files) == 0 {
		return nil, nil
	}
	defer func() {
		for _, f := range files {
			_ = f.Close() // FileListener has duplicated the descriptor
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

// service tells systemd the state of the server. Without systemd its methods have no effect.
type service struct {
	log        *slog.Logger
	alive      func() error  // see statusSources.alive
	statusLine func() string // the line of systemctl status
}

// supervise tells systemd that the server is ready. Until end is called, its goroutine notifies systemd's watchdog
// twice in each of the watchdog's intervals. While alive returns an error, the watchdog gets no notice and systemd
// restarts the process.
func (s *service) supervise() (end func()) {
	s.tell(daemon.SdNotifyReady, "STATUS="+s.statusLine())
	within, err := daemon.SdWatchdogEnabled(false)
	if err != nil {
		s.log.Warn("cannot read the time of the watchdog", "event", "systemd-failed", "error", err)
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
					s.tell(daemon.SdNotifyWatchdog, "STATUS="+s.statusLine())
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

// tell sends state to systemd. Without a systemd that waits for notices it has no effect.
func (s *service) tell(state ...string) {
	if _, err := daemon.SdNotify(false, strings.Join(state, "\n")); err != nil {
		s.log.Warn("cannot tell systemd the state of the server", "event", "systemd-failed", "state", state[0], "error", err)
	}
}
