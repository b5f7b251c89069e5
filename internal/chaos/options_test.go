package main

import (
	"errors"
	"testing"
	"time"

	"notakto/internal/chaos/load"
)

func TestOptionsAreChecked(t *testing.T) {
	for _, args := range [][]string{
		{"nonsense"}, {"kill", "-for=1s"}, {"kill", "-kills=-1"}, {"power", "-cuts=1"}, {"freeze", "-for=1s"},
		{"kill", "-early=101"}, {"rolling", "-every=0"}, {"cut", "-players=1"},
		{"cluster", "-cut=100h"}, {"nats", "-nats=2"}, {"clocks", "-shared"}, {"partition", "-every=10s"},
		{"kill", "more"}, {"kill", "-nonsense"},
	} {
		if _, err := parseOptions(args); !errors.Is(err, errUsage) {
			t.Errorf("%q is taken: %v", args, err)
		}
	}
	if o, err := parseOptions([]string{"begin"}); err != nil || o.style != load.Hasty {
		t.Errorf("the bots' style is %v (%v)", o.style, err)
	}
	o, err := parseOptions([]string{"cluster", "-for=1m", "-cuts=2", "-seed=9"})
	if err != nil || o.lasting != time.Minute || o.cuts != 2 || o.seed != 9 || o.players != 150 {
		t.Errorf("the options are %+v (%v)", o, err)
	}
}
