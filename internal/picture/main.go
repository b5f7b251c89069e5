// Command picture draws the table for the README: two players meet on a real server, over SSH, and the screen of the
// one to move is written to standard output as an SVG. Its output is the same every time.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"
)

// timeout ends a run that hangs.
const timeout = time.Minute

func main() {
	if err := run(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "picture:", err)
		os.Exit(1)
	}
}

func run(out io.Writer) error {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	shown, err := play(ctx)
	if err != nil {
		return err
	}
	if _, err := out.Write(shown.SVG()); err != nil {
		return fmt.Errorf("write the picture: %w", err)
	}
	return nil
}
