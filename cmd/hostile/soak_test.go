//go:build hostile

package main

import (
	"math"
	"os"
	"os/exec"
	"testing"
	"time"
)

func TestSlope(t *testing.T) {
	grows := []sample{{10 * time.Minute, 31}, {20 * time.Minute, 32}, {30 * time.Minute, 33}, {40 * time.Minute, 34}}
	if got := slope(grows); math.Abs(got-6) > 1e-9 {
		t.Errorf("a megabyte in ten minutes is %v an hour", got)
	}
	for _, few := range [][]sample{nil, grows[:1], {{time.Hour, 30}, {time.Hour, 40}}} {
		if got := slope(few); got != 0 {
			t.Errorf("%v has the slope %v", few, got)
		}
	}
}

// The program of a soak is built with a clock that leaps and a disk that is slow: with another standard library it would be neither.
func TestTheStandardLibraryIsAsItWas(t *testing.T) {
	list, err := overlay(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-overlay", list, "-o", os.DevNull, "time", "internal/poll")
	if out, err := build.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}
