// Command picture draws the screens of a match as SVG files. The match is a real one, between two players on a server
// in this process, over SSH. Seeds and keys are fixed, and each run writes equal bytes. A test compares the files in
// docs with new ones.
//
//	picture match >docs/match.svg    the whole match, as an animation
//	picture review >docs/review.svg  the review of the match
//	picture screens DIR              the main screens at four sizes, for a person to look at
//
// Function play is the script of the match. A person is a player with a terminal emulator, and a shot is one screen.
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

	"notakto/internal/rig"
)

// timeout ends a run that hangs.
const timeout = time.Minute

func main() {
	os.Exit(rig.Main("picture", func(ctx context.Context) error { return run(ctx, os.Args[1:], os.Stdout) }))
}

func run(ctx context.Context, args []string, out io.Writer) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	switch {
	case len(args) == 1 && (args[0] == "match" || args[0] == "review"):
		shots, err := play(ctx, usualSize())
		if err != nil {
			return err
		}
		svg := shots[len(shots)-1].window("The review of a match of Notakto in a terminal").SVG()
		if args[0] == "match" {
			svg = makeFilm(shots).SVG()
		}
		_, err = out.Write(svg)
		return err
	case len(args) == 2 && args[0] == "screens":
		return writeScreens(ctx, args[1])
	default:
		return errors.New("usage: picture match, picture review, or picture screens DIR")
	}
}

// writeScreens writes a file for each main screen and size.
func writeScreens(ctx context.Context, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	var sizes errgroup.Group // sizes run at once, because a match mostly waits
	for _, size := range []size{{40, 16}, usualSize(), {120, 40}, {200, 60}} {
		sizes.Go(func() error {
			shots, err := play(ctx, size)
			for _, s := range shots {
				if s.lasts > 0 || err != nil { // a frame of the film
					continue
				}
				path := filepath.Join(dir, fmt.Sprintf("%s-%dx%d.svg", s.name, size.columns, size.rows))
				err = os.WriteFile(path, s.window("Notakto: "+s.name).SVG(), 0o644)
			}
			return err
		})
	}
	return sizes.Wait()
}
