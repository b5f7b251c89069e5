// Command notakto is a server for playing Notakto over SSH.
package main

import (
	"context"
	"io"
	"os"
	"slices"

	"charm.land/fang/v2"

	"notakto/sshapp/command"
)

func main() {
	os.Exit(int(execute(context.Background())))
}

// asksHelp reports whether words ask for a help page. Only then is it worth querying the terminal for its colours.
func asksHelp(words []string) bool {
	return len(words) > 0 && words[0] == "help" || slices.Contains(words, "--help") || slices.Contains(words, "-h")
}

// execute runs the command line and returns the exit status.
func execute(ctx context.Context) command.ExitCode {
	root, words := newRoot(), os.Args[1:]
	if asksHelp(words) {
		shortenHelp(root)
	}
	if !asksHelp(words) || !isColorTerminal(os.Stdout) || !isColorTerminal(os.Stderr) {
		return report(root, words, command.Run(ctx, root, words))
	}
	err := fang.Execute(ctx, root, fang.WithVersion(root.Version), fang.WithoutManpage(), fang.WithErrorHandler(ignore))
	return report(root, words, err)
}

// ignore prevents fang from writing an error: [command.Report] always does.
func ignore(io.Writer, fang.Styles, error) {}
