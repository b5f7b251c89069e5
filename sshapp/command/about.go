package command

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"notakto/sshapp/plain"
	"notakto/sshapp/wording"
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

func newRules(d Env) *cobra.Command {
	return &cobra.Command{
		Use:   "rules",
		Short: "Explain the rules",
		Args:  NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			lines := plain.Rules()
			if d.Server != nil {
				limits := d.Server.Manager.TimeLimits()
				lines = append(lines, wording.MoveLimits(limits.FirstMove, limits.LaterMove))
			}
			_, err := fmt.Fprintln(cmd.OutOrStdout(), strings.Join(lines, "\n"))
			return RuntimeError(err)
		},
	}
}
