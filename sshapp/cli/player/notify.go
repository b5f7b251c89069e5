package player

import (
	"context"
	"errors"
	"strings"

	"notakto/sshapp/cli"
	"notakto/sshapp/notify"
)

const aboutNotify = `Get notices while you are away, for example on your phone.

A notice comes when it is your move in a match with days a move, when a quarter of its time is left, and when a player
challenges you. The command prints the address to subscribe to, for example in the app ntfy. Every notify on after a
notify off makes a new address.`

func (e Env) notify() cli.Command {
	return cli.Command{
		Use: "notify [on|off]", Short: "Get notices while you are away", Long: aboutNotify, JSON: true,
		Example: "ssh HOST notify on\nssh HOST notify off", Args: cli.AtMostOne,
		Run: e.onServer(func(ctx context.Context, _ *cli.Call, args []string) (cli.Answer, error) {
			s := e.Server
			setting, err := notify.Choose(ctx, s.Accounts, s.Caller, s.NotifyURL, strings.Join(args, ""))
			if errors.Is(err, notify.ErrNoChoice) {
				err = cli.Usage(err)
			}
			return cli.Answer{JSON: setting, Text: func(say cli.Say) {
				for _, line := range setting.Text("ssh " + e.Host + " notify on") {
					say("%s", line)
				}
			}}, err
		}),
	}
}
