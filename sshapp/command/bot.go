package command

import (
	"github.com/spf13/cobra"

	"notakto/sshapp/bot"
)

const aboutBot = `Play by a program: JSON objects, one a line each way, by version 1 of the bot protocol.

The page docs/bot.md teaches it, with a whole bot in thirty lines of Python.`

func newBot(d Env) *cobra.Command {
	return &cobra.Command{
		Use:     "bot",
		Short:   "Play by a program: one JSON object a line each way",
		Long:    aboutBot,
		Example: "ssh -T HOST bot",
		Args:    NoArguments,
		RunE: d.needsServer(func(cmd *cobra.Command, _ []string) error {
			return bot.Serve(cmd.Context(), bot.Config{
				Player: d.Server.Player, Manager: d.Server.Manager, In: d.lines(d.In), Out: d.Out, Log: d.Server.Log,
				Limits: bot.Limits{Stall: d.Server.Stall, Idle: d.Server.Idle}, OnLimit: d.Server.OnLimit,
			})
		}),
	}
}
