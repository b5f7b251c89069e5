// Command notakto is a server on which people play Notakto with each other over SSH.
package main

import (
	"context"
	"os"

	"charm.land/fang/v2"

	"notakto/sshapp/command"
)

func main() {
	os.Exit(int(execute(context.Background())))
}

// execute runs the command line and returns the exit status.
func execute(ctx context.Context) command.Status {
	root, words := newRoot(), os.Args[1:]
	if !styled(os.Stdout) || !styled(os.Stderr) {
		return command.Run(ctx, root, words)
	}
	err := fang.Execute(ctx, root, fang.WithVersion(root.Version), fang.WithoutManpage(), fang.WithErrorHandler(ignore))
	return command.Report(os.Stderr, root, words, err)
}
