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
	"notakto/match/journal"
	"notakto/match/journal/natsd"
	"notakto/sshapp/admin"
	"notakto/sshapp/command"
)

const aboutCluster = `Make the files of a new cluster of servers ("init"), or see and repair one, from the machine of
one of its servers.

But for "init", give the same settings as to the server: as flags, as NOTAKTO_... variables or in its file.
The server may run at the same time.`

// clusterTime is how long a command may ask a cluster for something.
const clusterTime = 2 * time.Minute

func newCluster() *cobra.Command {
	cmd := &cobra.Command{
		Use: "cluster", Short: "Make, see and repair a cluster of servers", Long: aboutCluster, Args: command.NoArguments,
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	cmd.AddCommand(append(newClusterCommands(), newClusterInit())...)
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

// newClusterCommands returns the commands that administrators give to a running server too. On the machine of a server
// they take the settings of its cluster.
func newClusterCommands() []*cobra.Command {
	var cluster admin.Cluster
	all := admin.ClusterCommands(func() (admin.Cluster, error) { return cluster, nil })
	flags := newConfiguration().flags
	for _, cmd := range all {
		run := cmd.RunE
		cmd.ValidArgsFunction = cobra.NoFileCompletions
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
			ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			cmd.SetContext(ctx)
			log := slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), nil))
			cluster = clusterManager{natsd.NewClusterManager(s.journalConfig(log))}
			return command.RuntimeError(run(cmd, args))
		}
		for _, name := range [...]string{
			"config", "data", "sync", "cluster-name", "cluster-listen", "cluster-peer",
			"cluster-secret-file", "cluster-cert", "cluster-key", "cluster-ca",
		} {
			cmd.Flags().AddFlag(flags.Lookup(name))
		}
	}
	return all
}

// clusterManager is a cluster for administrators. It implements [admin.Cluster].
type clusterManager struct{ *natsd.ClusterManager }

// clusterOf returns the cluster of a store; nil without one.
func clusterOf(s *journal.Store) admin.Cluster {
	if m := journal.ClusterOf(s); m != nil {
		return clusterManager{m}
	}
	return nil
}

// Status implements [admin.Cluster].
func (c clusterManager) Status(ctx context.Context) (admin.ClusterStatus, error) {
	status, err := c.ClusterManager.Status(ctx)
	if err != nil {
		return admin.ClusterStatus{}, err
	}
	all := admin.ClusterStatus{Nodes: []admin.ClusterNode{}, Streams: []admin.ClusterStream{}}
	for _, n := range status.Nodes {
		all.Nodes = append(all.Nodes, admin.ClusterNode{
			Name: n.Name, Up: n.Up, Address: n.Address, Version: n.Version, Ahead: n.Ahead.Milliseconds(),
			HostKey: n.Fingerprint, CertificateEnd: n.CertificateEnd.UTC(), LastSeen: n.LastSeen.UTC().Truncate(time.Second),
		})
	}
	for _, s := range status.Streams {
		one := admin.ClusterStream{Name: s.Name, Leader: s.Leader, Wanted: s.Replicas, Copies: []admin.ClusterCopy{}}
		for _, of := range s.Copies {
			one.Copies = append(one.Copies, admin.ClusterCopy(of))
		}
		all.Streams = append(all.Streams, one)
	}
	return all, nil
}
