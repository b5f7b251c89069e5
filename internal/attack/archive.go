//go:build attack

package main

import (
	"context"
	"fmt"
	"os/exec"
	"strconv"
)

// fillArchive creates a data directory with finished matches, by the journal's benchmark for that.
func fillArchive(ctx context.Context, dir string, matches int) error {
	fill := exec.CommandContext(ctx, "go", "test", "./match/journal",
		"-run", "^$", "-bench", "^BenchmarkFill$", "-benchtime", "1x", "-archived", strconv.Itoa(matches), "-archive-in", dir)
	if out, err := fill.CombinedOutput(); err != nil {
		return fmt.Errorf("fill an archive: %w\n%s", err, out)
	}
	return nil
}
