package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"notakto/sshapp/command"
	"notakto/sshapp/wording"
)

// newCompletion replaces cobra's own command, which exits with success for a shell that it does not know.
func newCompletion() *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use:       "completion [shell]",
		Short:     "Print the completions for bash, zsh, fish or powershell",
		Long:      "Print a script with which a shell completes notakto's commands and flags.",
		Example:   "notakto completion bash > /etc/bash_completion.d/notakto",
		ValidArgs: shells,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 1 && completionFor(args[0]) != nil {
				return nil
			}
			return fmt.Errorf("completion takes the name of one shell: %s; it got %.40q%s", strings.Join(shells, ", "),
				strings.Join(args, " "), wording.Suggest("", strings.Join(args, ""), shells))
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := completionFor(args[0])(cmd.Root(), cmd.OutOrStdout()); err != nil {
				return command.RuntimeError(fmt.Errorf("cannot print the completions: %w", err))
			}
			return nil
		},
	}
}

func completionFor(shell string) func(*cobra.Command, io.Writer) error {
	switch shell {
	case "bash":
		return func(c *cobra.Command, w io.Writer) error { return c.GenBashCompletionV2(w, true) }
	case "zsh":
		return (*cobra.Command).GenZshCompletion
	case "fish":
		return func(c *cobra.Command, w io.Writer) error { return c.GenFishCompletion(w, true) }
	case "powershell":
		return (*cobra.Command).GenPowerShellCompletionWithDesc
	default:
		return nil
	}
}
