package command

import (
	"github.com/spf13/cobra"

	"notakto/sshapp/start"
)

const aboutPlain = `Play line by line: every change is one sentence, moves and wishes are typed as words, and no escape code is ever sent.

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
