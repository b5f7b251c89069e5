//go:build attack

package main

import (
	"math"
	"os"
	"os/exec"
	"testing"
	"time"

	"notakto/internal/overlay"
)

func TestSlope(t *testing.T) {
	grows := []reading{{time.Minute, 31, 1}, {2 * time.Minute, 33, 2}, {7 * time.Minute, 35, 3}, {8 * time.Minute, 37, 4}}
	if got := slope(grows); math.Abs(got-2) > 1e-9 {
		t.Errorf("2 MB with each block are %v", got)
	}
	for _, few := range [][]reading{nil, grows[:1], {{time.Hour, 30, 1}, {2 * time.Hour, 40, 1}}} {
		if got := slope(few); got != 0 {
			t.Errorf("%v has the slope %v", few, got)
		}
	}
}

// A server that takes up to 8 MB more and frees them for each block, after a first one in which it grows, and leaks
// half a MB per block.
func TestWhatGoesUpAndDownWithABlockIsNoSlope(t *testing.T) {
	const perHour, leak = 3, 0.5
	var all []reading
	for at := time.Duration(0); at < 140*time.Minute; at += time.Second {
		block, filled := math.Modf(at.Hours() * perHour)
		all = append(all, reading{at, 80 + 8*filled + leak*at.Hours()*perHour - 20*max(0, 1-block-filled), 1 + int(block)})
	}
	blocks := perBlock(all)
	if len(blocks) != 5 || blocks[0].blocks != 2 || blocks[4].blocks != 6 {
		t.Fatalf("blocks %v", blocks)
	}
	if got := slope(blocks); math.Abs(got-leak) > 0.01 {
		t.Errorf("%v MB a block, there are %v", got, leak)
	}
	if got := perBlock(all[:2000]); got != nil {
		t.Errorf("a first block and the piece of another are %v", got)
	}
}

// The program of a soak is built with a clock that jumps and a slow disk: with a different standard library it would
// have neither.
func TestTheStandardLibraryIsAsItWas(t *testing.T) {
	list, err := overlay.Write(t.Context(), t.TempDir(), amendments[:]...)
	if err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-overlay", list, "-o", os.DevNull, "time", "internal/poll")
	if out, err := build.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}
