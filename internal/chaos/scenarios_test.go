package main

import (
	"errors"
	"testing"
	"time"

	"notakto/internal/rig"
)

func TestOptionsAreChecked(t *testing.T) {
	for _, args := range [][]string{
		nil, {"nonsense"}, {"kill", "-kills=-1"}, {"kill", "more"}, {"kill", "-nonsense"}, {"cut", "-players=1"},
		{"cut", "-for=100h"}, {"away", "-every=5s"}, {"kill", "-next=x"},
	} {
		if _, err := parseOptions(args); !errors.Is(err, errUsage) {
			t.Errorf("%q is taken: %v", args, err)
		}
	}
	for _, sc := range scenarios() {
		if _, err := parseOptions([]string{sc.name}); err != nil {
			t.Errorf("the usual options of %s: %v", sc.name, err)
		}
	}
	o, err := parseOptions([]string{"away", "-for=1m", "-kills=2", "-seed=9"})
	if err != nil || o.lasting != time.Minute || o.kills != 2 || o.seed != 9 || o.players != 24 {
		t.Errorf("the options are %+v (%v)", o, err)
	}
}

// clockChanges must fit the installed version of the standard library.
func TestTheClockCanBeShifted(t *testing.T) {
	if _, err := rig.Overlay(t.Context(), t.TempDir(), clockChanges[:]...); err != nil {
		t.Error(err)
	}
}
