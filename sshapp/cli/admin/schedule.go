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

// DrainStatus is the answer of "drain". A draining server lets its matches end before it stops.
type DrainStatus struct {
	Draining bool       `json:"draining"`
	Until    *time.Time `json:"until,omitempty"` // when the server stops at the latest
	Sessions int        `json:"sessions"`
	Node     string     `json:"node,omitempty"` // the server's name in a cluster
}

// MaintenanceStatus is the answer of "maintenance status".
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

No new match begins, and no new player is admitted. Players in a match can finish it, and can return to it if the
opponent is a person. All other players are asked to connect again later, and their sessions end. The server stops when
the last session has ended, or when the time is over. "cancel" cancels the drain, and "status" shows its state. --node
drains another server, which shares the database.`

func (o *Operator) drain() cli.Command {
	within, node := duration(DefaultDrain), ""
	return cli.Command{
		Use: "drain [cancel|status]", Short: "Let the matches of this server end, and then stop it", Long: aboutDrain,
		Example: "ssh HOST admin drain --within 10m\nssh HOST admin drain cancel", Role: cli.Administrator, JSON: true,
		Args: cli.AtMostOne,
		Flags: func(f *pflag.FlagSet) {
			f.Var(&within, "within", "`time` after which the server stops in any case")
			f.StringVar(&node, "node", node, "drain another server, by its `name` from admin servers")
		},
		Run: func(_ context.Context, c *cli.Call, args []string) (cli.Answer, error) {
			err := error(nil)
			isOther := node != "" && node != o.Server.DrainStatus().Node
			word := append(args, "")[0]
			switch {
			case time.Duration(within) > maxDrain:
				err = cli.Usage(errors.New("invalid --within: want 24h at most"))
			case word == "status" && node != "":
				err = cli.Usage(errors.New("drain status takes no --node: give the command to that server"))
			case len(args) > 0 && word != "cancel" && word != "status":
				err = cli.Usage(fmt.Errorf("%s takes cancel, status or nothing, and got %.40q", c.Path, word))
			case isOther: // a server that does not answer cannot be told
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
				err = o.Server.StartDrain(node, time.Duration(within))
			case word == "cancel":
				err = o.Server.CancelDrain(node)
			}
			if isOther {
				return cli.Answer{JSON: Delivery{Others: true}, Text: func(say cli.Say) { say("%s was told.", node) }}, err
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

const aboutMaintenance = `Announce maintenance: a time after which no new match begins.

All players read the time at once, at each login, and again as it comes nearer. Matches and sessions continue. The
announcement holds at all servers that share a database, until "off" or a restart.`

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
				say("No maintenance is announced.")
			}
		}}, err
	}
	return cli.Command{
		Use: "maintenance", Short: "Announce a time after which no new match begins", Long: aboutMaintenance,
		Role: cli.Moderator,
		Sub: []cli.Command{{
			Use: "on", Short: "Announce maintenance, or replace the announcement", Args: cli.AnyArguments,
			Example: "ssh HOST admin maintenance on --in 10m --message Back at noon.", Role: cli.Administrator, JSON: true,
			Flags: func(f *pflag.FlagSet) {
				f.Var(&in, "in", "`time` after which no new match begins")
				f.StringVar(&message, "message", message, "a `text` that all players read too")
			},
			Run: func(_ context.Context, c *cli.Call, args []string) (cli.Answer, error) {
				if err := cli.NoArguments(c, c.JoinFlagText(args, 0, "message")); err != nil {
					return cli.Answer{}, cli.Usage(err)
				}
				text, err := cleanText(message)
				if err == nil && time.Duration(in) > maxAnnounce {
					err = cli.Usage(errors.New("invalid --in: want 7d at most"))
				}
				if err != nil {
					return cli.Answer{}, err
				}
				c.RecordObject = text
				return status(o.Server.AnnounceMaintenance(time.Duration(in), text))
			},
		}, {
			Use: "off", Short: "End or cancel maintenance", Role: cli.Administrator, JSON: true,
			Run: func(context.Context, *cli.Call, []string) (cli.Answer, error) {
				return status(o.Server.EndMaintenance())
			},
		}, {
			Use: "status", Short: "Say whether maintenance was announced", Role: cli.Administrator, JSON: true,
			Run: func(context.Context, *cli.Call, []string) (cli.Answer, error) { return status(nil) },
		}},
	}
}
