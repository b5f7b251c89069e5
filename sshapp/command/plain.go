package command

import (
	"github.com/spf13/cobra"

	"notakto/sshapp/plain"
	"notakto/sshapp/start"
)

const aboutPlain = `Play line by line: every change is one sentence, moves and wishes are typed as words, and no escape code is ever sent.

It is made for screen readers, plain terminals and slow links. Tables, queue and matches are those of the full screen.
Type help once you are there.`

func newPlain(d Door) *cobra.Command {
	return &cobra.Command{
		Use:   "plain",
		Short: "Play line by line, for screen readers and plain terminals",
		Long:  aboutPlain,
		Args:  NoArguments,
		RunE: d.needsServer(func(cmd *cobra.Command, _ []string) error {
			return d.plainGame(cmd, start.Place{})
		}),
	}
}

func (d Door) plainGame(cmd *cobra.Command, from start.Place) error {
	return plain.Serve(cmd.Context(), plain.Door{
		Player: d.House.Player, Manager: d.House.Manager, In: d.In, Out: d.Out,
		Echo: d.Echo, ASCII: d.House.ASCII, Renamed: d.House.Renamed,
		Idle: d.House.Idle, Start: from, Host: d.Host,
	})
}
