package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/coreos/go-systemd/v22/activation"
	"github.com/coreos/go-systemd/v22/daemon"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"notakto/internal/garbage"
	"notakto/sshapp/admin"
	"notakto/sshapp/command"
)

const aboutServe = `Run the server until it is told to stop.

It keeps its host key in the data directory and logs on standard error; the line "ready" says the address
and the key's fingerprint. SIGTERM or Ctrl-C stops it in good order, a second one at once. SIGUSR2 lets the
matches end before it stops, and so does SIGTERM with --lame-duck. SIGHUP reads the settings again.
notakto config prints all settings, the help those that most servers need.`

func newServe() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "serve",
		Short:   "Run the server; the default",
		Long:    aboutServe,
		Example: "notakto serve --listen :22 --data /var/lib/notakto",
		Args:    command.NoArguments,
	}
	serving(cmd)
	return cmd
}

// serving makes cmd run the server, with a flag for every setting.
func serving(cmd *cobra.Command) {
	addSettings(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		c, err := configured(cmd.Flags())
		if err != nil {
			return err
		}
		if err := c.validate(); err != nil {
			return err
		}
		return command.RuntimeError(c.serve(cmd.Flags()))
	}
}

// addSettings gives cmd a flag for every setting. [configured] returns what is set by them, and otherwise.
func addSettings(cmd *cobra.Command) {
	defaults().register(cmd.Flags())
	complete(cmd, "sync", "always", "interval")
	complete(cmd, "guests", "true", "false")
	complete(cmd, "status-pprof", "true", "false")
	complete(cmd, "log-level", "debug", "info", "warn", "error")
	complete(cmd, "log-format", "text", "json", "logfmt")
	complete(cmd, "log-addresses", "full", "prefix", "none")
}

// complete sets the shell completions of a flag. It fails only for a flag that does not exist.
func complete(cmd *cobra.Command, flag string, choices ...string) {
	if err := cmd.RegisterFlagCompletionFunc(flag,
		cobra.FixedCompletions(choices, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err)
	}
}

// serve runs the server until a signal stops it. From then on nothing else in the program catches signals.
func (c *configuration) serve(given *pflag.FlagSet) error {
	signals := make(chan os.Signal, 2) // two: one to stop, one to stop at once
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	requests := make(chan os.Signal, 2) // one of each
	signal.Notify(requests, operatorSignals()...)
	defer signal.Stop(requests)
	garbage.Limit()
	signal.Ignore(syscall.SIGPIPE) // a closed log is no reason to drop the players
	logger, setLevel, flush := newLogger(os.Stderr, c.log)
	defer flush()
	for _, warning := range c.unknownVariables() {
		logger.Warn(warning, "event", "variable-unknown")
	}
	slog.SetDefault(logger) // the SSH library logs a recovered panic there
	starting, ready := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer ready()
	app, err := openUntil(starting, c.settings, logger)
	switch {
	case err == nil:
		app.reloader = newReloader(given, c, setLevel)
		return app.run(signals, requests)
	case starting.Err() != nil:
		logger.Info("stopped before it was ready", "event", "stopped-early", "reason", err)
		return nil
	default:
		return err
	}
}

// cleanUpWithin is how long an interrupted start may take to close what it has opened.
const cleanUpWithin = 500 * time.Millisecond

// errLeft says that a start did not end in time. Exiting then is as safe as killing the process: what was recorded is
// on the disk.
var errLeft = errors.New("the start was still waiting for a disk or another server")

// openUntil calls open, but returns at most cleanUpWithin after the end of ctx. Then open may still run, and the caller
// must end the process.
func openUntil(ctx context.Context, s *settings, logger *slog.Logger) (*app, error) {
	var h *app
	opened := make(chan error, 1)
	go func() {
		var err error
		h, err = open(ctx, s, logger)
		opened <- err
	}()
	select {
	case err := <-opened:
		return h, err
	case <-ctx.Done():
	}
	select {
	case err := <-opened:
		return h, err
	case <-time.After(cleanUpWithin):
		return nil, errLeft
	}
}

// listenSSH returns the port for players: that which systemd opened, or else that of the setting.
func listenSSH(address string) (net.Listener, error) {
	if passed, err := passedListener(); passed != nil || err != nil {
		return passed, err
	}
	return listen(address, "listen", ":2223")
}

// listen opens the port of a flag. The text of its error says what to do, with another address as an example.
func listen(address, flag, example string) (net.Listener, error) {
	listener, err := net.Listen("tcp", address)
	if err == nil {
		return listener, nil
	}
	choose := fmt.Sprintf("choose another with --%s, such as --%[1]s %s, or %s", flag, example, variable(flag))
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("cannot listen on %s: another program has that port; %s: %w", address, choose, err)
	case errors.Is(err, syscall.EACCES):
		return nil, fmt.Errorf("cannot listen on %s: ports below 1024 need the right to (CAP_NET_BIND_SERVICE); %s: %w",
			address, choose, err)
	default:
		return nil, fmt.Errorf("cannot listen on %s; %s: %w", address, choose, err)
	}
}

// passedListener returns the listener that systemd opened for this process, or nil if it opened none.
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

// service is the running server as a service of systemd's, which may have started the process or not.
type service struct {
	log      *slog.Logger
	alive    func() error  // why only a restart helps; never blocks
	standing func() string // what systemctl status shows
}

// supervise tells systemd, if that waits for it, that the server is ready. From then on until end it tells at half the
// time of systemd's watchdog that the process works. While only a restart helps, as /livez has it, it tells nothing,
// and systemd restarts the process.
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

// tell sends systemd a state of the service. It does nothing if systemd did not start the process as one that tells.
func (s *service) tell(state ...string) {
	if _, err := daemon.SdNotify(false, strings.Join(state, "\n")); err != nil {
		s.log.Warn("systemd was not told the state", "event", "systemd-failed", "state", state[0], "error", err)
	}
}

// reloader reads the settings again while the server runs, and applies what can change then.
type reloader struct {
	given    *pflag.FlagSet
	values   map[string]string // of the settings that the server runs with
	setLevel func(level string)
}

func newReloader(given *pflag.FlagSet, c *configuration, setLevel func(string)) *reloader {
	r := &reloader{given, map[string]string{}, setLevel}
	each(c.flags, func(f *pflag.Flag) { r.values[f.Name] = f.Value.String() })
	return r
}

// changes returns the names of the settings that differ from those that the server runs with, and notes the new values
// of those that are applied.
func (r *reloader) changes(next *pflag.FlagSet) (applied, restart []string) {
	each(next, func(f *pflag.Flag) {
		switch value := f.Value.String(); {
		case value == r.values[f.Name]:
		case has(f, isLive):
			applied = append(applied, f.Name)
			r.values[f.Name] = value
		default:
			restart = append(restart, f.Name)
		}
	})
	return applied, restart
}

// reloads is what monitors read of the reloads.
type reloads struct {
	failed atomic.Bool  // the last one
	at     atomic.Int64 // when the settings were last read, in Unix seconds
}

// reloadAnswer is what has come of a reload.
type reloadAnswer struct {
	changed admin.Reloaded
	err     error
}

// process is the program for administrators. It implements [admin.Process].
type process struct {
	*app
	inCluster bool
}

var _ admin.Process = process{}

// errStopping says that the settings are not read any more.
var errStopping = errors.New("the server is stopping")

// reloadWithin is how long a reload waits for its turn.
const reloadWithin = 5 * time.Second

// Reload implements [admin.Process].
func (p process) Reload() (admin.Reloaded, error) {
	answer := make(chan reloadAnswer, 1)
	select {
	case p.reloadAsked <- answer:
		a := <-answer
		return a.changed, a.err
	case <-time.After(reloadWithin):
		return admin.Reloaded{}, errStopping
	}
}

// LogLevel implements [admin.Process].
func (p process) LogLevel() string {
	for _, name := range admin.Levels() {
		var level slog.Level
		if err := level.UnmarshalText([]byte(name)); err == nil && p.log.Enabled(context.Background(), level) {
			return name
		}
	}
	return ""
}

// SetLogLevel implements [admin.Process].
func (p process) SetLogLevel(level string) { p.reloader.setLevel(level) }

// reload reads flags, variables and the file again. After an error nothing has changed.
func (h *app) reload() (changed admin.Reloaded, err error) {
	next, err := configured(h.reloader.given)
	if err == nil {
		err = next.validate()
	}
	if err == nil {
		err = h.admins.SetFiles(next.keys.admins, next.keys.players)
	}
	if err == nil {
		err = h.server.SetLimits(next.ssh)
	}
	h.reloads.failed.Store(err != nil)
	if err != nil {
		h.log.Error("the settings were not reloaded, and stay as they are", "event", "reload-failed", "error", err)
		return changed, err
	}
	for _, warning := range next.unknownVariables() {
		h.log.Warn(warning, "event", "variable-unknown")
	}
	applied, restart := h.reloader.changes(next.flags)
	h.reloads.at.Store(time.Now().Unix())
	h.stopping = next.stop
	h.reloader.setLevel(next.log.level)
	h.log.Info("reloaded", "event", "reload", "changed", strings.Join(applied, ","))
	if len(restart) > 0 {
		h.log.Warn("some settings change with a restart only, and stay as they are",
			"event", "restart-needed", "settings", strings.Join(restart, ","))
	}
	return admin.Reloaded{Applied: named(applied), Restart: named(restart)}, nil
}

// named returns names, and an empty list, which is JSON as well, for none.
func named(names []string) []string { return append([]string{}, names...) }
