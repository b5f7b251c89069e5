package main

import (
	"cmp"
	"os"

	"github.com/spf13/cobra"

	"notakto/sshapp/command"
)

const about = `Play Notakto, the game of noughts and crosses without noughts, over SSH.

Without a command this is the server: start it, then play with
    ssh -p 2222 localhost
Every setting is a flag and an environment variable; the flag wins. What needs a server is asked of one:
    ssh HOST COMMAND`

// newRoot returns the command tree of the local program: the commands for everyone and those for the operator. Its own
// action is that of serve.
func newRoot() *cobra.Command {
	root := command.New(command.Env{
		Name: "notakto", Version: version(), In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		Data: cmp.Or(os.Getenv("NOTAKTO_DATA"), dataHome()),
	})
	root.Long = about
	root.Example = "notakto --listen 127.0.0.1:2222\nNOTAKTO_LISTEN=:22 notakto serve"
	serving(root)
	root.AddCommand(newServe(), newCluster(), newCompletion())
	return root
}
