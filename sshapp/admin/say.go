package admin

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"
)

// Speaker tells players something.
type Speaker interface {
	// Say shows a text in every session, or in those of an account, of @ and a name, or of the players of a match, on
	// every server of a cluster.
	Say(text, to string) (Reached, error)
}

func newSay(e Env) *cobra.Command {
	to := ""
	cmd := (row{
		use: "say TEXT...", short: "Tell all players something, or some of them", args: cobra.ArbitraryArgs,
		example: "ssh HOST admin say The server restarts at noon.", isForModerators: true,
	}).answering(func(_ *cobra.Command, args []string) (answer, error) {
		text, err := textFor(strings.Join(args, " "))
		if err == nil && text == "" {
			err = usage{errors.New("say takes a text, and got nothing")}
		}
		if err != nil {
			return answer{}, err
		}
		reached, err := e.Server.Say(text, to)
		return answer{reached, reached.inWords(" told")}, err
	})
	cmd.Flags().StringVar(&to, "to", to, "only `ACCOUNT`, @NAME, or the players of a match, by its name")
	return cmd
}
