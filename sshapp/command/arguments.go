package command

import (
	"fmt"

	"github.com/spf13/cobra"
)

// arguments takes from least to most arguments, which are what it says.
func arguments(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return fmt.Errorf("%s takes %s, and got nothing", cmd.CommandPath(), what)
		case len(args) > most:
			return fmt.Errorf("%s takes %s, and got %d arguments", cmd.CommandPath(), what, len(args))
		}
		return nil
	}
}
