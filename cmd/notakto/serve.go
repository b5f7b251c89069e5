package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/pflag"

	"notakto/internal/garbage"
	"notakto/sshapp/cli"
)

const aboutServe = `Run the server until it is told to stop.

It keeps its host key in the data directory and logs on standard error; the line "ready" says the address
and the key's fingerprint. SIGTERM or Ctrl-C stops it: players read a notice first. A second signal stops it at
once. SIGUSR2, or SIGTERM with --finish-matches, lets the matches end first. SIGHUP reads the settings again.
notakto config prints all settings; the help lists those that most servers need.`

func serveCommand() cli.Command {
	return cli.Command{
		Use: "serve", Short: "Run the server; the default", Long: aboutServe,
		Example: "notakto serve --listen :22 --data /var/lib/notakto",
		Flags:   func(f *pflag.FlagSet) { defaults().register(f) }, Choices: settingChoices(),
		Run: func(_ context.Context, call *cli.Call, _ []string) (a cli.Answer, err error) {
			c, err := readConfiguration(call.Flags)
			if err == nil {
				err = c.validateForServer()
			}
			if err != nil {
				return a, cli.Usage(err)
			}
			return a, c.serve(call.Flags)
		},
	}
}

func settingChoices() map[string][]string {
	return map[string][]string{
		"guests": {"true", "false"}, "status-pprof": {"true", "false"}, "log-level": {"debug", "info", "warn", "error"},
		"log-format": {"text", "json", "logfmt"}, "log-addresses": {"full", "prefix", "none"},
	}
}

// serve runs the server until a signal stops it. From here on, no other code of the process may catch signals.
func (c *configuration) serve(given *pflag.FlagSet) error {
	signals := make(chan os.Signal, 2) // one to stop, one to stop at once
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	requests := make(chan os.Signal, 2) // one to reload, one to drain
	signal.Notify(requests, operatorSignals()...)
	defer signal.Stop(requests)
	garbage.Limit()
	signal.Ignore(syscall.SIGPIPE) // a closed log is no reason to drop the players
	logger, level, flush := newLogger(os.Stderr, c.log)
	defer flush()
	for _, warning := range c.unknownVariables() {
		logger.Warn(warning, "event", "variable-unknown")
	}
	slog.SetDefault(logger) // the SSH library logs a recovered panic there
	starting, stopNotify := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stopNotify()
	app, err := openUntil(starting, c.settings, logger, level)
	switch {
	case err == nil:
		app.reloader = &reloader{given, map[string]string{}, level}
		eachSetting(c.flags, func(f *pflag.Flag) { app.reloader.values[f.Name] = f.Value.String() })
		return app.run(signals, requests)
	case starting.Err() != nil:
		logger.Info("stopped before it was ready", "event", "stopped-early", "reason", err)
		return nil
	default:
		return err
	}
}

// cleanUpWithin is the time that an interrupted start gets to close the parts that it has opened.
const cleanUpWithin = 500 * time.Millisecond

// errStartUnfinished reports an interrupted start that did not end in time. Exiting is then as safe as killing the
// process, because all recorded events are on the disk.
var errStartUnfinished = errors.New("the start was still waiting for a disk or another server")

// openUntil calls open, but returns at most cleanUpWithin after the end of ctx. If open still runs, openUntil returns
// errStartUnfinished and the caller must end the process.
func openUntil(ctx context.Context, s *settings, logger *slog.Logger, level *slog.LevelVar) (*app, error) {
	var a *app
	opened := make(chan error, 1)
	go func() {
		var err error
		a, err = open(ctx, s, logger, level)
		opened <- err
	}()
	select {
	case err := <-opened:
		return a, err
	case <-ctx.Done():
	}
	select {
	case err := <-opened:
		return a, err
	case <-time.After(cleanUpWithin):
		return nil, errStartUnfinished
	}
}

// listen opens a TCP listener on address, the value of the setting flag. The error advises another value of flag, and
// shows the value of the parameter example.
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
