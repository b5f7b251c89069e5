package command

import (
	"fmt"

	"github.com/spf13/cobra"
)

// action is what a command does.
type action func(cmd *cobra.Command, args []string) error

// needsServer is do where there is a server to do it, and a word about where to ask where there is none. What goes wrong is not the
// command line's fault.
func (d Door) needsServer(do action) action {
	return func(cmd *cobra.Command, args []string) error {
		if d.House == nil {
			return Failed(fmt.Errorf("this is asked of a server: ssh HOST %s", cmd.Name()))
		}
		return Failed(do(cmd, args))
	}
}
