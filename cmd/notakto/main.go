// Command notakto is a server on which people play Notakto with each other over SSH.
package main

import (
	"context"
	"os"

	"charm.land/fang/v2"
)

func main() {
	os.Exit(execute(context.Background()))
}

// execute runs the command line and returns the exit status.
func execute(ctx context.Context) int {
	root := newRoot()
	err := error(nil)
	if styled(os.Stdout) && styled(os.Stderr) {
		err = fang.Execute(ctx, root, fang.WithVersion(root.Version), fang.WithoutManpage(), fang.WithErrorHandler(ignore))
	} else {
		err = root.ExecuteContext(ctx)
	}
	return report(os.Stderr, err)
}
