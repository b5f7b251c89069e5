package admin

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"notakto/sshapp/command"
	"notakto/sshapp/wording"
)

// Maintainer announces maintenance on every server of a cluster.
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

const maxAnnounce = 7 * 24 * time.Hour

const aboutMaintenance = `Announce maintenance: from a time on, no new match begins.

All players read when that is, again as it comes nearer, and when they log in. Matches in progress go on, and
no session is ended. It holds at all servers of a cluster, until "off" or a restart.`

func newMaintenance(e Env) *cobra.Command {
	cmd := &cobra.Command{
		Use: "maintenance", Short: "Announce a time from which on no new match begins", Long: aboutMaintenance,
		Args: command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return command.RuntimeError(cmd.Help()) },
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
		if err := command.NoArguments(cmd, ownWords(cmd, args, 0, "message")); err != nil {
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
		(row{use: "off", short: "End maintenance, or call it off", args: command.NoArguments}).answering(func(*cobra.Command, []string) (answer, error) { return status(e.Server.EndMaintenance()) }),
		(row{use: "status", short: "Say whether maintenance was announced", args: command.NoArguments}).answering(func(*cobra.Command, []string) (answer, error) { return status(nil) }))
	return cmd
}

func (s MaintenanceStatus) inWords(w io.Writer) error {
	text := "There is no maintenance."
	switch s.State {
	case MaintenanceAnnounced:
		text = "Maintenance begins at " + wording.Time(*s.Begins) + ". " + s.Message
	case MaintenanceOn:
		text = "Maintenance: no new match begins since " + wording.Time(*s.Begins) + ". " + s.Message
	}
	_, err := fmt.Fprintln(w, text)
	return err
}
