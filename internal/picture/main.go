// Command picture makes pictures of the game: of a match between two players who meet on a real server, over SSH. Its
// output is the same every time.
//
//	picture match >docs/match.svg    the whole match, as an animation
//	picture review >docs/review.svg  its review
//	picture screens DIR              the main screens, each at four sizes, to be looked at
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sync/errgroup"
)

// timeout ends a run that hangs.
const timeout = time.Minute

const usage = "usage: picture match, picture review, or picture screens DIR"

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "picture:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	switch {
	case len(args) == 1 && args[0] == "match":
		return writeMatch(ctx, out)
	case len(args) == 1 && args[0] == "review":
		return writeReview(ctx, out)
	case len(args) == 2 && args[0] == "screens":
		return writeScreens(ctx, args[1])
	default:
		return errors.New(usage)
	}
}

// writeMatch writes the match as ann sees it.
func writeMatch(ctx context.Context, out io.Writer) error {
	shots, err := play(ctx, usual())
	if err != nil {
		return err
	}
	_, err = out.Write(filmOf(shots).SVG())
	return err
}

func writeReview(ctx context.Context, out io.Writer) error {
	shots, err := play(ctx, usual())
	if err != nil {
		return err
	}
	for _, s := range shots {
		if s.name == "review" {
			_, err = out.Write(s.window("The review of a match of Notakto in a terminal").SVG())
		}
	}
	return err
}

// writeScreens writes a file for each main screen and size.
func writeScreens(ctx context.Context, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	var sizes errgroup.Group // a match mostly waits for its screens
	for _, size := range []size{{40, 16}, usual(), {120, 40}, {200, 60}} {
		sizes.Go(func() error { return writeSize(ctx, dir, size) })
	}
	return sizes.Wait()
}

func writeSize(ctx context.Context, dir string, size size) error {
	shots, err := play(ctx, size)
	if err != nil {
		return err
	}
	for _, s := range shots {
		if s.lasts > 0 {
			continue // one of many of the match
		}
		path := filepath.Join(dir, fmt.Sprintf("%s-%dx%d.svg", s.name, size.columns, size.rows))
		if err := os.WriteFile(path, s.window("Notakto: "+s.name).SVG(), 0o644); err != nil {
			return err
		}
	}
	return nil
}
