package admin

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"notakto/sshapp/cli/player"
	"notakto/sshapp/wording"
)

// Status is how a server does. Its JSON is a promise (docs/commands.md).
type Status struct {
	Version  string  `json:"version"`
	Node     string  `json:"node,omitempty"` // the server's name
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
		use: "status", short: "Say how the server does, and whether it is ready", args: player.NoArguments,
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
