package main

import (
	"strings"

	"github.com/spf13/cobra"
)

const about = `Play Notakto, the game of noughts and crosses without noughts, over SSH.

Without a command this is the server: start it, then play with
    ssh -p 2222 localhost
Every setting is a flag and an environment variable; the flag wins.`

// newRoot is the whole command tree. Its own action is serve's.
func newRoot() *cobra.Command {
	root := newServe()
	root.Use = "notakto"
	root.Long = about
	root.Example = "notakto --listen 127.0.0.1:2222\nNOTAKTO_LISTEN=:22 notakto serve"
	root.Args = noArguments
	root.Version = version()
	root.SilenceErrors, root.SilenceUsage = true, true
	root.SetVersionTemplate("{{.Name}} {{.Version}}\n")
	root.SetFlagErrorFunc(explainFlag)
	root.SetHelpCommand(newHelp())
	root.AddCommand(newServe(), newVersion(), newCompletion())
	return root
}

// noArguments refuses what is left on the command line, as a command that was meant or as an argument too many.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if !cmd.HasSubCommands() {
		return usage("%s takes no argument, and got %q", cmd.CommandPath(), strings.Join(args, " "))
	}
	return usage("there is no command %q%s", args[0], meant("", args[0], names(cmd)))
}

func names(cmd *cobra.Command) []string {
	var all []string
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() || sub.Name() == "help" {
			all = append(all, sub.Name())
		}
	}
	return all
}
