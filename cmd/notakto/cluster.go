package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"notakto/internal/clusterfiles"
	"notakto/match/journal/natsd"
	"notakto/sshapp/command"
)

const aboutCluster = `Make the files of a new cluster of servers ("init"), or see and repair one, from the machine of
one of its servers.

But for "init", give the same settings as to the server: as flags, as NOTAKTO_... variables or in its file.
The server may run at the same time.`

// clusterTime is the time limit of a cluster command.
const clusterTime = 2 * time.Minute

func newCluster() *cobra.Command {
	cmd := &cobra.Command{
		Use: "cluster", Short: "Make, see and repair a cluster of servers", Long: aboutCluster, Args: command.NoArguments,
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	cmd.AddCommand(
		newClusterInit(),
		clusterCommand("status", "Say which servers are up, and how the copies of the matches are", nil, showCluster),
		clusterCommand("remove NAME", "Remove a server that is lost for good", cobra.ExactArgs(1), removeMember),
	)
	return cmd
}

const aboutClusterInit = `Make a folder for each server of a new cluster: its settings, and the host key, the secret and
the certificates that they need.

Copy each folder to its server, and start the server in it: notakto --config notakto.toml`

// newClusterInit returns the command that makes the files of a new cluster. It reads no settings.
func newClusterInit() *cobra.Command {
	var nodes []string
	var port uint16
	var dir string
	cmd := &cobra.Command{
		Use: "init", Short: "Make the files of a new cluster", Long: aboutClusterInit,
		Example: "notakto cluster init --nodes 10.0.0.1,10.0.0.2,10.0.0.3", Args: command.NoArguments,
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	cmd.Flags().StringSliceVar(&nodes, "nodes", nil,
		"the servers' addresses or names for each other, each as HOST or HOST:PORT (without PORT 6222)")
	cmd.Flags().Uint16Var(&port, "port", 2222, "where players connect, on each server")
	cmd.Flags().StringVar(&dir, "dir", "cluster", "new directory for the folders")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if len(nodes) == 0 {
			return errors.New("--nodes is needed: the addresses of the servers, with commas between them")
		}
		all, err := clusterfiles.ParseNodes(nodes)
		if err != nil {
			return fmt.Errorf("--nodes cannot be like this: %w", err)
		}
		return command.RuntimeError(initCluster(cmd.OutOrStdout(), dir, all, port))
	}
	return cmd
}

func initCluster(w io.Writer, dir string, nodes []clusterfiles.Node, port uint16) error {
	folders, err := clusterfiles.Write(dir, nodes, port, time.Now())
	if err != nil {
		return fmt.Errorf("the files of the cluster cannot be made: %w", err)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for i, folder := range folders {
		fmt.Fprintf(t, "%s\tfor the server at %s\n", folder, nodes[i])
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "\nCopy each folder to its server, and start it there: notakto --config notakto.toml\n"+
		"Keep %s in a safe place: it signs the certificates of servers that are added later.\n",
		filepath.Join(dir, clusterfiles.AuthorityKey))
	return err
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
		if s.cluster.Listen == "" {
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
