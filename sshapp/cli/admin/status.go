package admin

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"notakto/sshapp/cli"
	"notakto/sshapp/wording"
)

// Process is the running program. The functions may be called from any goroutine.
type Process struct {
	Checks func() []Check           // the server is ready if all are OK, or if Checks is nil
	Reload func() (Reloaded, error) // reads the settings again, as SIGHUP does, unless one is invalid
	Level  *slog.LevelVar           // the level of the log until the next reload
}

// Status is the answer of "status".
type Status struct {
	Version  string  `json:"version"`
	Node     string  `json:"node,omitempty"` // the server's name in a cluster
	Uptime   int64   `json:"uptime_seconds"`
	Ready    bool    `json:"ready"`
	Checks   []Check `json:"checks"`
	Sessions int     `json:"sessions"`
	Limit    int64   `json:"sessions_limit"`
	Matches  int64   `json:"matches"` // in progress
	Queue    int64   `json:"queue"`   // players that wait for an opponent
	Bans     int     `json:"bans"`    // in force
	Backup   *Backup `json:"backup"`  // the latest since the start, or nil
}

// Backup is a complete backup.
type Backup struct {
	At    time.Time `json:"at"`
	Bytes int64     `json:"bytes"`
}

// Check is one check of readiness.
type Check struct {
	Name string `json:"name"`
	OK   bool   `json:"ok"`
	Text string `json:"text"`
}

func (o *Operator) status() cli.Command {
	return cli.Command{
		Use: "status", Short: "Show the state of the server, and whether it is ready", Role: cli.Moderator, JSON: true,
		Run: func(context.Context, *cli.Call, []string) (cli.Answer, error) {
			s := o.Server.Status()
			if o.Data != nil {
				if at, size, ok := o.Data.Store.Stats().Backup(); ok {
					s.Backup = &Backup{At: at.UTC().Truncate(time.Second), Bytes: size}
				}
			}
			return cli.Answer{JSON: s, Text: func(say cli.Say) {
				ready, node := "ready", ""
				if !s.Ready {
					ready = "not ready"
				}
				if s.Node != "" {
					node = " (" + s.Node + ")"
				}
				say("notakto %s%s, up for %s: %s.", s.Version, node, time.Duration(s.Uptime)*time.Second, ready)
				say("%d of %d sessions, %s in progress, %d in the queue, %s.", s.Sessions, s.Limit,
					wording.Count(int(s.Matches), "match", "matches"), s.Queue, wording.Count(s.Bans, "ban", "bans"))
				if s.Backup != nil {
					say("Last backup on %s.", wording.Time(s.Backup.At))
				}
				for _, check := range s.Checks {
					sign := "+"
					if !check.OK {
						sign = "-"
					}
					say("[%s]%s: %s", sign, check.Name, check.Text)
				}
			}}, nil
		},
	}
}

// Reloaded lists the settings that "reload" found changed.
type Reloaded struct {
	Applied []string `json:"applied"` // names of settings in use now
	Restart []string `json:"restart"` // names of settings that need a restart
}

func (o *Operator) reload() cli.Command {
	return cli.Command{
		Use: "reload", Short: "Read the settings again, and apply what needs no restart", Role: cli.Administrator, JSON: true,
		Run: func(context.Context, *cli.Call, []string) (cli.Answer, error) {
			changed, err := o.Process.Reload()
			return cli.Answer{JSON: changed, Text: func(say cli.Say) {
				say("Applied: %s. Only with a restart: %s.", cmp.Or(strings.Join(changed.Applied, ", "), "none"),
					cmp.Or(strings.Join(changed.Restart, ", "), "none"))
			}}, err
		},
	}
}

func (o *Operator) logLevel() cli.Command {
	levels := []string{"debug", "info", "warn", "error"}
	return cli.Command{
		Use: "log-level [" + strings.Join(levels, "|") + "]", Short: "Show or change how much is logged",
		Example: "ssh HOST admin log-level debug", Role: cli.Administrator, JSON: true,
		Args: func(c *cli.Call, args []string) error {
			if len(args) > 1 || len(args) == 1 && !slices.Contains(levels, args[0]) {
				return fmt.Errorf("%s takes one of %s, and got %.80q", c.Path, strings.Join(levels, ", "), strings.Join(args, " "))
			}
			return nil
		},
		Run: func(_ context.Context, _ *cli.Call, args []string) (cli.Answer, error) {
			if len(args) == 1 {
				if err := o.Process.Level.UnmarshalText([]byte(args[0])); err != nil {
					return cli.Answer{}, err
				}
			}
			level := strings.ToLower(o.Process.Level.Level().String())
			return cli.Answer{JSON: map[string]string{"level": level}, Text: func(say cli.Say) { say("%s", level) }}, nil
		},
	}
}

// Peer is a server that shares the database, as "servers --json" prints it.
type Peer struct {
	Name     string    `json:"name"`
	Up       bool      `json:"up"`
	Version  string    `json:"version"`
	Since    time.Time `json:"since"`     // the start
	LastSeen time.Time `json:"last_seen"` // the latest heartbeat
	HostKey  string    `json:"host_key"`  // the fingerprint
}

func (o *Operator) servers() cli.Command {
	return cli.Command{
		Use: "servers", Short: "List the servers that share the database", Role: cli.Administrator, JSON: true,
		Run: func(context.Context, *cli.Call, []string) (cli.Answer, error) {
			all := o.Server.Servers()
			return cli.Answer{JSON: all, Text: func(say cli.Say) {
				var text strings.Builder
				t := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
				keys, versions := map[string]bool{}, map[string]bool{}
				_, _ = fmt.Fprintln(t, "SERVER\tSTATE\tVERSION\tSINCE\tHOST KEY")
				for _, p := range all {
					state := "up"
					if !p.Up {
						state = "does not answer since " + wording.Time(p.LastSeen)
					}
					_, _ = fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", p.Name, state, p.Version, wording.Time(p.Since), p.HostKey)
					keys[p.HostKey], versions[p.Version] = true, true
				}
				_ = t.Flush()
				say("%s", strings.TrimSuffix(text.String(), "\n"))
				if len(keys) > 1 {
					say("The host keys differ: give all servers the same one, and restart them.")
				}
				if len(versions) > 1 {
					say("The versions differ: restart the servers with the older one.")
				}
			}}, nil
		},
	}
}
