package admin

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"notakto/sshapp/command"
	"notakto/sshapp/wording"
)

// Cluster is what the commands ask of the cluster of the server. Its methods may be called from any goroutine, and take
// up to minutes.
type Cluster interface {
	// Status returns how the servers and their copies of the data are.
	Status(ctx context.Context) (ClusterStatus, error)
	// Remove removes a server that is lost for good.
	Remove(ctx context.Context, node string) error
	// Repair has as many servers keep each stream as the settings say, and returns the streams that it has changed.
	Repair(ctx context.Context) (changed []string, err error)
}

// ClusterStatus is how a cluster is. Its JSON is a promise (docs/commands.md).
type ClusterStatus struct {
	Nodes   []ClusterNode   `json:"nodes"`
	Streams []ClusterStream `json:"streams"`
}

// ClusterNode is a server of a cluster. One that does not answer has no version, host key and end of a certificate.
type ClusterNode struct {
	Name           string    `json:"name"`
	Up             bool      `json:"up"`
	Address        string    `json:"address"`
	Version        string    `json:"version,omitempty"`
	Ahead          int64     `json:"ahead_ms"` // its clock, of this one
	HostKey        string    `json:"host_key,omitempty"`
	CertificateEnd time.Time `json:"certificate_end,omitzero"` // without a certificate there is none
	LastSeen       time.Time `json:"last_seen,omitzero"`       // when it answered last, if that is known
}

// ClusterStream is a stream of the data. Without a leader nothing can be recorded in it.
type ClusterStream struct {
	Name   string        `json:"name"`
	Leader string        `json:"leader"`
	Wanted int           `json:"wanted"` // copies
	Copies []ClusterCopy `json:"copies"`
}

// ClusterCopy is a server's copy of a stream.
type ClusterCopy struct {
	Node  string `json:"node"`
	State string `json:"state"` // "leads", "current", "behind" or "offline"
}

var (
	errNoCluster = errors.New("this server is in no cluster")
	errNoLeader  = errors.New("nothing can be recorded: more than half of the servers of the cluster must be up")
)

// clusterTime is how long a command of a cluster may take.
const clusterTime = 2 * time.Minute

func newCluster(e Env) *cobra.Command {
	cmd := &cobra.Command{Use: "cluster", Short: "See and repair the cluster of the server", Args: command.NoArguments}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return command.RuntimeError(cmd.Help()) }
	cmd.AddCommand(ClusterCommands(func() (Cluster, error) {
		if e.Cluster == nil {
			return nil, errNoCluster
		}
		return e.Cluster, nil
	})...)
	return cmd
}

// ClusterCommands returns the commands about the cluster that open returns.
func ClusterCommands(open func() (Cluster, error)) []*cobra.Command {
	with := func(do func(ctx context.Context, c Cluster, args []string) (answer, error)) func(*cobra.Command, []string) (
		answer, error) {
		return func(cmd *cobra.Command, args []string) (answer, error) {
			c, err := open()
			if err != nil {
				return answer{}, err
			}
			ctx, cancel := context.WithTimeout(cmd.Context(), clusterTime)
			defer cancel()
			return do(ctx, c, args)
		}
	}
	return []*cobra.Command{
		(row{
			use: "status", short: "Say which servers are up, and how the copies of the matches are", args: command.NoArguments,
		}).answering(with(clusterStatus)),
		(row{
			use: "remove NAME", short: "Remove a server that is lost for good",
			args: command.Arguments(1, 1, "the name of a server, as cluster status lists it"),
		}).answering(with(func(ctx context.Context, c Cluster, args []string) (answer, error) {
			return answer{struct {
				Removed string `json:"removed"`
			}{args[0]}, func(w io.Writer) error {
				_, err := fmt.Fprintf(w, "%s is no member of the cluster any more, and the copies are complete.\n", args[0])
				return err
			}}, c.Remove(ctx, args[0])
		})),
		(row{
			use: "repair", short: "Have as many servers keep the matches as the settings say", args: command.NoArguments,
		}).answering(with(func(ctx context.Context, c Cluster, _ []string) (answer, error) {
			changed, err := c.Repair(ctx)
			return answer{struct {
				Changed []string `json:"changed"`
			}{append([]string{}, changed...)}, func(w io.Writer) error {
				text := "There was no copy to make: see cluster status."
				if len(changed) > 0 {
					text = "There were copies to make of " + strings.Join(changed, ", ") + ". They are complete."
				}
				_, err := fmt.Fprintln(w, text)
				return err
			}}, err
		})),
	}
}

func clusterStatus(ctx context.Context, c Cluster, _ []string) (answer, error) {
	status, err := c.Status(ctx)
	for _, s := range status.Streams {
		if s.Leader == "" && err == nil {
			err = lateError{errNoLeader}
		}
	}
	return answer{status, status.inWords}, err
}

func (c ClusterStatus) inWords(w io.Writer) (err error) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	row := func(format string, fields ...any) {
		if err == nil {
			_, err = fmt.Fprintf(t, format+"\n", fields...)
		}
	}
	keys := map[string]bool{}
	row("SERVER\tSTATE\tADDRESS\tVERSION\tCLOCK\tCERTIFICATE\tHOST KEY")
	for _, n := range c.Nodes {
		switch {
		case n.Up:
			row("%s\tup\t%s\t%s\t%+.1fs\t%s\t%s", n.Name, n.Address, n.Version, float64(n.Ahead)/1000,
				dateOr(n.CertificateEnd, "none"), n.HostKey)
			keys[n.HostKey] = true
		case n.LastSeen.IsZero():
			row("%s\tdoes not answer\t%s\t\t\t\t", n.Name, n.Address)
		default:
			row("%s\tdoes not answer since %s\t%s\t\t\t\t", n.Name, wording.Time(n.LastSeen), n.Address)
		}
	}
	if len(keys) > 1 {
		row("The host keys differ: copy host_ed25519 from one server to the others, and restart these.")
	}
	row("\nSTREAM\tSERVER\tCOPY")
	for _, s := range c.Streams {
		if s.Leader == "" {
			row("%s\t\tno leader", s.Name)
		}
		for _, replica := range s.Copies {
			row("%s\t%s\t%s", s.Name, replica.Node, replica.State)
		}
		if s.Leader != "" && len(s.Copies) < s.Wanted {
			row("%s\t\t%d of %d copies", s.Name, len(s.Copies), s.Wanted)
		}
	}
	return errors.Join(err, t.Flush())
}

func dateOr(at time.Time, none string) string {
	if at.IsZero() {
		return none
	}
	return at.UTC().Format(time.DateOnly)
}
