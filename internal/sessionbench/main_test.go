package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"go.uber.org/goleak"
	"golang.org/x/sync/errgroup"

	"notakto/internal/rig"
)

// TestMain makes the test binary the echo if startEcho has set echoVariable.
func TestMain(m *testing.M) {
	if os.Getenv(echoVariable) != "" {
		fmt.Fprintln(os.Stderr, serveEcho())
		os.Exit(1)
	}
	goleak.VerifyTestMain(m)
}

func TestTheTableHasEveryFigure(t *testing.T) {
	binary, err := rig.Build(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var texts [2]bytes.Buffer
	var running errgroup.Group
	for i, only := range [...]string{"echo,lobby,table", "echo,play,plain,bot,watch,moves,starts"} {
		running.Go(func() error { // the figures do not matter
			var progress bytes.Buffer
			args := strings.Fields("-sessions 20 -crowd 40 -matches 2 -seconds 1 -binary " + binary + " -only " + only)
			if err := run(t.Context(), args, &texts[i], &progress); err != nil {
				return fmt.Errorf("%w\n%s", err, &progress)
			}
			return nil
		})
	}
	if err := running.Wait(); err != nil {
		t.Fatal(err)
	}
	all := texts[0].String() + texts[1].String()
	t.Log("\n" + all)
	for _, r := range new(figures).rows(options{sessions: 20, crowd: 40, matches: 2}) {
		if isIdle := strings.HasSuffix(r.name, "%"); !isIdle && !strings.Contains(all, "| "+r.name+" ") {
			t.Errorf("there is no figure for %s", r.name) // a second without work may cost nothing
		}
	}
}
