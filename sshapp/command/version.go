package command

import (
	"fmt"

	"github.com/spf13/cobra"
)

func newVersion(d Env) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Say which version this is",
		Args:  NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintln(cmd.OutOrStdout(), "notakto", d.Version)
			return RuntimeError(err)
		},
	}
}
