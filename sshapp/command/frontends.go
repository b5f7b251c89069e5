package command

import (
	"github.com/spf13/cobra"

	"notakto/sshapp/bot"
	"notakto/sshapp/start"
)

const aboutPlain = `Play line by line: every change is one sentence, moves and commands are words, and no escape
code is ever sent.

It is made for screen readers, plain terminals and slow links. Tables, queue and matches are those of the full screen.
Type help once you are there.`

func newPlain(d Env) *cobra.Command {
	return &cobra.Command{
		Use:   "plain",
		Short: "Play line by line, for screen readers and plain terminals",
		Long:  aboutPlain,
		Args:  NoArguments,
		RunE: d.needsServer(func(cmd *cobra.Command, _ []string) error {
			return d.plainGame(cmd, start.Start{})
		}),
	}
}

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
				Notices: d.Server.Notices,
			})
		}),
	}
}
