package admin

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"notakto/sshapp/wording"
)

// Drainer lets the matches of a server end before it stops: of this one, or of another one of its cluster by its name,
// which is only told so.
type Drainer interface {
	// BeginDrain has the server begin no new match, and stop when the last session has ended or the time is over.
	BeginDrain(node string, within time.Duration) error
	// CancelDrain takes that back.
	CancelDrain(node string) error
	// DrainStatus returns how it stands at this server.
	DrainStatus() DrainStatus
}

// DrainStatus is whether a server lets its matches end before it stops. Its JSON is a promise (docs/commands.md).
type DrainStatus struct {
	Draining bool       `json:"draining"`
	Until    *time.Time `json:"until,omitempty"` // when it stops at the latest
	Sessions int        `json:"sessions"`
	Node     string     `json:"node,omitempty"` // the name of the server in its cluster
}

// The time that a drain takes at most.
const (
	DefaultDrain = 30 * time.Minute // unless another one is given
	maxDrain     = 24 * time.Hour
)

const aboutDrain = `Let the matches of this server end, and then stop it.

No new match begins and no new player is let in. Those in a match go on, and may come back to it; all others
are asked to come again, and their sessions end. The server stops when the last session has ended, or when
the time is over. "cancel" takes it back, "status" says how it stands. In a cluster, --node tells another
server to do so.`

func newDrain(e Env) *cobra.Command {
	within, node := duration(DefaultDrain), ""
	cmd := answering(row{
		use: "drain [cancel|status]", short: "Let the matches of this server end, and then stop it", long: aboutDrain,
		args: cobra.MaximumNArgs(1), example: "ssh HOST admin drain --within 10m\nssh HOST admin drain cancel",
	}, func(cmd *cobra.Command, args []string) (answer, error) {
		err := error(nil)
		switch word := append(args, "")[0]; {
		case time.Duration(within) > maxDrain:
			err = usage{errors.New("invalid --within: want 24h at most")}
		case word == "" && len(args) == 0:
			err = e.Server.BeginDrain(node, time.Duration(within))
		case word == "cancel":
			err = e.Server.CancelDrain(node)
		case word == "status" && node != "":
			err = usage{errors.New("--node is for a drain and its cancel: ask that server for its status")}
		case word != "status":
			err = usage{fmt.Errorf("%s takes cancel, status or nothing, and got %.40q", cmd.CommandPath(), word)}
		}
		s := e.Server.DrainStatus()
		if node != "" && node != s.Node {
			return answer{Reached{Others: true}, func(w io.Writer) error {
				_, err := fmt.Fprintf(w, "%s was told.\n", node)
				return err
			}}, err
		}
		return answer{s, s.inWords}, err
	})
	cmd.Flags().Var(&within, "within", "`time` after which the server stops all the same")
	cmd.Flags().StringVar(&node, "node", node, "another server of the cluster, by its `name` as of status")
	return cmd
}

func (s DrainStatus) inWords(w io.Writer) error {
	text := "The server is not draining"
	if s.Draining {
		text = "The server stops when the last session has ended, at the latest at " + s.Until.Format(time.RFC3339)
	}
	_, err := fmt.Fprintf(w, "%s; %s.\n", text, wording.Count(s.Sessions, "session", "sessions"))
	return err
}
