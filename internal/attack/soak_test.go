//go:build attack

package main

import (
	"math"
	"os"
	"os/exec"
	"testing"

	"notakto/internal/overlay"
	"notakto/match/store"
)

func TestSlope(t *testing.T) {
	grows := []reading{{31, 1000}, {33, 2000}, {35, 3000}, {37, 4000}}
	if got := slope(grows); math.Abs(got-2) > 1e-9 {
		t.Errorf("2 MB with each 1,000 matches are %v", got)
	}
	for _, few := range [][]reading{nil, grows[:1], {{30, 0}, {40, 0}}} {
		if got := slope(few); got != 0 {
			t.Errorf("%v has the slope %v", few, got)
		}
	}
}

// A server that takes up to 8 MB more and frees them in each minute, and leaks 0.1 MB per 1,000 matches.
func TestWhatGoesUpAndDownIsNoSlope(t *testing.T) {
	var all []reading
	for second := range 7200 {
		all = append(all, reading{80 + 8*float64(second%60)/60 + 0.001*float64(second), 10 * second})
	}
	if got := slope(all); math.Abs(got-0.1) > 0.01 {
		t.Errorf("%v MB per 1,000 matches, there are 0.1", got)
	}
}

// The matches of a data directory that was filled are whole, finished and listed.
func TestTheArchiveIsFilled(t *testing.T) {
	const matches = 500
	dir := t.TempDir()
	if err := fillArchive(t.Context(), dir, matches); err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(t.Context(), store.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	contents, err := s.Inspect(t.Context())
	if want := (store.Contents{Finished: matches}); err != nil || contents != want {
		t.Errorf("the store has %+v: %v", contents, err)
	}
}

// The program of a soak is built with a clock that jumps and a slow disk: with a different standard library it would
// have neither.
func TestTheStandardLibraryIsAsItWas(t *testing.T) {
	list, err := overlay.Write(t.Context(), t.TempDir(), amendments[:]...)
	if err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-overlay", list, "-o", os.DevNull, "time", "database/sql")
	if out, err := build.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}
