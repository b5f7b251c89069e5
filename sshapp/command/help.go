package command

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// helpCommandFor is the command line that says what a command does. It has no flag: OpenSSH's client takes those behind
// HOST for its own.
func helpCommandFor(cmd *cobra.Command) string {
	env := cmd.Root().CommandPath()
	if cmd.Name() == "help" {
		return env + " help"
	}
	return env + " help" + strings.TrimPrefix(cmd.CommandPath(), env)
}

// configureHelp has every page of help lead to others by words alone, and over SSH say nothing of the flags that words
// take the place of.
func (d Env) configureHelp(root *cobra.Command) {
	root.SetHelpCommand(newHelp())
	root.InitDefaultHelpCmd()
	root.SetUsageTemplate(strings.Replace(root.UsageTemplate(), "{{.CommandPath}} [command] --help",
		"{{.Root.CommandPath}} help{{slice .CommandPath (len .Root.CommandPath)}} COMMAND", 1))
	if d.Server == nil {
		return
	}
	root.InitDefaultVersionFlag()
	for _, cmd := range all(root) {
		cmd.InitDefaultHelpFlag()
		cmd.Flags().VisitAll(func(f *pflag.Flag) { f.Hidden = f.Name == "help" || f.Name == "version" })
	}
}

// newHelp replaces cobra's own command, which exits with success when the topic does not exist.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [command]",
		Short: "Say what a command does",
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return names(cmd.Root()), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			topic, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return NoArguments(cmd.Root(), args)
			}
			topic.InitDefaultHelpFlag()
			return RuntimeError(topic.Help())
		},
	}
}
