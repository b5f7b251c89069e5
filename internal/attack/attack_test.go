//go:build attack

package main

import (
	"math"
	"strings"
	"testing"

	"notakto/internal/rig"
)

func TestFaultsOfTheLogAreFound(t *testing.T) {
	for _, test := range []struct {
		line  string
		fault bool
	}{
		{`time=2026-11-21T18:00:00Z level=info msg="session began" name="level=error msg=panic"`, false},
		{`time=2026-11-21T18:00:00Z level=error msg="session ended by a panic"`, true},
		{`panic: runtime error`, true},
		{"time=2026-11-21T18:00:00Z level=info name=\x1b[2J", true},
		{"time=2026-11-21T18:00:00Z level=info name=\u202eevil", true},
		{"time=2026-11-21T18:00:00Z level=info name=\xff", true},
		{"time=2026-11-21T18:00:00Z level=info name=" + strings.Repeat("a", maxLogged), true},
	} {
		got := logFaults([]string{test.line, "SIGQUIT: quit", "goroutine 1 [running]:"})
		if (len(got) > 0) != test.fault {
			t.Errorf("%.80q: %q", test.line, got)
		}
	}
}

// The server of the long readings takes up to 8 MB more in each minute, frees them again, and leaks 0.1 MB per 1,000
// matches.
func TestSlope(t *testing.T) {
	var long []reading
	for second := range 7200 {
		long = append(long, reading{80 + 8*float64(second%60)/60 + 0.001*float64(second), 10 * second})
	}
	for _, test := range []struct {
		all  []reading
		want float64
	}{
		{[]reading{{31, 1000}, {33, 2000}, {35, 3000}, {37, 4000}}, 2}, {long, 0.1},
		{nil, 0}, {[]reading{{31, 1000}}, 0}, {[]reading{{30, 0}, {40, 0}}, 0},
	} {
		if got := slope(test.all); math.Abs(got-test.want) > 0.01 {
			t.Errorf("%d readings have the slope %v, want %v", len(test.all), got, test.want)
		}
	}
}

// A soak could not build its server with a standard library that the amendments do not fit.
func TestTheStandardLibraryIsAsItWas(t *testing.T) {
	if _, err := rig.Overlay(t.Context(), t.TempDir(), amendments[:]...); err != nil {
		t.Error(err)
	}
}
