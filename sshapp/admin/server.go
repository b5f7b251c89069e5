package admin

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"notakto/sshapp/command"
	"notakto/sshapp/wording"
)

// Status is how a server does. Its JSON is a promise (docs/commands.md).
type Status struct {
	Version  string  `json:"version"`
	Node     string  `json:"node,omitempty"` // the name of the server in its cluster
	Uptime   int64   `json:"uptime_seconds"`
	Ready    bool    `json:"ready"`
	Checks   []Check `json:"checks"`
	Sessions int     `json:"sessions"`
	Limit    int64   `json:"sessions_limit"`
	Matches  int64   `json:"matches"` // in progress
	Queue    int64   `json:"queue"`   // who waits for an opponent
	Bans     int     `json:"bans"`    // in force
	Backup   *Backup `json:"backup"`  // the last one since the start; nil without one
}

// Backup is a backup that is complete.
type Backup struct {
	At    time.Time `json:"at"`
	Bytes int64     `json:"bytes"`
}

// Check is one fact about the server. It is not ready unless all are OK.
type Check struct {
	Name string `json:"name"`
	OK   bool   `json:"ok"`
	Text string `json:"text"`
}

func newStatus(e Env) *cobra.Command {
	return (row{
		use: "status", short: "Say how the server does, and whether it is ready", args: command.NoArguments,
		isForModerators: true,
	}).answering(func(*cobra.Command, []string) (answer, error) {
		s := e.Server.Status()
		if e.Data != nil {
			s.Backup = e.Data.LastBackup()
		}
		return answer{s, s.inWords}, nil
	})
}

func (s Status) inWords(w io.Writer) error {
	ready := "ready"
	if !s.Ready {
		ready = "not ready"
	}
	node := ""
	if s.Node != "" {
		node = " (" + s.Node + ")"
	}
	_, err := fmt.Fprintf(w, "notakto %s%s, up for %s: %s.\n%d of %d sessions, %d matches in progress, %d in the queue, "+
		"%s.\n",
		s.Version, node, time.Duration(s.Uptime)*time.Second, ready, s.Sessions, s.Limit, s.Matches, s.Queue,
		wording.Count(s.Bans, "ban", "bans"))
	if err == nil && s.Backup != nil {
		_, err = fmt.Fprintf(w, "Last backup on %s.\n", wording.Time(s.Backup.At))
	}
	for _, check := range s.Checks {
		sign := "+"
		if !check.OK {
			sign = "-"
		}
		if err == nil {
			_, err = fmt.Fprintf(w, "[%s]%s: %s\n", sign, check.Name, check.Text)
		}
	}
	return err
}

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
		case isOther && e.Cluster != nil:
			err = checkAnswers(cmd.Context(), e.Cluster, node)
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
	cmd.Flags().StringVar(&node, "node", node, "another server of the cluster, by its `name` as of status")
	return cmd
}

// checkAnswers returns an error if a cluster has no server of that name, or it does not answer: then it cannot be told.
func checkAnswers(ctx context.Context, c Cluster, node string) error {
	status, err := c.Status(ctx)
	if err != nil {
		return err
	}
	var names []string
	for _, n := range status.Nodes {
		switch {
		case n.Name == node && n.Up:
			return nil
		case n.Name == node:
			return fmt.Errorf("the server %s does not answer, so it was not told", node)
		}
		names = append(names, n.Name)
	}
	return fmt.Errorf("the cluster has no server %.60q; it has %s", node, strings.Join(names, ", "))
}

func (s DrainStatus) inWords(w io.Writer) error {
	text := "The server is not draining"
	if s.Draining {
		text = "The server stops when the last session has ended, at the latest at " + wording.Time(*s.Until)
	}
	_, err := fmt.Fprintf(w, "%s; %s.\n", text, wording.Count(s.Sessions, "session", "sessions"))
	return err
}

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

// Process is the program in which a server runs. Its methods may be called from any goroutine.
type Process interface {
	// Checks returns what its being ready depends on.
	Checks() []Check
	// Reload reads the settings again, as SIGHUP does. After an error nothing has changed.
	Reload() (Reloaded, error)
	// LogLevel returns how much is logged: one of [Levels].
	LogLevel() string
	// SetLogLevel changes that until the settings are read again.
	SetLogLevel(level string)
}

// Reloaded is what has changed since the settings were read before. Its JSON is a promise (docs/commands.md).
type Reloaded struct {
	Applied []string `json:"applied"` // names of settings
	Restart []string `json:"restart"` // that change with a restart only
}

// Levels returns how much may be logged, the most first.
func Levels() []string { return []string{"debug", "info", "warn", "error"} }

func newReload(e Env) *cobra.Command {
	return (row{
		use: "reload", short: "Read the settings again, and apply what can change", args: command.NoArguments,
	}).answering(func(*cobra.Command, []string) (answer, error) {
		changed, err := e.Process.Reload()
		return answer{changed, func(w io.Writer) error {
			_, err := fmt.Fprintf(w, "Applied: %s. Only with a restart: %s.\n", list(changed.Applied), list(changed.Restart))
			return err
		}}, err
	})
}

func list(names []string) string { return cmp.Or(strings.Join(names, ", "), "none") }

func newLogLevel(e Env) *cobra.Command {
	return (row{
		use: "log-level [" + strings.Join(Levels(), "|") + "]", short: "Say how much is logged, or change that",
		args: level, example: "ssh HOST admin log-level debug",
	}).answering(func(_ *cobra.Command, args []string) (answer, error) {
		if len(args) == 1 {
			e.Process.SetLogLevel(args[0])
		}
		level := e.Process.LogLevel()
		return answer{map[string]string{"level": level}, func(w io.Writer) error {
			_, err := fmt.Fprintln(w, level)
			return err
		}}, nil
	})
}

// level takes one of the levels, or nothing.
func level(cmd *cobra.Command, args []string) error {
	if len(args) > 1 || len(args) == 1 && !slices.Contains(Levels(), args[0]) {
		return fmt.Errorf("%s takes one of %s, and got %.80q", cmd.CommandPath(), strings.Join(Levels(), ", "),
			strings.Join(args, " "))
	}
	return nil
}
