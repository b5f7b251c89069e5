package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"notakto/cmd/internal/garbage"
	"notakto/sshapp/command"
)

const aboutServe = `Run the server until it is told to stop.

It keeps its host key in the data directory and logs on standard error; the line "ready" says the address and the key's fingerprint.
SIGTERM or Ctrl-C stops it in good order, a second one at once.`

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

// serving makes running the server what cmd does, with a flag for every setting.
func serving(cmd *cobra.Command) {
	s := defaults()
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := readEnvironment(cmd.Flags()); err != nil {
			return err
		}
		if err := s.agree(); err != nil {
			return err
		}
		return command.Failed(serve(s))
	}
	s.register(cmd.Flags())
	complete(cmd, "log-level", "debug", "info", "warn", "error")
	complete(cmd, "log-format", "text", "json", "logfmt")
}

// complete says what a shell may put in for a flag. It fails only for a flag that does not exist.
func complete(cmd *cobra.Command, flag string, choices ...string) {
	if err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(choices, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err)
	}
}

// serve runs the server until a signal stops it. From here on nothing else in the program catches signals.
func serve(s *settings) error {
	signals := make(chan os.Signal, 2) // two: the one that stops, and the one that is in a hurry
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	hangups := make(chan os.Signal, 1) // of a terminal that was closed, or of an operator who expects the settings to be read again
	signal.Notify(hangups, syscall.SIGHUP)
	defer signal.Stop(hangups)
	garbage.Limit()
	signal.Ignore(syscall.SIGPIPE) // a log that nobody reads any more is no reason to drop the players
	logger, err := newLogger(os.Stderr, s)
	if err != nil {
		return err
	}
	starting, ready := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer ready()
	house, err := open(starting, s, logger)
	switch {
	case err == nil:
		return house.run(signals, hangups)
	case starting.Err() != nil:
		logger.Info("stopped before it was ready", "reason", err)
		return nil
	default:
		return err
	}
}
