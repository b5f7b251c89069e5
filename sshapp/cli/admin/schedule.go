package admin

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"notakto/sshapp/cli/player"
	"notakto/sshapp/wording"
)

// Drainer lets the matches of a server end before it stops: of this one, or of another one by its name, which is only
// told so.
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
	Node     string     `json:"node,omitempty"` // the server's name
}

// Maintainer announces maintenance on every server that shares the database.
type Maintainer interface {
	// AnnounceMaintenance has no new match begin from then on, and announces that to all players, with a message.
	AnnounceMaintenance(in time.Duration, message string) error
	// EndMaintenance takes it back.
	EndMaintenance() error
	// MaintenanceStatus returns how it stands at this server.
	MaintenanceStatus() MaintenanceStatus
}

// MaintenanceStatus is whether maintenance was announced. Its JSON is a promise (docs/commands.md).
type MaintenanceStatus struct {
	State   string     `json:"state"`
	Begins  *time.Time `json:"begins,omitempty"`
	Message string     `json:"message,omitempty"`
}

// The states of maintenance.
const (
	MaintenanceOff       = "off"
	MaintenanceAnnounced = "announced"
	MaintenanceOn        = "on" // no new match begins
)

// The time that a drain takes at most.
const (
	DefaultDrain = 30 * time.Minute // unless another one is given
	maxDrain     = 24 * time.Hour
)

const aboutDrain = `Let the matches of this server end, and then stop it.

No new match begins and no new player is let in. Those in a match go on, and may come back to it; all others
are asked to come again, and their sessions end. The server stops when the last session has ended, or when
the time is over. "cancel" takes it back, "status" says how it stands. --node tells another server, which
shares the database, to do so.`

func newDrain(e Env) *cobra.Command {
	within, node := duration(DefaultDrain), ""
	cmd := (row{
		use: "drain [cancel|status]", short: "Let the matches of this server end, and then stop it", long: aboutDrain,
		args: cobra.MaximumNArgs(1), example: "ssh HOST admin drain --within 10m\nssh HOST admin drain cancel",
	}).answering(func(cmd *cobra.Command, args []string) (answer, error) {
		err := error(nil)
		isOther := node != "" && node != e.Server.DrainStatus().Node
		word := append(args, "")[0]
		switch {
		case time.Duration(within) > maxDrain:
			err = usage{errors.New("invalid --within: want 24h at most")}
		case word == "status" && node != "":
			err = usage{errors.New("--node is for a drain and its cancel: ask that server for its status")}
		case len(args) > 0 && word != "cancel" && word != "status":
			err = usage{fmt.Errorf("%s takes cancel, status or nothing, and got %.40q", cmd.CommandPath(), word)}
		case isOther:
			err = checkAnswers(e.Server.Servers(), node)
		}
		switch {
		case err != nil:
		case len(args) == 0:
			err = e.Server.BeginDrain(node, time.Duration(within))
		case word == "cancel":
			err = e.Server.CancelDrain(node)
		}
		s := e.Server.DrainStatus()
		if isOther {
			return answer{Reached{Others: true}, func(w io.Writer) error {
				_, err := fmt.Fprintf(w, "%s was told.\n", node)
				return err
			}}, err
		}
		return answer{s, s.inWords}, err
	})
	cmd.Flags().Var(&within, "within", "`time` after which the server stops all the same")
	cmd.Flags().StringVar(&node, "node", node, "another server, by its `name` as of servers")
	return cmd
}

// checkAnswers returns an error if there is no server of that name, or it does not answer: then it cannot be told.
func checkAnswers(all []Peer, node string) error {
	i := slices.IndexFunc(all, func(p Peer) bool { return p.Name == node })
	switch {
	case i < 0:
		return fmt.Errorf("there is no server %.60q: see admin servers", node)
	case !all[i].Up:
		return fmt.Errorf("the server %s does not answer, so it was not told", node)
	}
	return nil
}

func (d DrainStatus) inWords(w io.Writer) error {
	text := "The server is not draining"
	if d.Draining {
		text = "The server stops when the last session has ended, at the latest at " + wording.Time(*d.Until)
	}
	_, err := fmt.Fprintf(w, "%s; %s.\n", text, wording.Count(d.Sessions, "session", "sessions"))
	return err
}

const maxAnnounce = 7 * 24 * time.Hour

const aboutMaintenance = `Announce maintenance: from a time on, no new match begins.

All players read when that is, again as it comes nearer, and when they log in. Matches in progress go on, and
no session is ended. It holds at all servers that share a database, until "off" or a restart.`

func newMaintenance(e Env) *cobra.Command {
	cmd := &cobra.Command{
		Use: "maintenance", Short: "Announce a time from which on no new match begins", Long: aboutMaintenance,
		Args: player.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return player.RuntimeError(cmd.Help()) },
	}
	status := func(err error) (answer, error) {
		s := e.Server.MaintenanceStatus()
		return answer{s, s.inWords}, err
	}
	in, message := duration(10*time.Minute), ""
	on := (row{
		use: "on", short: "Announce maintenance, in place of any before", args: cobra.ArbitraryArgs,
		example: "ssh HOST admin maintenance on --in 10m --message Back at noon.",
	}).answering(func(cmd *cobra.Command, args []string) (answer, error) {
		if err := player.NoArguments(cmd, ownWords(cmd, args, 0, "message")); err != nil {
			return answer{}, usage{err}
		}
		text, err := textFor(message)
		if err == nil && time.Duration(in) > maxAnnounce {
			err = usage{errors.New("invalid --in: want 7d at most")}
		}
		if err != nil {
			return answer{}, err
		}
		cmd.Annotations[objectOf] = text
		return status(e.Server.AnnounceMaintenance(time.Duration(in), text))
	})
	on.Flags().Var(&in, "in", "`time` after which no new match begins")
	on.Flags().StringVar(&message, "message", message, "what all players read besides, as `text`")
	cmd.AddCommand(on,
		(row{
			use: "off", short: "End maintenance, or call it off", args: player.NoArguments,
		}).answering(func(*cobra.Command, []string) (answer, error) { return status(e.Server.EndMaintenance()) }),
		(row{
			use: "status", short: "Say whether maintenance was announced", args: player.NoArguments,
		}).answering(func(*cobra.Command, []string) (answer, error) { return status(nil) }))
	return cmd
}

func (m MaintenanceStatus) inWords(w io.Writer) error {
	text := "There is no maintenance."
	switch m.State {
	case MaintenanceAnnounced:
		text = "Maintenance begins at " + wording.Time(*m.Begins) + ". " + m.Message
	case MaintenanceOn:
		text = "Maintenance: no new match begins since " + wording.Time(*m.Begins) + ". " + m.Message
	}
	_, err := fmt.Fprintln(w, text)
	return err
}
