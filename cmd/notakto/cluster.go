package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"notakto/match/journal/natsd"
	"notakto/sshapp/command"
)

const aboutCluster = `See and repair a cluster of servers, from the machine of one of them.

Give the same settings as to the server: as flags, as NOTAKTO_... variables or in its file.
The server may run at the same time, but not for "leave".`

// clusterTime is the time limit of a cluster command.
const clusterTime = 2 * time.Minute

func newCluster() *cobra.Command {
	cmd := &cobra.Command{
		Use: "cluster", Short: "See and repair a cluster of servers", Long: aboutCluster, Args: command.NoArguments,
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	cmd.AddCommand(
		clusterCommand("status", "Say which servers are up, and how the copies of the matches are", nil, showCluster),
		clusterCommand("remove NAME", "Remove a server that is lost for good", cobra.ExactArgs(1), removeMember),
		clusterCommand("leave", "Make the last server that is left one of its own", nil, leaveCluster),
	)
	return cmd
}

// clusterAction runs a cluster command and writes the result to w.
type clusterAction func(ctx context.Context, cfg natsd.Config, args []string, w io.Writer) error

// clusterCommand returns a command that takes the settings of the cluster.
func clusterCommand(use, short string, args cobra.PositionalArgs, do clusterAction) *cobra.Command {
	cmd := &cobra.Command{Use: use, Short: short, Args: args, ValidArgsFunction: cobra.NoFileCompletions}
	if args == nil {
		cmd.Args = command.NoArguments
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		s, err := configured(cmd.Flags())
		if err != nil {
			return err
		}
		if err := s.validate(); err != nil {
			return err
		}
		if s.cluster.Listen == "" && cmd.Name() != "leave" {
			return errors.New("--cluster-listen is needed: give the settings of a server of the cluster")
		}
		ctx, cancel := context.WithTimeout(cmd.Context(), clusterTime)
		defer cancel()
		ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
		defer stop()
		log := slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), nil))
		return command.RuntimeError(do(ctx, journalConfig(s.settings, log), args, cmd.OutOrStdout()))
	}
	all := newConfiguration().flags
	for _, name := range [...]string{
		"config", "data", "sync", "cluster-name", "cluster-listen", "cluster-peer",
		"cluster-secret-file", "cluster-cert", "cluster-key", "cluster-ca",
	} {
		cmd.Flags().AddFlag(all.Lookup(name))
	}
	return cmd
}

func removeMember(ctx context.Context, cfg natsd.Config, args []string, w io.Writer) error {
	if err := natsd.RemoveMember(ctx, cfg, args[0]); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "%s is no member of the cluster any more, and the copies are complete.\n", args[0])
	return err
}

func leaveCluster(ctx context.Context, cfg natsd.Config, _ []string, w io.Writer) error {
	kept, err := natsd.Leave(ctx, cfg)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "Start it without the --cluster settings now. What was there before is in %s.\n", kept)
	return err
}

// errNoLeader says that a cluster cannot record anything.
var errNoLeader = errors.New("nothing can be recorded: more than half of the servers of the cluster must be up")

func showCluster(ctx context.Context, cfg natsd.Config, _ []string, w io.Writer) error {
	status, err := natsd.Status(ctx, cfg)
	if err != nil {
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	row := func(format string, fields ...any) {
		if err == nil {
			_, err = fmt.Fprintf(t, format+"\n", fields...)
		}
	}
	keys := map[string]bool{}
	row("SERVER\tSTATE\tADDRESS\tVERSION\tCLOCK\tHOST KEY")
	for _, n := range status.Nodes {
		if n.Up {
			ahead := n.Ahead.Round(100 * time.Millisecond)
			row("%s\tup\t%s\t%s\t%+.1fs\t%s", n.Name, n.Address, n.Version, ahead.Seconds(), n.Fingerprint)
			keys[n.Fingerprint] = true
		} else {
			row("%s\tdoes not answer\t%s\t\t\t", n.Name, n.Address)
		}
	}
	if len(keys) > 1 {
		row("The host keys differ: copy host_ed25519 from one server to the others, and restart these.")
	}
	row("\nSTREAM\tSERVER\tCOPY")
	var lacks error
	for _, s := range status.Streams {
		if s.Leader == "" {
			row("%s\t\tno leader", s.Name)
			lacks = errNoLeader
		}
		for _, c := range s.Copies {
			row("%s\t%s\t%s", s.Name, c.Node, c.State)
		}
	}
	return errors.Join(err, t.Flush(), lacks)
}
