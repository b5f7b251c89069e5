//go:build attack

package main

import (
	"math"
	"strings"
	"testing"

	"notakto/internal/rig"
	"notakto/match/store"
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

// The server of the readings takes up to 8 MB more in each minute, frees them again, and leaks 0.1 MB per 1,000
// matches.
func TestWhatGoesUpAndDownIsNoSlope(t *testing.T) {
	var all []reading
	for second := range 7200 {
		all = append(all, reading{80 + 8*float64(second%60)/60 + 0.001*float64(second), 10 * second})
	}
	if got := slope(all); math.Abs(got-0.1) > 0.01 {
		t.Errorf("%v MB per 1,000 matches, there are 0.1", got)
	}
}

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

// A soak could not build its server with a standard library that the amendments do not fit.
func TestTheStandardLibraryIsAsItWas(t *testing.T) {
	if _, err := rig.Overlay(t.Context(), t.TempDir(), amendments[:]...); err != nil {
		t.Error(err)
	}
}
