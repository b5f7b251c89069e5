package admin

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/pflag"

	"notakto/sshapp/cli"
	"notakto/sshapp/wording"
)

// DrainStatus is the answer of `drain --json`. A draining server lets its matches end before it stops.
type DrainStatus struct {
	Draining bool       `json:"draining"`
	Until    *time.Time `json:"until,omitempty"` // when it stops at the latest
	Sessions int        `json:"sessions"`
	Node     string     `json:"node,omitempty"` // the server's name
}

// MaintenanceStatus is the answer of `maintenance status --json`.
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

// DefaultDrain is the default time after which a draining server stops.
const DefaultDrain = 30 * time.Minute

const (
	maxDrain    = 24 * time.Hour
	maxAnnounce = 7 * 24 * time.Hour
)

const aboutDrain = `Let the matches of this server end, and then stop it.

No new match begins and no new player is let in. Those in a match go on, and may come back to it; all others
are asked to come again, and their sessions end. The server stops when the last session has ended, or when
the time is over. "cancel" takes it back, "status" says how it stands. --node tells another server, which
shares the database, to do so.`

func (o *Operator) drain() cli.Command {
	within, node := duration(DefaultDrain), ""
	return cli.Command{
		Use: "drain [cancel|status]", Short: "Let the matches of this server end, and then stop it", Long: aboutDrain,
		Example: "ssh HOST admin drain --within 10m\nssh HOST admin drain cancel", Role: cli.Administrator, JSON: true,
		Args: cli.AtMostOne,
		Flags: func(f *pflag.FlagSet) {
			f.Var(&within, "within", "`time` after which the server stops all the same")
			f.StringVar(&node, "node", node, "another server, by its `name` as of servers")
		},
		Run: func(_ context.Context, c *cli.Call, args []string) (cli.Answer, error) {
			err := error(nil)
			isOther := node != "" && node != o.Server.DrainStatus().Node
			word := append(args, "")[0]
			switch {
			case time.Duration(within) > maxDrain:
				err = cli.Usage(errors.New("invalid --within: want 24h at most"))
			case word == "status" && node != "":
				err = cli.Usage(errors.New("--node is for a drain and its cancel: ask that server for its status"))
			case len(args) > 0 && word != "cancel" && word != "status":
				err = cli.Usage(fmt.Errorf("%s takes cancel, status or nothing, and got %.40q", c.Path, word))
			case isOther: // only a server that answers can be told
				all := o.Server.Servers()
				i := slices.IndexFunc(all, func(p Peer) bool { return p.Name == node })
				if i < 0 {
					err = fmt.Errorf("there is no server %.60q: see admin servers", node)
				} else if !all[i].Up {
					err = fmt.Errorf("the server %s does not answer, so it was not told", node)
				}
			}
			switch {
			case err != nil:
			case len(args) == 0:
				err = o.Server.BeginDrain(node, time.Duration(within))
			case word == "cancel":
				err = o.Server.CancelDrain(node)
			}
			if isOther {
				return cli.Answer{JSON: Reached{Others: true}, Text: func(say cli.Say) { say("%s was told.", node) }}, err
			}
			s := o.Server.DrainStatus()
			return cli.Answer{JSON: s, Text: func(say cli.Say) {
				text := "The server is not draining"
				if s.Draining {
					text = "The server stops when the last session has ended, at the latest at " + wording.Time(*s.Until)
				}
				say("%s; %s.", text, wording.Count(s.Sessions, "session", "sessions"))
			}}, err
		},
	}
}

const aboutMaintenance = `Announce maintenance: from a time on, no new match begins.

All players read when that is, again as it comes nearer, and when they log in. Matches in progress go on, and
no session is ended. It holds at all servers that share a database, until "off" or a restart.`

func (o *Operator) maintenance() cli.Command {
	in, message := duration(10*time.Minute), ""
	status := func(err error) (cli.Answer, error) {
		m := o.Server.MaintenanceStatus()
		return cli.Answer{JSON: m, Text: func(say cli.Say) {
			switch m.State {
			case MaintenanceAnnounced:
				say("Maintenance begins at %s. %s", wording.Time(*m.Begins), m.Message)
			case MaintenanceOn:
				say("Maintenance: no new match begins since %s. %s", wording.Time(*m.Begins), m.Message)
			default:
				say("There is no maintenance.")
			}
		}}, err
	}
	return cli.Command{
		Use: "maintenance", Short: "Announce a time from which on no new match begins", Long: aboutMaintenance,
		Role: cli.Moderator,
		Sub: []cli.Command{{
			Use: "on", Short: "Announce maintenance, in place of any before", Args: cli.AnyArguments,
			Example: "ssh HOST admin maintenance on --in 10m --message Back at noon.", Role: cli.Administrator, JSON: true,
			Flags: func(f *pflag.FlagSet) {
				f.Var(&in, "in", "`time` after which no new match begins")
				f.StringVar(&message, "message", message, "what all players read besides, as `text`")
			},
			Run: func(_ context.Context, c *cli.Call, args []string) (cli.Answer, error) {
				if err := cli.NoArguments(c, c.OwnWords(args, 0, "message")); err != nil {
					return cli.Answer{}, cli.Usage(err)
				}
				text, err := textFor(message)
				if err == nil && time.Duration(in) > maxAnnounce {
					err = cli.Usage(errors.New("invalid --in: want 7d at most"))
				}
				if err != nil {
					return cli.Answer{}, err
				}
				c.Object = text
				return status(o.Server.AnnounceMaintenance(time.Duration(in), text))
			},
		}, {
			Use: "off", Short: "End maintenance, or call it off", Role: cli.Administrator, JSON: true,
			Run: func(context.Context, *cli.Call, []string) (cli.Answer, error) {
				return status(o.Server.EndMaintenance())
			},
		}, {
			Use: "status", Short: "Say whether maintenance was announced", Role: cli.Administrator, JSON: true,
			Run: func(context.Context, *cli.Call, []string) (cli.Answer, error) { return status(nil) },
		}},
	}
}
